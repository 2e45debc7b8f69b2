internal import CoreDataLayout
internal import CoreDataModel

/// A derived attribute with its location in the store.
struct DerivedAttribute {
  let entityName: Name
  let name: Name
  let derivation: Derivation
  /// The table of the entity's objects.
  let table: VerifiedTable
  let column: Int
  let type: AttributeType
  let entities: EntitySet

  /// Finds a derived attribute in the store; nil if the attribute is not derived or has no column.
  init?(
    _ attribute: AttributeDescription, of entity: EntityDescription,
    _ context: VerificationContext
  ) {
    guard let derivation = attribute.derivation,
      let table = context.table(ofEntity: entity.name),
      let found = table.attribute([attribute.name], of: entity.name, context.subject.model)
    else { return nil }
    entityName = entity.name
    name = attribute.name
    self.derivation = derivation
    self.table = table
    (column, type) = found
    entities = context.tree(of: entity.name)
  }

  /// The components of the key path; nil if the expression is not one.
  var keyPath: [Name]? {
    guard derivation.filteringPredicate == nil,
      case .keyPath(nil, let path) = derivation.expression
    else { return nil }
    return Name.path(path, omittingEmptyNames: false)
  }

  /// The counted to-many relationship; nil for other expressions.
  var countedRelationship: Name? {
    guard derivation.filteringPredicate == nil else { return nil }
    if let keyPath, keyPath.count == 2, keyPath[1] == "@count" { return keyPath[0] }
    if case .function(nil, "count:", let arguments) = derivation.expression,
      arguments.count == 1, case .keyPath(nil, let path) = arguments[0], !path.contains(".")
    {
      return Name(path)
    }
    return nil
  }
}

extension VerifiedTable {
  /// The column of an entity's attribute and the type of its values; nil if there is no column, or
  /// if the attribute allows external storage.
  func attribute(
    _ path: [Name], of entity: Name, _ model: ManagedObjectModel
  ) -> (column: Int, type: AttributeType)? {
    let declarers = Set(model.lineage(of: entity).map(\.name))
    for (column, field) in shape.fields.enumerated() {
      if case .attribute(let own, let type, isExternal: false, let declarer) = field.role,
        own.elementsEqual(path, by: { $0 == $1 }), declarers.contains(declarer)
      {
        return (column, type)
      }
    }
    return nil
  }
}

/// The values of one derived attribute and the expected values.
protocol DerivedValues: RecordConsumer {
  /// Finds the columns that the values are computed from; nil if the expression is of another kind
  /// or the store lacks a column.
  init?(_ attribute: DerivedAttribute, _ context: VerificationContext)
  /// The visitor of a table; nil if the table contains neither the values nor the data that they are
  /// computed from.
  func visitor(of table: VerifiedTable) -> RowVisitor?
}
