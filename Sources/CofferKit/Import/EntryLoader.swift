internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Takes the entries of an archive one by one and puts each in its place.
struct EntryLoader {
  private let reader: ArchiveReader
  private let archive: String
  private let documents: ArchiveDocuments
  private let database: SQLiteDatabase
  private let files: SupportFolderWriter
  private let options: ImportOptions
  private let progress: any ProgressReporter
  private let rows: RowProgress
  private let shapes: [String: TableLayout]
  private let salvage: Salvage?

  private var current: TableLoading?
  private var blobs = PartBlobs.empty
  private var blobsName = ""
  private var ahead: ParallelLineDecoder
  /// The table whose lines are being read, which are ahead of the rows.
  private var reading: (folder: String, lineReader: LineReader)?
  /// Whether rows could not be inserted, so that none that wait are.
  private var isBroken = false
  private let watch: ReferencePrefilter?
  private var pending: [String: PendingValue] = [:]
  private var references: [(table: TableLayout, reference: ExternalReference)] = []
  private var fileNames: Set<String> = []
  private var finished: Set<String> = []

  /// That the archive was made from a damaged store; nil where it does not say so.
  private(set) var salvageFinding: Finding?
  /// How many rows of which kind were restored.
  private(set) var counts = ImportRun.RowCounts()

  init(
    reader: ArchiveReader, archive: String, documents: ArchiveDocuments, database: SQLiteDatabase,
    files: SupportFolderWriter, options: ImportOptions, objectTotal: Int?,
    progress: any ProgressReporter, watch: ReferencePrefilter?, salvage: Salvage? = nil
  ) {
    self.salvage = salvage
    self.watch = watch
    ahead = ParallelLineDecoder(limits: reader.limits, isTolerant: salvage != nil)
    self.reader = reader
    self.archive = archive
    self.documents = documents
    self.database = database
    self.files = files
    self.options = options
    self.progress = progress
    rows = RowProgress(
      progress, objectTotal: objectTotal, bytes: { reader.plainByteCount })
    shapes = Dictionary(documents.layout.tables.map { ($0.folder, $0) }) { first, _ in first }
  }

  /// Loads an entry; entries of kinds that this version does not know are passed over.
  ///
  /// The rows of the entries that came last may still have to be inserted then.
  mutating func load(_ entry: ArchiveEntryHeader) throws {
    try completing { loader in
      let name = PartEntryName(entry.name)
      let shape = name.flatMap { loader.shapes[$0.folder] }
      guard let name, let shape, name.isBlobs || name.isLines else {
        try loader.insertRest()
        return try loader.loadOther(entry, shape)
      }
      if name.isLines { return try loader.loadLines(entry, name, shape) }
      while !loader.ahead.hasRoom(forBlobs: entry.size) { try loader.insertNext() }
      loader.blobs = PartBlobs(try loader.reader.readWhole())
      loader.blobsName = name.stem
    }
  }

  /// Inserts what waits when the entry after it could not be read: what comes first in the archive
  /// comes first to light, and what is wrong with it.
  mutating func completing<Result>(
    _ body: (inout EntryLoader) throws -> Result
  ) throws -> Result {
    do {
      return try body(&self)
    } catch {
      if !isBroken { try insertRest() }
      throw error
    }
  }

  private mutating func loadOther(_ entry: ArchiveEntryHeader, _ shape: TableLayout?) throws {
    if ExternalEntryName.isFile(entry.name) {
      guard let components = ExternalEntryName.components(of: entry.name) else {
        throw failure(entry.name, "its name is not one that a file of a support folder has")
      }
      return try loadFile(components, entry)
    }
    if entry.name == ArchiveEntryName.salvage {
      salvageFinding = SalvageFinding.finding(try reader.readWhole())
      return
    }
    guard let shape, let value = pending.removeValue(forKey: entry.name) else { return }
    try loadValue(value, entry, shape)
  }

  private mutating func loadLines(
    _ entry: ArchiveEntryHeader, _ name: PartEntryName, _ shape: TableLayout
  ) throws {
    if blobsName != name.stem { blobs = .empty }
    try reader.requireWithin(.partSize)
    guard try isWanted(shape) else { return }
    if reading?.folder != shape.folder {
      guard finished.insert(shape.folder).inserted else {
        throw failure(entry.name, "the parts of a table do not stand together")
      }
      reading = (shape.folder, LineReader(shape, entities: documents.layout.entities))
    }
    guard let lineReader = reading?.lineReader else { return }
    var left = entry.size
    var piece = ParallelLineDecoder.Piece(shape, entry: entry.name, isFirst: true)
    while true {
      while ahead.isFull { try insertNext() }
      guard try ahead.read(reader, left: &left, piece, lineReader, blobs) else { break }
      piece.isFirst = false
    }
    blobs = .empty
  }

  /// Inserts all rows that wait.
  private mutating func insertRest() throws {
    while ahead.next != nil { try insertNext() }
  }

  /// Inserts the rows of the piece that was read first.
  private mutating func insertNext() throws {
    guard let piece = ahead.next else { return }
    isBroken = true
    if piece.isFirst { try begin(piece) }
    guard let current else { return }
    try ahead.takeNext { rows in try current.loader.insert(rows, entry: piece.entry) }
    let shape = piece.shape
    for value in current.loader.takePendingValues() {
      let name = "\(shape.folder)/\(value.name)"
      guard pending.updateValue(value, forKey: name) == nil else {
        throw failure(name, "two values are said to be this entry")
      }
    }
    references += current.loader.takeExternalReferences().map { (shape, $0) }
    isBroken = false
    rows.report(current.loader.rowCount, of: shape)
  }

  /// Begins to insert the rows of a part.
  private mutating func begin(_ piece: ParallelLineDecoder.Piece) throws {
    try requireNothingPending()
    let shape = piece.shape
    if current?.shape.folder != shape.folder {
      finishTable()
      if shape.isInternal { try database.removeRows(of: shape.storedName) }
      current = TableLoading(
        try TableLoader(
          shape, database: database,
          place: TableLoader.LoadingPlace(
            archive: archive, limits: reader.limits,
            entityNames: documents.layout.entities.names),
          watch: watch?.table(shape), salvage: salvage))
      rows.report(0, of: shape)
    }
    current?.loader.beginPart()
  }

  /// Whether the rows of a table are to be restored.
  ///
  /// - Throws: ``CofferError`` where they are, but cannot go together with another choice.
  private func isWanted(_ shape: TableLayout) throws -> Bool {
    let choice: ImportOptions.Retention
    let (what, advice): (String, CofferError.Advice)
    switch shape.kind {
    case .history: (choice, what, advice) = (options.history, "persistent history", .dropHistory)
    case .cloudKit: (choice, what, advice) = (options.cloudKit, "CloudKit mirroring", .dropCloudKit)
    default: return true
    }
    guard choice == .keep else { return false }
    guard options.storeUUID == .keep else {
      throw CofferError(
        .incompatibleChoices, path: archive,
        detail:
          "the \(what) belongs to the store's UUID: a store with a new one and old rows of it "
          + "makes the app lose changes or fail to open it",
        advice: advice)
    }
    return true
  }

  /// Fills a value that is an entry of its own.
  private func loadValue(
    _ value: PendingValue, _ entry: ArchiveEntryHeader, _ shape: TableLayout
  ) throws {
    guard entry.size == value.length else {
      if salvage != nil { return try lose(value, entry.name, shape) }
      throw failure(entry.name, "it has another size than its line says")
    }
    let column = shape.fields[Int(value.parameter - 1)].storedName
    if value.isText {
      let bytes = try reader.readWhole(limit: .textSize)
      return try unsafe bytes.withUnsafeBytes {
        unsafe try database.setText(
          $0, table: shape.storedName, column: column, row: value.row,
          columns: shape.fields.map(\.storedName))
      }
    }
    if !value.isReserved {
      try database.setZeros(
        value.length + (value.isMarked ? 1 : 0), table: shape.storedName, column: column,
        row: value.row, columns: shape.fields.map(\.storedName))
    }
    let blob = try database.blob(
      table: shape.storedName, column: column, row: value.row, isWriting: true)
    var offset = 0
    if value.isMarked {
      try unsafe withUnsafeBytes(of: UInt8(1)) { unsafe try blob.write($0, at: 0) }
      offset = 1
    }
    var piece = ContiguousArray<UInt8>(repeating: 0, count: min(max(entry.size, 1), 1 << 20))
    while true {
      let count = try unsafe piece.withUnsafeMutableBytes { room in
        let count = unsafe try reader.read(into: room)
        unsafe try blob.write(UnsafeRawBufferPointer(rebasing: room[..<count]), at: offset)
        return count
      }
      if count == 0 { break }
      offset += count
    }
  }

  private mutating func loadFile(
    _ components: [String], _ entry: ArchiveEntryHeader
  ) throws {
    if components.count == 2, components[0] == StorePaths.externalDataFolderName {
      fileNames.insert(components[1])
    }
    unsafe try files.write(components, size: entry.size) { unsafe try reader.read(into: $0) }
    if counts.files == 0 { rows.finishPhase() }
    counts.files += 1
    progress.report(
      WorkProgress(
        .externalData, completed: counts.files, byteCount: reader.plainByteCount))
  }

  /// Makes sure that nothing is missing at the end of the archive.
  mutating func finish() throws {
    try insertRest()
    try requireNothingPending()
    finishTable()
    rows.finishPhase()
  }

  private mutating func requireNothingPending() throws {
    if salvage != nil { return try losePending() }
    if let name = pending.keys.min() {
      throw failure(name, "a line refers to this entry, and it is not there")
    }
  }

  private mutating func losePending() throws {
    for (name, value) in pending.sorted(by: { $0.key < $1.key }) {
      guard let shape = PartEntryName(name).flatMap({ shapes[$0.folder] }) else { continue }
      try lose(value, name, shape)
    }
    pending.removeAll()
  }

  /// Takes a value away whose entry did not come whole.
  private func lose(_ value: PendingValue, _ entry: String, _ shape: TableLayout) throws {
    let column = Int(value.parameter - 1)
    let columns = shape.fields.map(\.storedName)
    try database.removeValue(
      table: shape.storedName, column: columns[column], row: value.row, columns: columns)
    var number: Int64?
    if let field = shape.fields.first(where: { $0.role == .entityNumber }) {
      number = try database.integer(
        table: shape.storedName, column: field.storedName, row: value.row, columns: columns)
    }
    salvage?.loseValue(
      shape, entityName: number.flatMap { documents.layout.entities.names[$0] }, row: value.row,
      column: column, entry: entry)
  }

  private mutating func finishTable() {
    guard let table = current else { return }
    rows.end(table.loader.rowCount, of: table.shape)
    switch table.shape.kind {
    case .entity: counts.objects += table.loader.rowCount
    case .relationship: counts.pairs += table.loader.rowCount
    case .metadata, .primaryKeys, .modelCache: break
    default: counts.others += table.loader.rowCount
    }
    counts.toOnes += table.loader.toOneCount
    current = nil
  }

  /// The findings about files that objects refer to and that did not come.
  func missingFiles() -> [Finding] {
    references.filter { !fileNames.contains($0.reference.fileName) }.map {
      $0.reference.missingFinding(in: $0.table, documents.layout.entities)
    }
  }

  private func failure(_ entry: String, _ detail: String) -> CofferError {
    CofferError(.damagedArchive, path: archive, entry: entry, detail: detail)
  }
}

/// The loader of the current table, shared because it cannot be copied.
private final class TableLoading {
  var loader: TableLoader
  var shape: TableLayout { loader.shape }

  init(_ loader: consuming TableLoader) { self.loader = loader }
}
