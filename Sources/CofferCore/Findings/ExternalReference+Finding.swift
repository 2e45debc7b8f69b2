internal import CoreDataLayout
internal import CoreDataModel

extension ExternalReference {
  /// The finding that the file is not there.
  ///
  /// - Parameters:
  ///   - table: the table of the object that refers to it.
  ///   - entities: the entities with their numbers.
  /// - Returns: the finding, with the object and the property that refer to the file.
  func missingFinding(in table: TableLayout, _ entities: NumberedEntities) -> Finding {
    let field = table.fields[Int(column)]
    var property = field.storedName
    if case .attribute(let path, _, _, _) = field.role { property = path.joined(separator: ".") }
    let entity = entities.names[entityNumber] ?? table.entityName ?? ""
    return Finding(
      .missingExternalData,
      objectID: ManagedObjectID(entityName: entity, primaryKey: primaryKey),
      propertyName: property, detail: fileName)
  }
}
