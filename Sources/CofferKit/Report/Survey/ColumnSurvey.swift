internal import CoreDataArchive
internal import CoreDataModel

/// Adds up, for each entity and each column of objects, how many values there are and how many bytes
/// they have.
final class ColumnSurvey: SurveyPart {
  /// The sums of one table.
  private struct Table {
    let attributes: [AttributeColumn]
    let fields: [FieldLayout]
    let visitor: Visitor
  }

  private var context: VerificationContext?
  private var tables: [Table] = []
  /// By the index of a table, its place here.
  private var positions: [Int: Int] = [:]

  func begin(_ context: VerificationContext) { self.context = context }

  // Of a table without rows an archive has nothing to be visited.
  func prepare() {
    guard let context else { return }
    for table in context.tables where table.shape.kind == .entity {
      let fields = table.shape.fields
      positions[table.index] = tables.count
      tables.append(
        Table(
          attributes: AttributeColumn.all(of: table, context.subject.model), fields: fields,
          visitor: Visitor(columnCount: fields.count, entityCount: context.entities.count)))
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    positions[table.index].map { tables[$0].visitor }
  }

  /// The bytes of the objects of each entity by name; those of an unknown one under an empty name.
  var entityByteCounts: [ExactString: Int] {
    var counts: [ExactString: Int] = [:]
    for table in tables {
      for (index, count) in table.visitor.entityBytes.enumerated() where count > 0 {
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
          valueCount: table.visitor.valueCounts[attribute.column],
          byteCount: table.visitor.valueBytes[attribute.column])
      }
    }
  }

  /// How many objects have a value in the column of a to-one relationship; nil where it has none.
  func valueCount(ofToOne name: String, entity: String) -> Int? {
    for table in tables {
      let column = table.fields.firstIndex { $0.role == .toOne(name: name, entity: entity) }
      if let column { return table.visitor.valueCounts[column] }
    }
    return nil
  }

  /// Adds up the rows of one table.
  private final class Visitor: RowVisitor {
    private(set) var valueCounts: [Int]
    private(set) var valueBytes: [Int]
    /// By the index of the entity, those of unknown ones last.
    private(set) var entityBytes: [Int]

    init(columnCount: Int, entityCount: Int) {
      valueCounts = [Int](repeating: 0, count: columnCount)
      valueBytes = [Int](repeating: 0, count: columnCount)
      entityBytes = [Int](repeating: 0, count: entityCount + 1)
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
    }
  }
}
