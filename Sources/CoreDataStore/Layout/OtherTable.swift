/// A table that holds no objects and no relationships of the model.
package struct OtherTable: Sendable, Equatable {
  /// The kinds of content.
  package enum Kind: Sendable, Hashable {
    /// Core Data's own administration: Z_METADATA, Z_PRIMARYKEY, Z_MODELCACHE.
    case metadata
    /// The persistent history.
    case history
    /// The state of CloudKit mirroring.
    case cloudKit
    /// Something else of the system's.
    case system
    /// Something of SQLite's.
    case sqlite
    /// The content of a virtual table of a module.
    case virtual(module: String)
    /// The content of the virtual table of that name.
    case shadow(of: String)
    /// Nothing that is known: the app's own, or left over.
    case unknown
  }

  /// The name of the table.
  package var name: String
  /// The kind of content.
  package var kind: Kind

  /// Whether it is the table of the entities' numbers and the counters of primary keys.
  package var holdsCounters: Bool { SchemaName(name) == SchemaName("Z_PRIMARYKEY") }
  /// Whether it is the table with the store's own copy of the model.
  package var holdsModel: Bool { SchemaName(name) == SchemaName("Z_MODELCACHE") }
}

extension OtherTable {
  /// Names a table that the model does not explain.
  ///
  /// Source of the names: store-format, sections 1, 2.5 and 7.
  init(_ table: SchemaTable, registry: EntityRegistry) {
    self.init(name: table.name, kind: Self.kind(of: table, registry))
  }

  private static func kind(of table: SchemaTable, _ registry: EntityRegistry) -> Kind {
    switch table.kind {
    case .virtual(let module): return .virtual(module: module)
    case .shadow(let owner): return .shadow(of: owner)
    case .ordinary: break
    }
    let name = table.name.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
    if name.starts(with: "SQLITE_".utf8) { return .sqlite }
    if let kind = fixedKinds[String(decoding: name, as: UTF8.self)] { return kind }
    if name.starts(with: "ANSCK".utf8) { return .cloudKit }
    // Only a name that is written in capitals is the system's: an app may have a table Accounts.
    if isSystemName(table.name) { return .system }
    let isOfSystemEntity = registry.systemRows.contains {
      SchemaName(StoredName.systemTable(ofEntity: $0.name)) == SchemaName(table.name)
    }
    return isOfSystemEntity ? .system : .unknown
  }

  private static let fixedKinds: [String: Kind] = [
    "Z_METADATA": .metadata, "Z_PRIMARYKEY": .metadata, "Z_MODELCACHE": .metadata,
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
