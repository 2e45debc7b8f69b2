internal import CoreDataLayout
internal import CoreDataModel

/// Gives roles to the columns of one table; each column gets at most one.
struct ColumnMatcher {
  private let table: SchemaTable
  private var positions: [SchemaName: Int] = [:]
  private var roles: [FieldRole?]

  init(_ table: SchemaTable) {
    self.table = table
    roles = Array(repeating: nil, count: table.columns.count)
    for (position, column) in table.columns.enumerated() where !column.isGenerated {
      positions[SchemaName(column.name)] = position
    }
  }

  /// The columns that can be written, with the roles that they got.
  var columns: [FieldLayout] {
    zip(table.columns, roles).filter { !$0.0.isGenerated }.map { column, role in
      FieldLayout(storedName: column.name, role: role ?? .plain)
    }
  }

  /// The columns whose values are computed from others.
  var generatedColumns: [String] { table.columns.filter(\.isGenerated).map(\.name) }

  /// The columns that every table of entities has.
  static let systemColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Gives the columns that every table of entities has their roles.
  ///
  /// - Returns: the version column if it is missing. Without the other columns, it is not such a
  ///   table.
  mutating func takeSystemColumns(of root: Name) -> MissingPart? {
    take("Z_PK", as: .primaryKey)
    take("Z_ENT", as: .entityNumber)
    return take("Z_OPT", as: .version)
      ? nil
      : MissingPart(kind: .systemColumn, entity: root, property: nil, expectedName: "Z_OPT")
  }

  func hasRole(_ name: String) -> Bool {
    positions[SchemaName(name)].map { roles[$0] != nil } ?? false
  }

  /// Gives a role to the column of that name; false when there is none or it has one.
  @discardableResult
  mutating func take(_ name: String, as role: FieldRole) -> Bool {
    guard let position = positions[SchemaName(name)], roles[position] == nil else { return false }
    roles[position] = role
    return true
  }

  /// Finds the expected columns, and reports missing ones.
  ///
  /// A column that has no meaning without another is neither taken nor reported without it.
  mutating func match(_ expected: [ExpectedColumn]) -> [MissingPart] {
    var names: [String?] = Array(repeating: nil, count: expected.count)
    for (index, column) in expected.enumerated() where column.parent == nil {
      if take(column.name, as: column.role) { names[index] = column.name }
    }
    matchRenumbered(expected, &names) { $0.parent == nil }
    for (index, column) in expected.enumerated() {
      guard let parent = column.parent, let parentName = names[parent] else { continue }
      let name = Self.name(of: column, below: parentName, expected[parent])
      if take(name, as: column.role) { names[index] = name }
    }
    let found = names
    matchRenumbered(expected, &names) { column in
      column.parent.map { found[$0] != nil } ?? false
    }
    var missing: [MissingPart] = []
    for (index, column) in expected.enumerated() where names[index] == nil {
      if let parent = column.parent, names[parent] == nil { continue }
      missing.append(
        MissingPart(
          kind: column.missing, entity: column.entity, property: column.property,
          expectedName: column.name))
    }
    return missing
  }

  /// The name of a dependent column; an order column follows the actual name of its owner column.
  private static func name(
    of column: ExpectedColumn, below parentName: String, _ parent: ExpectedColumn
  ) -> String {
    guard case .ownerOrder = column.role, !parentName.hasSameBytes(as: parent.name) else {
      return column.name
    }
    return "Z_FOK_" + parentName.droppingScalars(1)
  }

  /// Looks for columns with another entity number than in the store's registry.
  private mutating func matchRenumbered(
    _ expected: [ExpectedColumn], _ names: inout [String?], _ isOpen: (ExpectedColumn) -> Bool
  ) {
    var open: [SchemaName: [Int]] = [:]
    for (index, column) in expected.enumerated() where names[index] == nil && isOpen(column) {
      if let rest = column.afterNumber { open[SchemaName(rest), default: []].append(index) }
    }
    guard !open.isEmpty else { return }
    var candidates: [SchemaName: [Int]] = [:]
    for (position, column) in table.columns.enumerated()
    where roles[position] == nil && !column.isGenerated {
      guard let numbered = NumberedName(column.name, prefix: "Z") else { continue }
      candidates[SchemaName(numbered.rest), default: []].append(position)
    }
    for (rest, indexes) in open {
      guard indexes.count == 1, let index = indexes.first, let positions = candidates[rest],
        positions.count == 1, let position = positions.first
      else { continue }
      roles[position] = expected[index].role
      names[index] = table.columns[position].name
    }
  }
}
