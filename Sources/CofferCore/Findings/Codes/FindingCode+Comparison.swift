/// The codes of findings about a comparison with an older state.
extension FindingCode {
  /// The UUID of the store changed.
  public static let storeUUIDChanged = FindingCode(
    text: "store-uuid-changed", severity: .warning, check: .against,
    meaning: "the UUID of the store changed",
    cause: """
      The two files are not states of the same store, or the app deleted the store and created a \
      new one, a migration rewrote it, or it was restored with a new UUID.
      """,
    effect: """
      References to objects from outside the store, such as saved URIs, shortcuts and tokens of \
      the persistent history, refer to nothing. CloudKit mirroring starts over.
      """,
    remedy: """
      Make sure that both files are the same store of the same app. If the app created a new \
      store, look for data that it did not carry over.
      """,
    fix: .none("Decide whether both files are states of the same store."))
  /// The version counter is lower than before.
  public static let versionWentBackwards = FindingCode(
    text: "version-went-backwards", severity: .error, check: .against,
    meaning: "the version counter is lower than before",
    cause: """
      Every save increases the counter by 1, so an older file, or part of one, replaced the newer \
      one: from a backup, a file-syncing service, or after a write-ahead log was lost.
      """,
    effect: """
      The app shows the older values. Everything saved in between is gone, and a context that \
      still has the newer object meets an unexpected conflict.
      """,
    remedy: "Decide which of the two states is right, and restore that one as a whole.",
    fix: .none("Decide which of the two states is right, and restore that one as a whole."),
    tool: .comparison)
  /// The object changed but its version counter did not.
  public static let changedWithoutVersion = FindingCode(
    text: "changed-without-version", severity: .warning, check: .against,
    meaning: "the object changed but its version counter did not",
    cause: """
      Something other than Core Data wrote to the store, or the file is damaged. Changes that Core \
      Data itself does not count are ignored: positions in ordered relationships, relationships \
      without inverse that lead to the object, derived attributes, and attributes that only one of \
      the two models has.
      """,
    effect: """
      The app uses the new values. Open contexts do not notice the change, and their next save \
      overwrites it without a conflict. Persistent history and CloudKit mirroring do not know \
      about it.
      """,
    remedy:
      "Find out what wrote the change. To make it known, set the same values in the app and save.",
    fix: .lossless("Set the same values again in the app and save, which raises the counter."))
  /// The counter of primary keys is lower than before.
  public static let counterWentBackwards = FindingCode(
    text: "counter-went-backwards", severity: .error, check: .against,
    meaning: "the primary key counter is lower than before",
    cause: """
      The counter never decreases by itself. An older file replaced the newer one, the store was \
      created again, or a program wrote the counter.
      """,
    effect: """
      The app gives new objects primary keys that other objects had before. References from \
      outside the store or from other devices then find the wrong objects.
      """,
    remedy: """
      Restore the newer state. If all the objects are there, set the counter to the higher number \
      with SQL while the app is not running.
      """,
    fix: .lossless("Set the counter to the higher number with SQL while the app is not running."))
  /// The entity lost most of its objects.
  public static let silentWipe = FindingCode(
    text: "silent-wipe", severity: .error, check: .against,
    meaning: "the entity lost most of its objects",
    cause: """
      An entity and its subentities have lost at least 10 objects and more than half of them, and \
      fewer than half as many were inserted since. A bug, a batch deletion, a failed sync or a \
      migration removed them. A person who deletes that many objects at once looks the same.
      """,
    effect: """
      The app shows an empty or almost empty list without an error, and CloudKit mirroring may \
      delete the objects on all other devices.
      """,
    remedy: """
      Unless the deletion was intended, keep the older state, stop syncing, and restore the older \
      state.
      """,
    fix: .none("Decide whether the deletion was intended. If not, restore the older state."))

  static let comparisonCodes: [FindingCode] = [
    .storeUUIDChanged, .versionWentBackwards, .changedWithoutVersion, .counterWentBackwards,
    .silentWipe,
  ]
}
