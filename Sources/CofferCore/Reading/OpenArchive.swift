package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import Synchronization

/// A fingerprint that is equal for archives with the same content, if their indexes can be trusted.
package struct ArchiveFingerprint: Equatable {
  /// The content digest.
  package var content: ArchiveDigest
  /// The digests of the documents that describe the meaning of the content; nil for a missing one.
  var documents: [ArchiveDigest?]
  /// The UUID of the store, in case that no table has it.
  var storeUUID: Name?
}

/// An open archive file with its documents, whose parts can be read in any order.
package struct OpenArchive {
  /// The entries of one part of a table.
  package struct Part {
    /// The folder and the number, such as `entities/Person/00003`.
    package var stem: String
    /// The lines.
    package var lines: ArchiveIndex.Entry
    /// Whether there are out-of-line values.
    package var hasBlobs: Bool
  }

  package let path: String
  package let file: ArchiveFile
  package let documents: ArchiveDocuments
  /// The short lines of the parts that were read.
  let shortLines = ShortLineCount()
  private let partsByFolder: [Name: [Part]]

  /// Opens an archive of a kind and reads its documents.
  package init(
    path: String, environment: WorkEnvironment, kind: ArchiveManifest.Kind = .store
  ) throws(CofferError) {
    self.path = path
    file = try ArchiveFile(path: path, options: environment.readerOptions())
    var texts: [String: ContiguousArray<UInt8>] = [:]
    for name in ArchiveDocuments.names where file.index[name] != nil {
      texts[name] = try file.read(name, limit: .documentSize)
    }
    documents = try ArchiveDocuments(texts, path: path, limits: file.limits, kind: kind)
    var parts: [Name: [Part]] = [:]
    for entry in file.index.entries {
      guard let name = PartEntryName(entry.name), name.ending == "ndjson" else { continue }
      let part = Part(
        stem: name.stem, lines: entry, hasBlobs: file.index[name.stem + ".blobs"] != nil)
      parts[Name(name.folder), default: []].append(part)
    }
    partsByFolder = parts
  }

  /// The parts of a table in order; empty for a table without rows.
  package func parts(of shape: TableLayout) -> [Part] { partsByFolder[Name(shape.folder)] ?? [] }

  /// The parts of a table that can have rows with some primary keys; all for nil.
  package func parts(of shape: TableLayout, with keys: ClosedRange<Int64>?) -> [Part] {
    guard let keys else { return parts(of: shape) }
    return parts(of: shape).filter { part in
      guard let first = part.lines.attributes.firstKey,
        let last = part.lines.attributes.lastKey, first <= last
      else { return true }
      return keys.overlaps(first...last)
    }
  }

  func digests(of shape: TableLayout) -> [Name: ArchiveDigest] {
    let folder = Name(shape.folder)
    let entries = file.index.entries(beginningWith: "\(shape.folder)/")
      .filter { PartEntryName($0.name).map { Name($0.folder) } == folder }
    return Dictionary(uniqueKeysWithValues: entries.map { (Name($0.name), $0.digest) })
  }

  /// The index's information about the archive as a whole.
  package var fingerprint: ArchiveFingerprint {
    ArchiveFingerprint(
      content: file.index.contentDigest,
      documents: [ArchiveEntryName.model, ArchiveEntryName.schema, ArchiveEntryName.layout]
        .map { file.index[$0]?.digest },
      storeUUID: documents.manifest.storeUUID.map { Name($0) })
  }

  /// The size of the file in bytes; throws `read-failed`.
  package func byteCount() throws(CofferError) -> Int {
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: (path as NSString).resolvingSymlinksInPath)
      return (attributes[.size] as? NSNumber)?.intValue ?? 0
    } catch {
      throw CofferError(
        .readFailed, path: path, detail: "its size cannot be determined",
        advice: "Check the disk and its connection, then try again.")
    }
  }

  /// The number of objects of each entity in a table, according to the index.
  func objectCounts(of shape: TableLayout) -> [Name: Int] {
    var counts: [Name: Int] = [:]
    for part in parts(of: shape) {
      for (name, count) in part.lines.attributes.objects {
        counts[name] = counts[name, default: 0].addingReportingOverflow(count).partialValue
      }
    }
    return counts
  }

  /// The number of objects in a table, according to the index.
  func objectCount(of shape: TableLayout) -> Int {
    objectCounts(of: shape).values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  /// The number of rows in a table without objects, according to the index.
  func rowCount(of shape: TableLayout) -> Int {
    parts(of: shape).reduce(0) {
      $0.addingReportingOverflow($1.lines.attributes.rows ?? 0).partialValue
    }
  }

  /// The store metadata; empty if the archive has none.
  func metadata() throws -> StoreMetadata {
    try metadata { ArchiveRows($0, of: self, parts(of: $0)[...], loadsOutOfLineValues: true) }
  }

  /// The store metadata in a table that is read in some way.
  package func metadata(_ read: (TableLayout) throws -> some RowCursor) throws -> StoreMetadata {
    let shape = documents.layout.tables.first { $0.kind == .metadata }
    guard let shape, case let rows = try read(shape), try rows.next() else {
      return StoreMetadata(version: nil, uuid: documents.manifest.storeUUID, propertyList: [])
    }
    func value(_ name: String) -> SQLiteValue {
      shape.fields.firstIndex { $0.storedName == name }.map(rows.row.value) ?? .null
    }
    return StoreMetadata(
      version: value(StoredName.metadataVersion).integer, uuid: value(StoredName.storeUUID).string,
      propertyList: value(StoredName.metadata).blob ?? [])
  }

  /// The files of the support folder, in the order of the archive.
  package var files: [(components: [String], entry: ArchiveIndex.Entry)] {
    file.index.entries.compactMap { entry in
      ExternalEntryName.components(of: entry.name).map { ($0, entry) }
    }
  }
}

/// The number of short lines in parts that may be read more than once.
final class ShortLineCount: Sendable {
  private let counted = Mutex<(count: Int, entries: Set<Name>)>((0, []))

  /// Adds the short lines of an entry, unless they were counted.
  ///
  /// - Returns: how many there are in all entries so far.
  func add(_ count: Int, of entry: String) -> Int {
    guard count > 0 else { return 0 }
    return counted.withLock { counted in
      if counted.entries.insert(Name(entry)).inserted { counted.count += count }
      return counted.count
    }
  }
}
