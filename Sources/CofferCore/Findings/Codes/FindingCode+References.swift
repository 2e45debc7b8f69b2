/// The codes of findings about relationships.
extension FindingCode {
  /// The relationship leads to an object that does not exist.
  public static let danglingRelationship = FindingCode(
    text: "dangling-relationship", severity: .error, check: .references,
    meaning: "the relationship leads to an object that does not exist",
    cause: """
      Rows were deleted with SQL or by a batch deletion, a delete rule is No Action, the store was \
      copied at a bad moment, or it is damaged.
      """,
    effect: """
      When the app follows the relationship, it crashes or fails with "could not fulfill a fault". \
      SwiftData traps.
      """,
    remedy: """
      Look in older backups to find out when the object disappeared. In the app, set the \
      relationship to nil.
      """,
    fix: .lossy(
      """
      Unset the relationship, or let it lead to the object that leads to it in a one-to-one \
      relationship. If it is required and no object refers to it, decide which object it should \
      refer to.
      """
    ).automatic)
  /// The relationship leads to an object that does not belong to its destination entity.
  public static let wrongDestination = FindingCode(
    text: "wrong-destination", severity: .error, check: .references,
    meaning: "the relationship leads to an object that does not belong to its destination entity",
    cause: """
      SQL, a tool that renumbered entities, or damage. The same finding is reported for a pair of \
      a many-to-many relationship with an object whose entity lacks the relationship, and for an \
      object whose owner's relationship does not lead to its entity.
      """,
    effect: "The app gets an object of the wrong class, and crashes when it uses it.",
    remedy: """
      Look in older backups for the right destination. In the app, set the relationship again, or \
      to nil.
      """,
    fix: .lossy(
      """
      Unset the relationship, or remove the pair. If it is required, decide which object it should \
      refer to.
      """
    ).automatic)
  /// The entity stored with the relationship differs from its destination's entity.
  public static let wrongDestinationEntity = FindingCode(
    text: "wrong-destination-entity", severity: .error, check: .references,
    meaning: "the entity stored with the relationship differs from its destination's entity",
    cause: """
      SQL set the relationship without updating the entity, or a tool moved an object to another \
      entity. If the destination entity has subentities, the store records the entity of the \
      destination with the relationship. It may be wrong, missing, or present although the \
      relationship is nil or dangling.
      """,
    effect: "The app may not find the object, or takes it for an object of another class.",
    remedy: "Set the relationship again in the app.",
    fix: .lossless("Store the entity of the destination.").automatic)
  /// The relationship contains something that is not a primary key.
  public static let invalidReference = FindingCode(
    text: "invalid-reference", severity: .error, check: .references,
    meaning: "the relationship contains something that is not a primary key",
    cause: "SQL that wrote text or another value instead of a primary key, or damage.",
    effect: """
      The app reads some number instead, usually 0, and finds no object or a wrong one. In a \
      one-to-one relationship, the object at the other end is reported as well, because no object \
      leads back to it.
      """,
    remedy: """
      Look in older backups for the right destination. In the app, set the relationship again, or \
      to nil.
      """,
    fix: .lossy(
      """
      Unset the relationship, or let it lead to the object that leads to it in a one-to-one \
      relationship. If it is required and no object refers to it, decide which object it should \
      refer to.
      """
    ).automatic)
  /// A pair of the many-to-many relationship refers to an object that does not exist.
  public static let danglingPair = FindingCode(
    text: "dangling-pair", severity: .error, check: .pairs,
    meaning: "a pair of the many-to-many relationship refers to an object that does not exist",
    cause: """
      Rows were deleted with SQL, the store file was copied while the app wrote to it or without \
      its write-ahead log, or it is damaged. A pair without one of its keys is also reported.
      """,
    effect: """
      When the app follows the relationship, it gets an object that does not exist and fails with \
      "could not fulfill a fault", or counts too many objects.
      """,
    remedy: """
      If that object matters, restore an older backup. Otherwise remove the object from the \
      relationship in the app, or recreate the relationship.
      """,
    fix: .lossy("Remove the pair.").automatic)
  /// A pair of a relationship that is its own inverse refers to an object that does not exist.
  public static let danglingReflexivePair = FindingCode(
    text: "dangling-reflexive-pair", severity: .info, check: .pairs,
    meaning:
      "a pair of a relationship that is its own inverse refers to an object that does not exist",
    cause: """
      Core Data itself leaves such pairs behind if a relationship is its own inverse. They are \
      common in Photos libraries.
      """,
    effect: "None is known.",
    remedy: "Nothing.",
    fix: .lossy("Remove the pair.").automatic)
  /// The object at the other end of the one-to-one relationship leads elsewhere.
  public static let inverseMismatch = FindingCode(
    text: "inverse-mismatch", severity: .error, check: .inverses,
    meaning: "the object at the other end of the one-to-one relationship leads elsewhere",
    cause: """
      SQL that changed one side, a merge by another tool, or damage. Related defects are reported \
      for the objects concerned: if the object at the other end leads to a missing object or has \
      an invalid key, and if two objects claim the same one.
      """,
    effect: """
      The app shows different partners depending on the side it starts from, and may keep one of \
      them when it saves.
      """,
    remedy: "Decide which side is right, and set the relationship again in the app.",
    fix: .lossy(
      "Unset the relationship, unless it is required. The object at the other end keeps its side."
    ).automatic,
    consequences: ["shared-destination"])
  /// The object at the other end of the one-to-one relationship does not lead back.
  public static let inverseMissing = FindingCode(
    text: "inverse-missing", severity: .info, check: .inverses,
    meaning: "the object at the other end of the one-to-one relationship does not lead back",
    cause: "Apple's own apps do this, Notes in nearly every row. Migrations do it too.",
    effect: "The app usually copes; from the other side it sees no object.",
    remedy: "Nothing, unless something is missing in the app.",
    fix: .derived("Let the object at the other end lead back, unless several lead to it.")
      .automatic)
  /// Several objects claim the destination of the one-to-one relationship.
  public static let sharedDestination = FindingCode(
    text: "shared-destination", severity: .error, check: .inverses,
    meaning: "several objects claim the destination of the one-to-one relationship",
    cause: """
      SQL that changed one side, a merge by another tool, or damage. The finding is reported once, \
      for the claimed object. Each claiming object that it does not lead back to is reported too.
      """,
    effect: """
      The app shows the object as the partner of several others, but only one of them as its own. \
      Deleting one may delete it for all.
      """,
    remedy: """
      Decide which object it belongs to. In the app, set the relationship of the others again, or \
      to nil.
      """,
    fix: .none(
      "Decide which object it belongs to. In the app, set the relationship of the others to nil."),
    consequences: ["inverse-missing", "missing-destination"])
  /// The object has no position in an ordered relationship.
  public static let missingOrderKey = FindingCode(
    text: "missing-order-key", severity: .error, check: .order,
    meaning: "the object has no position in an ordered relationship",
    cause: """
      SQL that added the object to the relationship without a position, or a relationship that \
      became ordered without a migration.
      """,
    effect: """
      The app shows the object in an arbitrary place, usually first, and possibly in a different \
      one each time.
      """,
    remedy: "Move the object in the app and save, which assigns new positions.",
    fix: .derived("Move the object to the end.").automatic)
  /// Two objects have the same position in an ordered relationship.
  public static let duplicateOrderKey = FindingCode(
    text: "duplicate-order-key", severity: .error, check: .order,
    meaning: "two objects have the same position in an ordered relationship",
    cause: """
      SQL, a tool that merged two lists, or damage. The finding names the second of two objects \
      with the same position; of three, the second and third.
      """,
    effect: "The app shows these objects in an arbitrary order, which can change each time.",
    remedy: "Move one of the objects in the app and save, which assigns new positions.",
    fix: .lossless(
      """
      Give the second object the next position. The objects after it keep their positions if the \
      gap suffices.
      """
    ).automatic)
  /// The object has a position in an ordered relationship that it does not belong to.
  public static let surplusOrderKey = FindingCode(
    text: "surplus-order-key", severity: .error, check: .order,
    meaning: "the object has a position in an ordered relationship that it does not belong to",
    cause: "SQL that removed the object from the relationship but not its position.",
    effect: "None: when the object joins a list again, it gets a new position.",
    remedy: "Nothing, but check for other changes of the same kind.",
    fix: .lossy("Remove the position.").automatic)
  /// The position in the ordered relationship is not an integer.
  public static let invalidOrderKey = FindingCode(
    text: "invalid-order-key", severity: .error, check: .order,
    meaning: "the position in the ordered relationship is not an integer",
    cause: "SQL that wrote text or another value instead of a number, or damage.",
    effect: """
      The app takes the position for 0 or another number, and shows the object in the wrong place.
      """,
    remedy: "Move the object in the app and save, which assigns new positions.",
    fix: .lossy("Move the object to the end, with a new position.").automatic)

  static let referencesCodes: [FindingCode] = [
    .danglingRelationship, .wrongDestination, .wrongDestinationEntity, .invalidReference,
    .danglingPair, .danglingReflexivePair, .inverseMismatch, .inverseMissing, .sharedDestination,
    .missingOrderKey, .duplicateOrderKey, .surplusOrderKey, .invalidOrderKey,
  ]
}
