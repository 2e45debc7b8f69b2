/// The codes of findings about relationships.
extension FindingCode {
  /// The relationship leads to an object that is not there.
  public static let danglingRelationship = FindingCode(
    text: "dangling-relationship", severity: .error, check: .references,
    meaning: "the relationship leads to an object that is not there",
    cause:
      "Rows were deleted by SQL or by a batch deletion, a delete rule is No Action, the "
      + "store was copied at a bad moment, or it is damaged.",
    effect:
      "It crashes or fails with \"could not fulfill a fault\" when it follows the "
      + "relationship; SwiftData traps.",
    remedy:
      "Look in older backups for when the object went away. In the app, set the "
      + "relationship to nil.")
  /// The relationship leads to an object of an entity that is not its destination.
  public static let wrongDestination = FindingCode(
    text: "wrong-destination", severity: .error, check: .references,
    meaning: "the relationship leads to an object of an entity that is not its destination",
    cause:
      "SQL, a tool that renumbered entities, or damage. The same is said of a pair of a "
      + "many-to-many relationship that joins an object of an entity without that "
      + "relationship, and of an object that belongs to an owner whose relationship does not "
      + "lead to its entity.",
    effect: "It gets an object of the wrong class, and crashes when it asks it for something.",
    remedy:
      "Look in older backups for what the relationship led to. In the app, set it again, "
      + "or to nil.")
  /// The entity noted beside the relationship is not that of the object it leads to.
  public static let wrongDestinationEntity = FindingCode(
    text: "wrong-destination-entity", severity: .error, check: .references,
    meaning: "the entity noted beside the relationship is not that of the object it leads to",
    cause:
      "SQL that set the relationship and forgot the entity beside it, or a tool that moved "
      + "an object to another entity. Beside a relationship to an entity with sub-entities "
      + "the store notes of which entity the destination is; it may be another one, none "
      + "beside a relationship that is set, or one beside a relationship that leads nowhere.",
    effect: "It may not find the object, or take it for one of another class.",
    remedy: "Set the relationship again in the app.")
  /// The relationship holds something that is not a primary key.
  public static let invalidReference = FindingCode(
    text: "invalid-reference", severity: .error, check: .references,
    meaning: "the relationship holds something that is not a primary key",
    cause: "SQL that wrote a text or another value where a primary key belongs, or damage.",
    effect:
      "It reads some number instead, mostly 0, and then finds no object or a wrong one. In "
      + "a one-to-one relationship the object at the other end is found not to be led back "
      + "to, either.",
    remedy:
      "Look in older backups for what the relationship led to. In the app, set it again, "
      + "or to nil.")
  /// A pair of the many-to-many relationship names an object that is not there.
  public static let danglingPair = FindingCode(
    text: "dangling-pair", severity: .error, check: .pairs,
    meaning: "a pair of the many-to-many relationship names an object that is not there",
    cause:
      "Rows were deleted by SQL, the store file was copied while the app wrote it or "
      + "without its write-ahead log, or it is damaged. A pair that lacks one of its keys is "
      + "found here too.",
    effect:
      "It gets an object that does not exist when it follows the relationship, and fails "
      + "with \"could not fulfill a fault\", or counts too many.",
    remedy:
      "Restore an older backup if that object matters. Otherwise remove the object from "
      + "the relationship in the app, or delete and add the relationship anew.")
  /// A pair of the self-inverse relationship names an object that is not there.
  public static let danglingReflexivePair = FindingCode(
    text: "dangling-reflexive-pair", severity: .info, check: .pairs,
    meaning: "a pair of the self-inverse relationship names an object that is not there",
    cause:
      "Core Data itself leaves such pairs behind when a relationship is its own inverse; "
      + "in Photos libraries they are common.",
    effect: "It has lived with it.",
    remedy: "Nothing.")
  /// The object at the other end of the one-to-one relationship leads elsewhere.
  public static let inverseMismatch = FindingCode(
    text: "inverse-mismatch", severity: .error, check: .inverses,
    meaning: "the object at the other end of the one-to-one relationship leads elsewhere",
    cause:
      "SQL that changed one side, a merge by another tool, or damage. Where the object at "
      + "the other end leads to one that is not there, or holds no key at all, that is found "
      + "as well, of that object; where two objects claim the same one, that is found too, "
      + "of the one they claim.",
    effect:
      "It shows different partners, depending on the side it looks from, and may keep one "
      + "of them when it saves.",
    remedy: "Decide which side is right, and set the relationship again in the app.",
    consequences: ["shared-destination"])
  /// The object at the other end of the one-to-one relationship does not lead back.
  public static let inverseMissing = FindingCode(
    text: "inverse-missing", severity: .info, check: .inverses,
    meaning: "the object at the other end of the one-to-one relationship does not lead back",
    cause: "Apple's own apps do it, Notes in nearly every row; migrations do it too.",
    effect: "It usually copes; from the other side it sees nothing.",
    remedy: "Nothing, unless the app shows a gap.")
  /// Several objects claim the destination of the one-to-one relationship.
  public static let sharedDestination = FindingCode(
    text: "shared-destination", severity: .error, check: .inverses,
    meaning: "several objects claim the destination of the one-to-one relationship",
    cause:
      "SQL that changed one side, a merge by another tool, or damage. The finding names "
      + "the object that is claimed, once; of the objects that claim it, those to which it "
      + "does not lead back are found as well.",
    effect:
      "It shows the object as the partner of several others, and only one of them as its "
      + "own; deleting one may delete it for all.",
    remedy:
      "Decide whose it is, and set the relationship of the others again in the app, or to "
      + "nil.",
    consequences: ["inverse-missing", "missing-destination"])
  /// The object has no position in an ordered relationship that it belongs to.
  public static let missingOrderKey = FindingCode(
    text: "missing-order-key", severity: .error, check: .order,
    meaning: "the object has no position in an ordered relationship that it belongs to",
    cause:
      "SQL that added the object to the relationship and forgot its position, or a "
      + "relationship that became ordered without a migration.",
    effect:
      "It shows the object in an arbitrary place, mostly first, and may show another order "
      + "each time.",
    remedy: "Move the object in the app and save, so that the positions are given anew.")
  /// Two objects have the same position in an ordered relationship.
  public static let duplicateOrderKey = FindingCode(
    text: "duplicate-order-key", severity: .error, check: .order,
    meaning: "two objects have the same position in an ordered relationship",
    cause:
      "SQL, a tool that merged two lists, or damage. The finding names the second of two "
      + "objects with the same position; of three, the second and the third.",
    effect: "It shows these objects in an arbitrary order, which can change each time.",
    remedy: "Move one of the objects in the app and save, so that the positions are given anew.")
  /// The object has a position in an ordered relationship that it does not belong to.
  public static let surplusOrderKey = FindingCode(
    text: "surplus-order-key", severity: .error, check: .order,
    meaning: "the object has a position in an ordered relationship that it does not belong to",
    cause: "SQL that removed the object from the relationship and left its position.",
    effect: "It does not notice. When the object joins a list again, it gets a new position.",
    remedy: "Nothing, but other changes of the same kind may have gone wrong too.")
  /// The position in the ordered relationship is not an integer.
  public static let invalidOrderKey = FindingCode(
    text: "invalid-order-key", severity: .error, check: .order,
    meaning: "the position in the ordered relationship is not an integer",
    cause: "SQL that wrote a text or another value where a number belongs, or damage.",
    effect:
      "It takes the position for 0 or another number, and shows the object in a wrong "
      + "place.",
    remedy: "Move the object in the app and save, so that the positions are given anew.")

  static let referencesCodes: [FindingCode] = [
    .danglingRelationship, .wrongDestination, .wrongDestinationEntity, .invalidReference,
    .danglingPair, .danglingReflexivePair, .inverseMismatch, .inverseMissing, .sharedDestination,
    .missingOrderKey, .duplicateOrderKey, .surplusOrderKey, .invalidOrderKey,
  ]
}
