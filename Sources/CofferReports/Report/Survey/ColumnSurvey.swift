internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Sums up, for each entity and each column of objects, the number and size of the values.
final class ColumnSurvey: SurveyPart {
  /// The sums of a table.
  private struct Table {
    let attributes: [AttributeColumn]
    let sums: Sums
  }

  private var context: VerificationContext?
  private var tables: [Table] = []
  /// The position in this list, by table index.
  private var positions: [Int: Int] = [:]

  func begin(_ context: VerificationContext) { self.context = context }

  // An archive has nothing to visit for a table without rows.
  func prepare() {
    guard let context else { return }
    for table in context.tables where table.shape.kind == .entity {
      positions[table.index] = tables.count
      tables.append(
        Table(
          attributes: AttributeColumn.all(of: table, context.subject.model),
          sums: Sums(columnCount: table.shape.fields.count, Self.foreign(table, context), context)))
    }
  }

  /// The columns of properties that objects of some entities in the table do not have.
  private static func foreign(
    _ table: VerifiedTable, _ context: VerificationContext
  ) -> EntityPlans<Int> {
    let root = table.shape.entityName ?? ""
    return EntityPlans(
      context,
      table.shape.fields.enumerated().compactMap { column, field in
        switch field.role {
        case .attribute(_, _, _, let entity), .toOne(_, let entity):
          return entity == root
            ? nil : (context.tree(of: entity).inverted, column)
        default: return nil
        }
      })
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    positions[table.index].map { RowVisitor(visit: tables[$0].sums.visit) }
  }

  /// The size of the objects of each entity by name; unknown entities have an empty name.
  var entityByteCounts: [Name: Int] {
    var counts: [Name: Int] = [:]
    for table in tables {
      for (index, count) in table.sums.entityBytes.enumerated() where count > 0 {
        counts[context?.entities.name(UInt16(clamping: index)) ?? "", default: 0] += count
      }
    }
    return counts
  }

  /// The attributes, in the order of the tables and columns.
  func attributes(_ owners: OwnerCounts) -> [AttributeSize] {
    tables.flatMap { table in
      table.attributes.map { attribute in
        AttributeSize(
          entityName: attribute.entityName, name: attribute.name, type: attribute.type,
          ownerCount: owners[attribute.entityName],
          valueCount: table.sums.valueCounts[attribute.column],
          byteCount: table.sums.valueBytes[attribute.column])
      }
    }
  }

  /// Sums up the rows of a table.
  private final class Sums {
    private(set) var valueCounts: [Int]
    private(set) var valueBytes: [Int]
    /// By entity index, with unknown entities last.
    private(set) var entityBytes: [Int]
    private let foreign: EntityPlans<Int>

    init(columnCount: Int, _ foreign: EntityPlans<Int>, _ context: VerificationContext) {
      self.foreign = foreign
      valueCounts = [Int](repeating: 0, count: columnCount)
      valueBytes = [Int](repeating: 0, count: columnCount)
      entityBytes = [Int](repeating: 0, count: context.entities.count + 1)
    }

    func visit(_ row: Row) {
      var sum = 0
      for column in valueCounts.indices where !row.isNull(column) {
        let size = row.storedSize(column)
        valueCounts[column] &+= 1
        valueBytes[column] &+= size
        sum &+= size
      }
      entityBytes[min(Int(row.entity), entityBytes.count - 1)] &+= sum
      // A value of a property that the object's entity lacks does not count.
      for place in foreign.indices(for: row) where !row.isNull(foreign[place]) {
        valueCounts[foreign[place]] &-= 1
        valueBytes[foreign[place]] &-= row.storedSize(foreign[place])
      }
    }
  }
}

extension Row {
  /// The size of the value in a record in bytes, without its type.
  ///
  /// Source: the record format of SQLite, <https://sqlite.org/fileformat2.html#record_format>.
  func storedSize(_ column: Int) -> Int {
    switch storageClass(column) {
    case .null: return 0
    case .real: return 8
    case .text, .blob: return size(column)
    case .integer:
      let value = integer(column) ?? 0
      switch value < 0 ? ~value : value {
      // The values 0 and 1 have their own types.
      case ...0x7f: return value == 0 || value == 1 ? 0 : 1
      case ...0x7fff: return 2
      case ...0x7f_ffff: return 3
      case ...0x7fff_ffff: return 4
      case ...0x7fff_ffff_ffff: return 6
      default: return 8
      }
    }
  }
}

/// The number of objects of each entity including its subentities.
struct OwnerCounts {
  private let counts: [Name: Int]

  init(_ inspection: Inspection) {
    let model = inspection.model
    var counts: [Name: Int] = [:]
    for entity in inspection.entities { counts[entity.name] = entity.objectCount }
    // Entities before their subentities. Entities in a cycle have no root.
    var order: [String] = []
    var rest = model.rootEntities.map(\.name)
    while let name = rest.popLast() {
      order.append(name.text)
      rest += model.subentityNames(of: name)
    }
    for name in order.reversed() {
      guard let parent = model[Name(name)]?.superentityName, model[parent] != nil else { continue }
      counts[parent, default: 0] += counts[Name(name)] ?? 0
    }
    self.counts = counts
  }

  /// The number of objects of the entity and its subentities; 0 if the model lacks it.
  subscript(entity: Name) -> Int { counts[entity] ?? 0 }
}
