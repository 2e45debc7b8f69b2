internal import CoreDataLayout
internal import CoreDataModel

/// Helpers for the checks of relationships.
extension VerificationContext {
  /// The tables of objects, in the order in which they are read.
  package var objectTables: [VerifiedTable] { tables.filter { $0.shape.kind == .entity } }

  /// The ID of an object with its concrete entity, or with a given entity if the object does not
  /// exist or its entity is unknown.
  func objectID(
    _ key: Int64, in table: VerifiedTable, otherwise entity: Name
  ) throws -> ManagedObjectID {
    let found = try keys(of: table)?.find(key)?.entity
    return ManagedObjectID(entityName: found.flatMap(entities.name) ?? entity, primaryKey: key)
  }

  /// The entity and its subentities; nil if the store has no number for any of them, so that
  /// numbers mean nothing.
  func knownTree(of entity: Name) -> EntitySet? {
    let tree = tree(of: entity)
    let isKnown = (0..<entities.count).contains { tree.contains(UInt16(clamping: $0)) }
    return isKnown ? tree : nil
  }
}

extension Row {
  /// The kind of a value that should be an integer, for the detail of a finding.
  func kind(_ column: Int) -> String {
    switch storageClass(column) {
    case .null: "nothing"
    case .integer: "an integer"
    case .real: "a floating point number"
    case .text: "a text"
    case .blob: "a blob"
    }
  }
}
