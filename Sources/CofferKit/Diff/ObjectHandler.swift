internal import CoreDataArchive
internal import CoreDataModel

/// Turns the rows of a table of objects into differences.
struct ObjectHandler: RowHandler {
  private let rootEntityName: String
  private let lines: LineComparison
  private let report: (ObjectDifference) throws -> Void

  init(
    rootEntityName: String, lines: LineComparison,
    report: @escaping (ObjectDifference) throws -> Void
  ) {
    self.rootEntityName = rootEntityName
    self.lines = lines
    self.report = report
  }

  func remove(_ first: LineCursor) throws {
    try report(ObjectDifference(kind: .removed, objectID: try identity(first), properties: []))
  }

  func add(_ second: LineCursor) throws {
    try report(ObjectDifference(kind: .added, objectID: try identity(second), properties: []))
  }

  func compare(_ first: LineCursor, _ second: LineCursor) throws {
    let properties = try lines.differences(first, second)
    guard !properties.isEmpty else { return }
    try report(
      ObjectDifference(kind: .changed, objectID: try identity(second), properties: properties))
  }

  func finish() {}

  private func identity(_ cursor: LineCursor) throws -> ManagedObjectID {
    let value = try cursor.value()
    guard case .integer(let key) = value["$pk"] else {
      throw cursor.damaged("a line without its key")
    }
    var name = rootEntityName
    if case .string(let entity) = value["$entity"] { name = entity }
    return ManagedObjectID(entityName: name, primaryKey: key)
  }
}
