internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// One of the two sources that are compared.
package enum SourceSide: Int, CaseIterable {
  case first, second
}

extension RowSource {
  /// The index of the table with the objects of an entity; nil if there is none.
  func tableIndex(ofEntity entity: Name) -> Int? {
    guard let root = model.root(of: entity)?.name else { return nil }
    return shapes.firstIndex { $0.kind == .entity && $0.entityName == root }
  }
}
