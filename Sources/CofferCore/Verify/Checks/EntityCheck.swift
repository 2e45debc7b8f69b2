internal import CoreDataLayout
internal import CoreDataModel

/// Checks the primary key and the entity of each object.
final class EntityCheck: RunCheck, Check {
  static let name = CheckName.entities

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity else { return nil }
    return RowVisitor(visit: CheckedEntities(table, context).visit)
  }

  private final class CheckedEntities {
    private let table: VerifiedTable
    private let context: VerificationContext
    /// The possible entities of this table's objects.
    private let concrete: Set<Int64>
    private let abstract: Set<Int64>
    /// The entity of the previous row, which the next row nearly always shares.
    private var lastSound: Int64?

    init(_ table: VerifiedTable, _ context: VerificationContext) {
      self.table = table
      self.context = context
      let numbers = context.subject.layout.entities.numbers
      let tree = table.shape.entityName.map(context.subject.model.tree(of:)) ?? []
      concrete = Set(tree.filter { !$0.isAbstract }.compactMap { numbers[$0.name] })
      abstract = Set(tree.filter(\.isAbstract).compactMap { numbers[$0.name] })
    }

    func visit(_ row: Row) throws {
      if let key = row.primaryKey, key > 0 {} else { try report(.invalidPrimaryKey, row) }
      guard let number = row.entityNumber else {
        return try report(.missingEntityNumber, row)
      }
      if number == lastSound { return }
      if concrete.contains(number) {
        lastSound = number
      } else if abstract.contains(number) {
        try report(.abstractEntity, row)
      } else if row.entity == EntityIndices.unknown {
        try report(.unknownEntity, row, "number \(number)")
      } else {
        try report(.foreignEntity, row)
      }
    }

    private func report(_ code: FindingCode, _ row: Row, _ detail: String = "") throws {
      // Name the root entity, because the row's own entity is what is wrong.
      let root = table.shape.entityName ?? ""
      let objectID = row.primaryKey.map { ManagedObjectID(entityName: root, primaryKey: $0) }
      try context.report(code, entityName: root, objectID: objectID, detail: detail)
    }
  }
}
