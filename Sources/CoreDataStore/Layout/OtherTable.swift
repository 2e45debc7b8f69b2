package import CoreDataLayout

/// A table that holds no objects and no relationships of the model.
package struct OtherTable: Sendable, Equatable {
  /// The name of the table.
  package var name: String
  /// The content.
  package var kind: TableLayout.Kind
  /// Whether it has its own rows, or belongs to a virtual table.
  package var form: SchemaTable.Kind

  /// Whether it is one of SQLite's own.
  package var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}

extension OtherTable {
  /// Names a table that the model does not explain.
  ///
  /// Source of the names: store-format, sections 1, 2.5 and 7.
  init(_ table: SchemaTable, registry: EntityRegistry) {
    self.init(name: table.name, kind: Self.kind(of: table, registry), form: table.kind)
  }

  private static func kind(of table: SchemaTable, _ registry: EntityRegistry) -> TableLayout.Kind {
    guard table.kind == .ordinary else { return .unknown }
    let name = table.name.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
    if name.starts(with: "SQLITE_".utf8) { return .system }
    if let kind = fixedKinds[String(decoding: name, as: UTF8.self)] { return kind }
    if name.starts(with: "ANSCK".utf8) { return .cloudKit }
    // Only a name that is written in capitals is the system's: an app may have a table Accounts.
    if isSystemName(table.name) { return .system }
    let isOfSystemEntity = registry.systemRows.contains {
      SchemaName(StoredName.systemTable(ofEntity: $0.name)) == SchemaName(table.name)
    }
    return isOfSystemEntity ? .system : .unknown
  }

  private static let fixedKinds: [String: TableLayout.Kind] = [
    "Z_METADATA": .metadata, "Z_PRIMARYKEY": .primaryKeys, "Z_MODELCACHE": .modelCache,
    "ACHANGE": .history, "ATRANSACTION": .history, "ATRANSACTIONSTRING": .history,
  ]

  /// Whether a name is `A` with capitals, or a join table of a system entity.
  private static func isSystemName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    if let numbered = NumberedName(name, prefix: "Z_") ?? NumberedName(name, prefix: "A_") {
      return numbered.number >= EntityRegistry.firstSystemNumber
    }
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "A"), (0x41...0x5A).contains(bytes[1]) else {
      return false
    }
    return bytes.allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}
