internal import CoreDataLayout
internal import CoreDataStore

/// Finds the values of rows that SQLite converts when it inserts them.
struct ConversionCheck {
  /// By column: the kinds of values that it may convert, as bits.
  private let suspects: ContiguousArray<UInt16>
  private let affinities: [ColumnAffinity]
  /// The columns of the primary key, or of the row number, and of the entity number.
  private let roles: (key: Int?, entityNumber: Int?)

  /// Prepares the check of a table whose columns have these types.
  init(_ shape: TableLayout, _ table: SchemaTable?) {
    affinities = shape.fields.map { field in
      table?.column(field.storedName).map { ColumnAffinity($0.declaredType) } ?? .blob
    }
    suspects = ContiguousArray(
      affinities.map { affinity in
        let kinds: [DecodedValue.Kind] =
          switch affinity {
          case .blob: []
          case .text: [.integer, .real]
          case .integer, .numeric: [.real, .text, .textElsewhere]
          case .real: [.integer, .text, .textElsewhere]
          }
        return kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
      })
    roles = (
      shape.fields.firstIndex { $0.role == .primaryKey }
        ?? (shape.hasRowNumbers ? shape.fields.count : nil),
      shape.fields.firstIndex { $0.role == .entityNumber }
    )
  }

  /// The values of the rows that SQLite converts, in their order.
  ///
  /// Costs a comparison for each value if there are none.
  func values(of decoded: DecodedRows) -> [ConvertedValue] {
    var found: [ConvertedValue] = []
    var row = 0
    // Later cells are of an earlier part.
    let end = Int(decoded.rows.last?.cellEnd ?? 0)
    for index in 0..<end {
      let cell = decoded.cells[index]
      let column = Int(cell.parameter) - 1
      guard suspects.indices.contains(column),
        suspects[column] & 1 << UInt16(cell.kind.rawValue) != 0,
        let value = Self.value(of: cell, decoded), affinities[column].converts(value)
      else { continue }
      while row < decoded.rows.count - 1, decoded.rows[row].cellEnd <= index { row += 1 }
      found.append(
        ConvertedValue(
          value: value, column: column, row: integer(roles.key, row, decoded),
          entityNumber: integer(roles.entityNumber, row, decoded)))
    }
    return found
  }

  private static func value(of cell: DecodedValue, _ decoded: DecodedRows) -> ConvertibleValue? {
    switch cell.kind {
    case .integer: .integer
    case .real: .real(Double(bitPattern: cell.bits))
    case .text, .textElsewhere:
      unsafe decoded.lendBytes(of: cell) { unsafe ConvertibleValue(text: $0) }
    default: nil
    }
  }

  private func integer(_ column: Int?, _ row: Int, _ decoded: DecodedRows) -> Int64 {
    guard let column else { return 0 }
    return decoded.cells[decoded.range(of: row)]
      .first { Int($0.parameter) == column + 1 && $0.kind == .integer }
      .map { Int64(bitPattern: $0.bits) } ?? 0
  }
}
