package import CofferCore
package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// The last state of a chain; only the requested rows are composed.
///
/// Only the parts of the full archive that can hold the rows are read, and the changes of their tables.
/// Each entry is checked by its digest and each change by the values that it begins with, but not the content
/// digest of the whole state.
package struct ChainSource: RowSource {
  private let full: OpenArchive
  private let changes: ChangesConcatenation?
  private let description: ChangesDescription
  private let readFile: BackupChain.FileReader?
  private let loadsOutOfLineValues: Bool
  package let path: String
  private let layout: LayoutDocument
  private let support: ChainSupport

  init(
    _ full: OpenArchive, _ changes: ChangesConcatenation?, _ description: ChangesDescription,
    _ readFile: BackupChain.FileReader?, path: String, loadsOutOfLineValues: Bool
  ) {
    (self.full, self.changes, self.readFile) = (full, changes, readFile)
    self.description = description
    self.path = path
    self.loadsOutOfLineValues = loadsOutOfLineValues
    layout = description.stateLayout
    support = ChainSupport(of: full, changes)
  }

  package var kind: SourceKind { .archive }
  package var model: ManagedObjectModel { description.model }
  package var schema: SchemaDocument { description.schema }
  package var shapes: [TableLayout] { layout.tables }
  package var entities: NumberedEntities { layout.entities }
  package var fingerprint: ArchiveFingerprint? { nil }

  package func metadata() throws -> StoreMetadata {
    try full.metadata { shape in
      try ChainRows(shape, of: full, changes, ChainRows.Options(loadsOutOfLineValues: true))
    }
  }

  package func estimatedRowCount(of shape: TableLayout) -> Int? {
    ArchiveRowSource(full).estimatedRowCount(of: full.table(as: shape))
  }

  package func digests(of shape: TableLayout) -> [Name: ArchiveDigest]? { nil }

  package func rows(
    of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?, filter: RowFilter?
  ) throws -> ChainRows {
    try ChainRows(
      full.table(as: shape), into: row, of: full, changes,
      ChainRows.Options(keys: keys, loadsOutOfLineValues: loadsOutOfLineValues))
  }

  package func files() throws -> [SupportFolder.File] {
    try support.files().values.map {
      SupportFolder.File(components: $0.components, size: $0.size)
    }
  }

  package func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    guard let found = try support.find(file) else { return false }
    try unsafe found.read(in: full, readFile, body)
    return true
  }

  package func digest(of file: SupportFolder.File) throws -> ArchiveDigest {
    guard let found = try support.find(file) else {
      throw CofferError(
        .missingEntry, path: path, entry: ExternalEntryName.entry(for: file.components), detail: "")
    }
    return found.digest
  }

  package func requireUnchanged() {}
}

/// The files of the support folder, which are listed on the first use.
private final class ChainSupport {
  private let full: OpenArchive
  private let changes: ChangesConcatenation?
  private var known: [Name: ChainFile]?

  init(of full: OpenArchive, _ changes: ChangesConcatenation?) {
    (self.full, self.changes) = (full, changes)
  }

  func files() throws(CofferError) -> [Name: ChainFile] {
    if let known { return known }
    let all = try ChainFile.all(of: full, changes)
    let files = Dictionary(all.map { (Self.name($0.components), $0) }) { first, _ in first }
    known = files
    return files
  }

  func find(_ file: SupportFolder.File) throws(CofferError) -> ChainFile? {
    try files()[Self.name(file.components)]
  }

  private static func name(_ components: [String]) -> Name {
    Name(components.joined(separator: "/"))
  }
}
