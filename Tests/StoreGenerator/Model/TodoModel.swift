package import CoreDataModel

/// The model of the generated stores: a to-do list app with everything that Core Data can model.
///
/// Numbers of the entities: 1 AttachmentEntity, 2 ItemEntity (abstract; 3 NoteEntity,
/// 4 TodoEntity, 5 RecurringTodoEntity below TodoEntity), 6 LocationEntity, 7 PersonEntity,
/// 8 SettingsEntity, 9 TagEntity, 10 VisitEntity.
package enum TodoModel {
  /// The model.
  package static let model = ManagedObjectModel(
    entities: [
      attachment, item, note, todo, recurringTodo, location, person, settings, tag, visit,
    ],
    versionIdentifiers: ["1.2"],
    source: .modelCache)

  /// The tables of the model.
  package static let schema = StoreSchema(model)

  static func toOne(
    _ name: Name, _ destination: Name, inverse: Name?, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destination, inverseName: inverse,
      minCount: isOptional ? 0 : 1, isOptional: isOptional, deleteRule: deleteRule)
  }

  static func toMany(
    _ name: Name, _ destination: Name, inverse: Name?, isOrdered: Bool = false,
    maxCount: Int = 0, deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destination, inverseName: inverse, maxCount: maxCount,
      isOrdered: isOrdered, deleteRule: deleteRule)
  }

  static func rule(
    _ left: ModelExpression, _ relation: Int, _ right: ModelValue, warning: Int64
  ) -> ValidationPredicate {
    ValidationPredicate(
      predicate: .comparison(left, .init(rawValue: relation), .constant(right)),
      warning: .integer(warning))
  }
}
