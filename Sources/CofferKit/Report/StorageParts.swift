internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Determines how the bytes of a file are used.
struct StorageParts {
  private var parts: [StoragePart] = []
  private var positions: [ExactString: Int] = [:]

  /// The parts, largest first.
  private var sorted: [StoragePart] {
    parts.sorted { left, right in
      left.storedByteCount != right.storedByteCount
        ? left.storedByteCount > right.storedByteCount : codeUnitsAscend(left.name, right.name)
    }
  }

  /// The parts of a store; empty if SQLite cannot tell.
  static func of(_ store: PersistentStore) throws -> [StoragePart] {
    let shapes = StoreTables(store).sources.map(\.shape)
    let known = Dictionary(shapes.map { (ExactString($0.storedName), $0) }) { first, _ in first }
    let usage = try store.use { database in try PageUsage(database) }
    var gathered = StorageParts()
    for tree in usage?.trees ?? [] {
      let (kind, name) = naming(known[tree.tableName], tree.tableName)
      gathered.add(
        StoragePart(
          kind: kind, name: name, storedByteCount: tree.byteCount,
          indexByteCount: tree.isIndex ? tree.byteCount : 0, plainByteCount: nil))
    }
    return gathered.sorted
  }

  /// The parts of an archive, according to its index.
  static func of(_ archive: OpenArchive) -> [StoragePart] {
    let shapes = archive.documents.layout.tables
    let known = Dictionary(shapes.map { ($0.folder, $0) }) { first, _ in first }
    var gathered = StorageParts()
    for entry in archive.file.index.entries {
      var (kind, name) = (StoragePart.Kind.administration, entry.name)
      if ExternalEntryName.isFile(entry.name) {
        (kind, name) = (.externalData, "external data")
      } else if let part = PartEntryName(entry.name), let shape = known[part.folder] {
        (kind, name) = naming(shape, shape.storedName)
      }
      gathered.add(
        StoragePart(
          kind: kind, name: name, storedByteCount: entry.compressedSize, indexByteCount: nil,
          plainByteCount: entry.size))
    }
    return gathered.sorted
  }

  /// The content of a table, and its name for people.
  private static func naming(
    _ shape: TableLayout?, _ table: String
  ) -> (StoragePart.Kind, String) {
    guard let shape else { return (table == "sqlite_schema" ? .administration : .unknown, table) }
    switch shape.kind {
    case .entity: return (.objects, shape.entityName ?? table)
    case .relationship:
      return (.pairs, "\(shape.entityName ?? "").\(shape.relationshipName ?? "")")
    case .history: return (.history, table)
    case .cloudKit: return (.cloudKit, table)
    case .unknown: return (.unknown, table)
    default: return (.administration, table)
    }
  }

  private mutating func add(_ part: StoragePart) {
    let key = "\(part.kind.rawValue)/\(part.name)"
    guard let position = positions[key] else {
      positions[key] = parts.count
      parts.append(part)
      return
    }
    func sum(_ one: Int, _ other: Int) -> Int { one.addingReportingOverflow(other).partialValue }
    parts[position].storedByteCount = sum(parts[position].storedByteCount, part.storedByteCount)
    if let count = part.indexByteCount {
      parts[position].indexByteCount = sum(parts[position].indexByteCount ?? 0, count)
    }
    if let count = part.plainByteCount {
      parts[position].plainByteCount = sum(parts[position].plainByteCount ?? 0, count)
    }
  }
}
