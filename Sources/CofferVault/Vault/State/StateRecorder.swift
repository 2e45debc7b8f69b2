internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import POSIX

/// Writes a ``StateFile`` while the rows of a state are read, however many they are; the records of parts that
/// are not read come from the file of the state before.
///
/// If nothing has changed, that file stays, and a ``StateContinuation`` is written.
final class StateRecorder: RowWitness {
  private let documents: ChangesDescription
  private var description: StateDescription
  private let path: String
  /// The file; nil as long as nothing has to be written.
  private var descriptor: Int32?
  /// Whether the state is the one before, whose file stays.
  private(set) var isUnchanged: Bool
  private var buffer: ContiguousArray<UInt8> = []
  /// The digest of the data after the records.
  private var hasher: ContentHasher?
  private let kept: KeptParts?
  private let look: PageLook?
  /// The folders of the tables in an archive.
  private var folders: [Name: String] = [:]
  /// The stretch that is being read.
  private var open: (table: Name, old: Range<Int>, start: Int)?
  /// By table, the parts that were read, and the old parts that they replace; none for a kept table.
  private(set) var stretches: [Name: [(old: Range<Int>, new: Range<Int>)]] = [:]
  /// Why the file could not be written.
  private var failure: CofferError?

  /// The number of bytes at which the buffer is written.
  private static let bufferSize = 1 << 16

  /// Creates the file, for this user only.
  ///
  /// Without kept parts, all rows are read.
  init(
    at path: String, _ documents: ChangesDescription, _ look: PageLook? = nil,
    kept: KeptParts? = nil
  ) throws(CofferError) {
    self.path = path
    (self.look, self.kept) = (look, kept)
    self.documents = documents
    description = StateDescription(documents)
    description.lacksFiles = look == nil
    isUnchanged =
      kept?.isComplete == true && kept?.base.seal != nil && look?.pages == kept?.base.pages
    if !isUnchanged { try create() }
  }

  deinit { if let descriptor { FileIO.close(descriptor) } }

  private func create() throws(CofferError) {
    do throws(SystemError) {
      descriptor = try FileIO.create(path, mode: 0o600)
    } catch {
      throw Self.failure(path, error)
    }
  }

  // MARK: Rows

  func columns(of shape: TableLayout) -> [Int] { Self.columns(of: shape, documents) }

  /// The columns whose integers are in the records of a table: the key's columns, and the entity's.
  static func columns(of shape: TableLayout, _ documents: ChangesDescription) -> [Int] {
    let key = KeyRule(shape, schema: documents.schema).columns
    guard !key.isEmpty, shape.kind == .entity,
      documents.layout.entities.lineages(below: shape.entityName).count > 1,
      let entity = shape.fields.firstIndex(where: { $0.role == .entityNumber })
    else { return key }
    return key + [entity]
  }

  func take(_ records: RowRecords, of shape: TableLayout) {
    // The keys of rows have to be integers.
    if records.lacksIntegers { description.isComparable = false }
    let count = columns(of: shape).count
    let size = RowRecords.size(integers: count)
    let rowCount = records.bytes.count / size
    guard rowCount > 0 else { return }
    let (digest, first, last) = unsafe records.bytes.withUnsafeBytes { bytes in
      func integer(_ row: Int) -> Int64 {
        unsafe Int64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: row * size, as: Int64.self))
      }
      return (unsafe PageDigest(of: bytes), integer(0), integer(rowCount - 1))
    }
    add(
      [
        StatePart(
          rowCount: rowCount, digest: digest, keys: count > 0 && first <= last ? first...last : nil,
          refersToFiles: records.refersToFiles)
      ], integerCount: count, of: shape)
    buffer += records.bytes
    if buffer.count >= Self.bufferSize { write() }
  }

  func segments(of source: TableSource) -> [TableSegment]? {
    kept?.tables[Name(source.shape.storedName)]?.segments
  }

  func begin(segment: Int, of shape: TableLayout) throws {
    let name = Name(shape.storedName)
    guard let kept, let table = kept.tables[name], table.old.indices.contains(segment) else {
      throw KeptPartsMismatch()
    }
    endStretch()
    if segment == 0 { stretches[name] = [] }
    let old = table.old[segment]
    guard case .kept = table.segments[segment] else {
      return open = (name, old, partCount(of: name))
    }
    let parts = kept.base.description.tables.first { $0.name == name }?.parts ?? []
    add(
      Array(parts[old.clamped(to: parts.indices)]), integerCount: columns(of: shape).count,
      of: shape)
    write()
    if !isUnchanged { try copyRecords(of: name, in: old, from: kept.base) }
  }

  private func copyRecords(
    of table: Name, in parts: Range<Int>, from base: StateFile
  ) throws(CofferError) {
    try base.copyRecords(of: table.text, in: parts) { bytes throws(CofferError) in
      write(bytes)
      if let failure { throw failure }
    }
  }

  func digest(ofFile name: String, _ identity: [Int64]?) -> ArchiveDigest? {
    guard let identity else { return nil }
    let name = Name(name)
    description.fileIdentities[name] = identity
    guard let before = kept?.base.description, before.fileIdentities[name] == identity else {
      return nil
    }
    return before.files[name]
  }

  func noteMissingFile() { description.lacksFiles = true }

  private func add(_ parts: [StatePart], integerCount: Int, of shape: TableLayout) {
    let name = Name(shape.storedName)
    guard !parts.isEmpty else { return }
    if description.tables.last?.name != name {
      description.tables.append(.init(name: name, integerCount: integerCount, rowCount: 0))
      folders[name] = shape.folder
    }
    let last = description.tables.count - 1
    description.tables[last].rowCount += parts.reduce(0) { $0 + $1.rowCount }
    description.tables[last].parts += parts
  }

  /// The number of parts of a table so far.
  private func partCount(of name: Name) -> Int {
    description.tables.last { $0.name == name }?.parts.count ?? 0
  }

  private func endStretch() {
    guard let (table, old, start) = open else { return }
    stretches[table, default: []].append((old, start..<max(start, partCount(of: table))))
    open = nil
  }

  /// Ends the rows, and returns the state, whose file is not complete yet.
  func finish(_ index: ArchiveIndex) throws(CofferError) -> StateFile {
    endStretch()
    write()
    if let failure { throw failure }
    description.state.digest = index.contentDigest.hex
    noteEntries(index)
    if let look, let pages = look.pages {
      description.pages = StatePages(pages, key: look.key, look.identity)
    }
    for entry in index.entries
    where ExternalEntryName.isFile(entry.name)
      && ExternalEntryName.components(of: entry.name) != nil
    { description.files[Name(entry.name)] = entry.digest }
    description.fileIdentities = description.fileIdentities.filter {
      description.files[$0.key] != nil
    }
    if let before = kept?.base.description, !description.hasFiles(of: before) {
      description.lacksFiles = true
    }
    if isUnchanged, let base = kept?.base {
      if description.isSame(as: base.description) { return StateFile(base, as: description) }
      isUnchanged = false
      try create()
      for table in description.tables {
        try copyRecords(of: table.name, in: table.parts.indices, from: base)
      }
    }
    do throws(SystemError) {
      return StateFile(try FileIO.open(path), description, look?.pages)
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Notes the entries of the parts in tables of which some were read.
  private func noteEntries(_ index: ArchiveIndex) {
    var entries: [String: [Int: [KeptPart.Entry]]] = [:]
    let read = description.tables.filter { $0.parts.contains(where: \.entries.isEmpty) }
      .compactMap { folders[$0.name] }
    for entry in index.entries where read.contains(where: { entry.name.utf8.starts(with: $0.utf8) })
    {
      guard let name = NumberedEntryName(entry.name) else { continue }
      entries[name.folder, default: [:]][name.number, default: []].append(
        KeptPart.Entry(ending: name.ending, size: entry.size, digest: entry.digest))
    }
    for table in description.tables.indices {
      let found = folders[description.tables[table].name].flatMap { entries[$0] } ?? [:]
      guard found.count == description.tables[table].parts.count else { continue }
      for part in description.tables[table].parts.indices {
        description.tables[table].parts[part].entries = found[part] ?? []
      }
    }
  }

  /// Completes the file, once a backup of the state exists.
  func complete(
    _ origin: StateDescription.Origin, uncomparedCount: Int = 0
  ) throws(CofferError) {
    description.origin = origin
    description.uncomparedCount = uncomparedCount
    if isUnchanged, let seal = kept?.base.seal {
      try create()
      let later = StateContinuation(
        seal: seal, backup: origin.backup, uncomparedCount: uncomparedCount,
        look?.identity)
      write(later.encoded.bytes(layout: .compact))
      if let failure { throw failure }
      return
    }
    let text = description.encoded.bytes(layout: .compact)
    hasher = ContentHasher()
    let bytes = look?.pages?.bytes ?? []
    write(bytes)
    buffer += text
    for length in [text.count, bytes.count + text.count + StateFile.lengthSize] {
      for shift in 0..<StateFile.lengthSize {
        buffer.append(UInt8(truncatingIfNeeded: length >> (8 * shift)))
      }
    }
    write()
    let digest = hasher?.digest.hex ?? ""
    write(Array(digest.utf8))
    if let failure { throw failure }
  }

  private func write() {
    write(Array(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes bytes.
  ///
  /// A failure to write them is reported at the end: a backup does not need the file.
  private func write(_ bytes: [UInt8]) {
    guard failure == nil, let descriptor else { return }
    unsafe bytes.withUnsafeBytes { unsafe hasher?.update($0) }
    do throws(SystemError) {
      try FileBytes.write(bytes, to: descriptor)
    } catch {
      failure = Self.failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> CofferError {
    CofferError(.temporaryStorageFailed, path: path, detail: error.text)
  }
}
