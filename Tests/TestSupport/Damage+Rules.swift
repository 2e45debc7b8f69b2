internal import CoreDataModel

extension Damage {
  /// A number is outside the range that the model validates.
  package static let numberOutOfValidation = Damage(
    "number-out-of-validation", "TodoEntity/p1.priority is 9, but may be 5 at most",
    sql: "UPDATE ZITEMENTITY SET ZPRIORITY = 9 WHERE Z_PK = 1")
  /// A text is shorter than the model validates.
  package static let textTooShort = Damage(
    "text-too-short", "TagEntity/p1.name is empty, but must have a character",
    sql: "UPDATE ZTAGENTITY SET ZNAME = '' WHERE Z_PK = 1")
  /// A text is longer than the model validates, in UTF-16 code units though not in characters.
  package static let textTooLong = Damage(
    "text-too-long", "TagEntity/p1.name has 33 characters, which are 66 UTF-16 code units",
    sql: "UPDATE ZTAGENTITY SET ZNAME = replace(hex(zeroblob(16)), '0', '🔥') || '🔥' WHERE Z_PK = 1")
  /// Two objects have the same values although they must be unique together; the index is gone too.
  package static let tupleNotUnique = Damage(
    "tuple-not-unique", "two settings have the same locale and UUID, and the index is gone",
    sql: """
      DROP INDEX Z_SettingsEntity_UNIQUE_locale_uuid;
      UPDATE ZSETTINGSENTITY SET (ZLOCALE, ZUUID) =
      (SELECT ZLOCALE, ZUUID FROM ZSETTINGSENTITY WHERE Z_PK = 1) WHERE Z_PK = 3
      """)
  /// The model has a validation that needs a regular expression.
  package static let validationByPattern = Damage(
    "validation-by-pattern", "the model validates PersonEntity.email by a regular expression"
  ) { path in
    guard var person = TodoModel.model["PersonEntity"],
      let index = person.attributes.firstIndex(where: { $0.name == "email" })
    else { throw GeneratorError("no such attribute") }
    person.attributes[index].validationPredicates = [
      ValidationPredicate(
        predicate: .comparison(
          .evaluatedObject, .init(rawValue: 6), .constant(.string(".+@.+"))),
        warning: .integer(1680))
    ]
    let model = ManagedObjectModel(
      entities: TodoModel.model.entities.filter { $0.name != person.name } + [person],
      versionIdentifiers: TodoModel.model.versionIdentifiers, source: .modelCache)
    let cache = try ModelCacheWriter.write(model)
    try open(path) { try $0.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(cache)]) }
  }

  static let rules = [
    numberOutOfValidation, textTooShort, textTooLong, tupleNotUnique, validationByPattern,
  ]
}
