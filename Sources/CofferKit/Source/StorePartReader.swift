internal import CoreDataArchive
internal import CoreDataStore

/// Gives a table of a store in the parts that an export would write.
final class StorePartReader: PartReader {
  private var table: TableEncoder
  private(set) var lines: ContiguousArray<UInt8> = []
  private(set) var blobs: ContiguousArray<UInt8> = []

  init(
    _ source: TableSource, entities: ArchiveEntities, database: SQLiteDatabase
  ) throws(StoreError) {
    table = try TableEncoder(source, entities: entities, database: database)
  }

  var hasValuesElsewhere: Bool { !blobs.isEmpty || !table.largeValues.isEmpty }
  var place: String { table.partName }

  func nextPart() throws -> Bool {
    lines.removeAll(keepingCapacity: true)
    blobs.removeAll(keepingCapacity: true)
    guard try table.nextPart(progress: { _ in }) else { return false }
    unsafe table.encoder.lines.withUnsafeBytes { unsafe lines.append(contentsOf: $0) }
    unsafe table.encoder.blobs.withUnsafeBytes { unsafe blobs.append(contentsOf: $0) }
    return true
  }

  func hasValue(named name: String) -> Bool {
    table.largeValues.contains { $0.name == name }
  }

  func digest(ofValue name: String) throws -> ArchiveDigest {
    guard let value = table.largeValues.first(where: { $0.name == name }) else {
      throw ArchiveError(.missingEntry, entry: name, detail: "")
    }
    var hasher = ContentHasher()
    unsafe try table.read(value) { unsafe hasher.update($0) }
    return hasher.digest
  }
}
