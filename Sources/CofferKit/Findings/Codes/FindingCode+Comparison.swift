/// The codes of findings about a comparison with an older state.
extension FindingCode {
  /// The store has another UUID than before.
  public static let storeUUIDChanged = FindingCode(
    text: "store-uuid-changed", severity: .warning, check: .against,
    meaning: "the store has another UUID than before",
    cause: """
      The two are not states of one store; or the app deleted the store and made a new one, a \
      migration wrote it anew, or it was restored with a new UUID.
      """,
    effect: """
      Everything that refers to an object from outside the store, such as a saved URI, a shortcut \
      or a token of the persistent history, leads nowhere. CloudKit mirroring starts over.
      """,
    remedy: """
      Make sure that the two files are the same app's same store. Where the app made a new store, \
      look for what it did not take over.
      """)
  /// The version counter is lower than before.
  public static let versionWentBackwards = FindingCode(
    text: "version-went-backwards", severity: .error, check: .against,
    meaning: "the version counter is lower than before",
    cause: """
      Every save adds 1. An older file, or a part of one, came back in the place of the newer: a \
      backup, a sync of the file by a file service, a write-ahead log that was lost.
      """,
    effect: """
      The app shows the older values. Whatever was saved in between is gone, and a context that \
      still has the newer object meets a conflict that it does not understand.
      """,
    remedy: """
      Compare both states with `coffer diff` and decide which is the right one; restore that one as \
      a whole.
      """)
  /// The object changed and its version counter did not.
  public static let changedWithoutVersion = FindingCode(
    text: "changed-without-version", severity: .warning, check: .against,
    meaning: "the object changed and its version counter did not",
    cause: """
      Something other than Core Data wrote to the store, or the file is damaged. What Core Data \
      itself changes without counting is not looked at: positions in ordered relationships, \
      relationships without inverse that lead to the object, derived attributes, and attributes \
      that only one of the two models has.
      """,
    effect: """
      The app works with the new values. Contexts that were open do not notice the change, and \
      their next save overwrites it without a conflict; the persistent history and CloudKit \
      mirroring know nothing of it.
      """,
    remedy: """
      Find out who wrote it. To make the change known, set the same values in the app and save.
      """)
  /// The counter of primary keys is lower than before.
  public static let counterWentBackwards = FindingCode(
    text: "counter-went-backwards", severity: .error, check: .against,
    meaning: "the counter of primary keys is lower than before",
    cause: """
      The counter only ever rises. An older file came back in the place of the newer, the store was \
      made anew, or a program wrote the counter.
      """,
    effect: """
      The app gives primary keys to new objects that others had before: what still refers to those \
      from outside the store, or from another device, finds the wrong objects.
      """,
    remedy: """
      Restore the newer state; where the objects themselves are all there, set the counter to the \
      higher number by SQL while the app does not run.
      """)
  /// The entity lost most of its objects.
  public static let silentWipe = FindingCode(
    text: "silent-wipe", severity: .error, check: .against,
    meaning: "the entity lost most of its objects",
    cause: """
      An entity, together with all below it, has at least 10 objects less than before, that is more \
      than half of them, while its counter of primary keys stood still: nothing was inserted. A \
      bug, a batch deletion, a failed sync or a migration removed them. A person who deletes that \
      much at once looks the same.
      """,
    effect: """
      The app shows an empty or nearly empty list, without an error, and CloudKit mirroring may \
      delete the objects on all other devices.
      """,
    remedy: """
      Unless the deletion was meant, keep the older state, stop syncing, and restore it.
      """)

  static let comparisonCodes: [FindingCode] = [
    .storeUUIDChanged, .versionWentBackwards, .changedWithoutVersion, .counterWentBackwards,
    .silentWipe,
  ]
}
