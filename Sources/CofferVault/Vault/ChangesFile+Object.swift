internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataLayout
internal import CoreDataModel

extension ChangesFile {
  /// Whether the changes can make a difference to an object: to its row, or to its to-many relationships.
  ///
  /// A change of any object that a to-many relationship can lead to counts, unless pairs show the references,
  /// because only the old state shows the object that it left.
  ///
  /// - Throws: ``CofferError`` if the file is damaged; `CancellationError`.
  func mayChange(_ entityName: Name, _ primaryKey: Int64) throws -> Bool {
    let model = documents.model
    guard let root = model.root(of: entityName)?.name else { return true }
    var destinations: Set<Name> = []
    for entity in model.tree(of: entityName) {
      for relationship in model.allRelationships(of: entity.name)
      where relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany != true
      {
        guard let other = model.root(of: relationship.destinationName) else { return true }
        destinations.insert(other.name)
      }
    }
    for shape in documents.layout.tables {
      let isRelevant: (RowKey) -> Bool
      switch shape.kind {
      case .entity where destinations.contains(shape.entityName ?? ""):
        isRelevant = { _ in true }
      case .entity where shape.entityName == root:
        isRelevant = { $0.first.integer == primaryKey }
      case .relationship:
        isRelevant = { ([$0.first] + $0.rest).contains { $0.integer == primaryKey } }
      default: continue
      }
      if try hasChange(of: shape, where: isRelevant) { return true }
    }
    return false
  }

  private func hasChange(
    of shape: TableLayout, where isRelevant: (RowKey) -> Bool
  ) throws -> Bool {
    let changes = ChangeCursor(shape, of: self)
    while try changes.next() != nil {
      // Without a key, it may be any row.
      guard let key = changes.key, !isRelevant(key) else { return true }
    }
    return false
  }
}
