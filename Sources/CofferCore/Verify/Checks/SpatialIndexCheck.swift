internal import CoreDataModel
internal import CoreDataStore

/// Checks that the spatial indexes match the coordinates of the objects, in stores and archives
/// alike.
///
/// A trigger writes an entry for every row, at 0 for a row without coordinates. SQLite's own check
/// of the file covers the internal structure of the R-tree.
final class SpatialIndexCheck: RunCheck, Check {
  static let name = CheckName.spatialIndex
  static let modelNeed = ModelNeed.whole
  private var indexes: [SpatialEntries] = []

  func prepare() throws {
    for entity in context.subject.model.entities {
      for attribute in entity.attributes
      where attribute.isTransient && attribute.userInfo[AttributeDescription.spatialKey] != nil {
        try add(attribute, entity)
      }
    }
  }

  private func add(_ attribute: AttributeDescription, _ entity: EntityDescription) throws {
    do throws(SpatialIndex.Problem) {
      indexes.append(SpatialEntries(try SpatialIndex(attribute, of: entity, context), context))
    } catch {
      switch error {
      case .absent: break
      case .unknownForm:
        try context.reportNotRun(
          Self.name, "the index of \(entity.name).\(attribute.name) has an unknown form")
      case .incomplete:
        try context.report(
          .spatialIndexMismatch, entityName: entity.name, propertyName: attribute.name,
          detail: "a table of the index is missing")
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    RowVisitor.chain(
      indexes.compactMap { entries in
        switch table.index {
        case entries.index.table.index: RowVisitor(visit: entries.takeObject)
        case entries.index.nodes.table.index: RowVisitor(visit: entries.takeNode)
        case entries.index.places.table.index: RowVisitor(visit: entries.takePlace)
        default: nil
        }
      }[...])
  }
}
