internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Reads the rows of chosen objects, and rows in between only if that is faster.
struct ChosenRows {
  let source: StoreRowSource
  let closure: ObjectClosure

  /// The number of keys requested at once.
  private static let batch = 1000
  /// The largest distance of two keys that are read with one statement.
  private static let farthest: Int64 = 32

  /// The tables of objects, with their indexes in the closure.
  var tables: [(index: Int, shape: TableLayout)] {
    closure.schema.tables.enumerated().compactMap { index, table in
      source.shapes.first {
        $0.kind == .entity && $0.storedName.hasSameBytes(as: table.tableName)
      }.map { (index, $0) }
    }
  }

  /// Passes on the rows of a table, each loaded, in the order of their keys.
  func forEach(of shape: TableLayout, table: Int, _ body: (StoreRows) throws -> Void) throws {
    guard let keyColumn = shape.fields.firstIndex(where: { $0.role == .primaryKey }) else { return }
    var last = Int64.min
    while true {
      let keys = try closure.keys(after: last, in: table, max: Self.batch)
      guard let end = keys.last else { return }
      var next = 0
      while next < keys.count {
        let first = next
        while next + 1 < keys.count,
          case let gap = keys[next + 1].subtractingReportingOverflow(keys[next]),
          !gap.overflow, gap.partialValue <= Self.farthest
        { next += 1 }
        var position = first
        try source.visitRows(of: shape, keys: keys[first]...keys[next]) { rows in
          guard let key = rows.row.integer(keyColumn) else { return true }
          while position < next, keys[position] < key { position += 1 }
          if keys[position] == key { try body(rows) }
          return true
        }
        next += 1
      }
      last = end
    }
  }
}
