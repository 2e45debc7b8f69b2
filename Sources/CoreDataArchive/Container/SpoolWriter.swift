internal import CoreDataModel
internal import DataCompression
internal import POSIX

/// Unpacks a foreign compressed tar into one file without a name.
struct SpoolWriter: ~Copyable {
  /// The file with the contents, one after another.
  private(set) var file: OpenFile
  /// The files of the tar, in its order, except files that only a Mac's file manager needs.
  private(set) var items: [ArchiveSpool.Item] = []

  private let input: ArchiveInput
  private let log: ProblemLog
  /// Encrypts the file if the archive is encrypted; nil otherwise.
  private var seal: SpoolSeal?
  private var names: Set<Name> = []
  private var stream: StreamDecompressor
  private var compressed = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
  private var compressedRange = 0..<0
  private var buffer = ContiguousArray<UInt8>(repeating: 0, count: 256 << 10)
  private var total = 0
  private var end = 0
  private var entry: String?

  init(
    _ input: ArchiveInput, _ format: MemberFormat, folder: String, _ log: ProblemLog
  ) throws(CofferError) {
    let file = try Self.makeFile(in: folder)
    let stream = try Self.makeStream(format, log.limits, path: input.file.path)
    let seal = input.isDecrypted ? try SpoolSeal(path: folder) : nil
    self.input = input
    self.log = log
    self.file = file
    self.stream = stream
    self.seal = seal
  }

  private static func makeFile(in folder: String) throws(CofferError) -> OpenFile {
    do {
      return OpenFile(
        descriptor: try FileNames.createNameless(in: folder), path: folder, closes: true)
    } catch {
      throw cannotUnpack(folder, error)
    }
  }

  private static func cannotUnpack(_ path: String, _ failure: SystemError) -> CofferError {
    CofferError(
      .writeFailed, path: path, detail: failure.text,
      advice:
        "A repacked archive is unpacked to a temporary folder. Set TMPDIR to use another folder.")
  }

  private static func makeStream(
    _ format: MemberFormat, _ limits: ArchiveLimits, path: String
  ) throws(CofferError) -> StreamDecompressor {
    do {
      return try StreamDecompressor(format, windowLimit: limits.windowSize)
    } catch {
      throw CofferError(error, .readFailed, path: path)
    }
  }

  /// Unpacks everything to the end of the input.
  mutating func run() throws(CofferError) {
    try unpack()
    guard var seal else { return }
    do {
      let file = file
      try unsafe seal.finish { bytes throws(SystemError) in
        try unsafe FileIO.writeAll(file.descriptor, bytes)
      }
    } catch {
      throw Self.cannotUnpack(file.path, error)
    }
    file = try seal.opened(file)
  }

  private mutating func unpack() throws(CofferError) {
    let limits = log.limits
    var decoder = TarDecoder(limits: limits)
    var headers = 0
    while true {
      guard let block = try readExactly(TarHeader.blockSize) else {
        throw headers == 0
          ? error(.notAnArchive, "it is compressed, but not a tar file")
          : error(.truncatedArchive, "the tar file ends without an end marker")
      }
      headers += 1
      guard headers - limits.extraHeaderCount <= limits.entryCount else {
        throw exceeding(.entryCount, "the tar file has more headers, including folders,")
      }
      let step: TarDecoder.Step
      do {
        step = try decoder.decode(block[...])
      } catch {
        throw headers == 1 && error.limit == nil
          ? self.error(.notAnArchive, "it is compressed, but not a tar file")
          : self.error(error)
      }
      switch step {
      case .end: return try readEnd()
      case .entry(let header): try read(header)
      case .extended(let size):
        guard let content = try readPadded(size) else { throw cut() }
        do {
          try decoder.extend(with: content[..<size])
        } catch {
          throw self.error(error)
        }
      }
    }
  }

  private mutating func read(_ header: TarHeader) throws(CofferError) {
    var name = EntryName.normalized(header.name)
    if header.kind == .folder {
      while name.hasSuffix("/") { name.removeLast() }
      if name.isEmpty || name == "." { return }
    }
    entry = name
    if let problem = EntryName.problem(with: name) { throw error(.damagedArchive, problem) }
    if header.kind == .folder { return entry = nil }
    let isDuplicate = names.contains(Name(name))
    if isDuplicate {
      guard log.collects else { throw error(.damagedArchive, "it occurs twice") }
      try log.note(.duplicateEntry, entry: name, "it occurs twice")
    }
    guard header.size <= log.limits.totalSize - total else {
      throw exceeding(.totalSize, "it has more bytes")
    }
    if let limit = log.limits.exceeded(byEntries: items.count, before: input.offset) {
      throw exceeding(limit, "it has \(items.count) entries, more")
    }
    let start = end
    try copy(header.size)
    if !Self.isLeftByFileManager(name) {
      names.insert(Name(name))
      items.append(
        ArchiveSpool.Item(name: name, offset: start, size: header.size, isDuplicate: isDuplicate))
    }
    entry = nil
  }

  /// Whether macOS creates files with this name next to files and folders.
  static func isLeftByFileManager(_ name: String) -> Bool {
    let last = name[(name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex)...]
    return last.hasPrefix("._") || last == ".DS_Store"
  }

  /// Copies a content to the file and skips its padding.
  private mutating func copy(_ size: Int) throws(CofferError) {
    var left = size
    while left > 0 {
      let count = try inflate(atMost: left)
      guard count > 0 else { throw cut() }
      do {
        try keep(count)
      } catch {
        throw Self.cannotUnpack(file.path, error)
      }
      left -= count
      end += count
    }
    guard try readExactly(TarHeader.padding(after: size)) != nil else { throw cut() }
  }

  /// Writes the first bytes of the buffer to the file.
  private mutating func keep(_ count: Int) throws(SystemError) {
    let descriptor = file.descriptor
    try unsafe buffer.withBytes { bytes throws(SystemError) in
      let content = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
      guard seal != nil else { return try unsafe FileIO.writeAll(descriptor, content) }
      try unsafe seal?.append(content) { sealed throws(SystemError) in
        try unsafe FileIO.writeAll(descriptor, sealed)
      }
    }
  }

  /// Reads the rest of the stream after the end mark, which must be zeros.
  private mutating func readEnd() throws(CofferError) {
    while true {
      let count = try inflate(atMost: buffer.count)
      if count == 0 { return }
      guard buffer[..<count].allSatisfy({ $0 == 0 }) else {
        throw error(.damagedArchive, "there is data after the end of the tar file")
      }
    }
  }

  private mutating func readPadded(_ size: Int) throws(CofferError) -> [UInt8]? {
    try readExactly(size + TarHeader.padding(after: size))
  }

  /// Reads a few plain bytes; nil if the stream ends before.
  private mutating func readExactly(_ count: Int) throws(CofferError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let got = try inflate(atMost: count - bytes.count)
      if got == 0 { return nil }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// Inflates into the buffer; 0 at the end of the input, which must be the end of a gzip member or a zstd frame.
  private mutating func inflate(atMost limit: Int) throws(CofferError) -> Int {
    while true {
      if compressedRange.isEmpty, !stream.mayHaveMore {
        let count = try readCompressed()
        compressedRange = 0..<count
        if count == 0 {
          guard stream.isBetweenMembers else { throw cut() }
          return 0
        }
      }
      let step: StreamInflater.Step
      do {
        step = try inflateOnce(atMost: min(limit, buffer.count))
      } catch {
        throw streamError(error)
      }
      compressedRange = compressedRange.lowerBound + step.consumed..<compressedRange.upperBound
      total += step.produced
      guard
        total <= log.limits.repackedFreeSize
          || total / max(1, log.limits.repackedRatio) <= input.offset
      else { throw exceeding(.repackedRatio, "its compression ratio is higher") }
      if step.produced > 0 { return step.produced }
    }
  }

  private mutating func inflateOnce(
    atMost limit: Int
  ) throws(CompressionError) -> StreamInflater.Step {
    let range = compressedRange
    return try unsafe compressed.withBytes { bytes throws(CompressionError) in
      try unsafe buffer.withMutableBytes { target throws(CompressionError) in
        try unsafe stream.decompress(
          UnsafeRawBufferPointer(rebasing: bytes[range]),
          into: UnsafeMutableRawBufferPointer(rebasing: target[..<limit]))
      }
    }
  }

  private mutating func readCompressed() throws(CofferError) -> Int {
    let input = input
    return try unsafe compressed.withMutableBytes { target throws(CofferError) in
      try unsafe input.read(into: target)
    }
  }

  private func streamError(_ problem: CompressionError) -> CofferError {
    switch problem {
    case .windowExceeded: exceeding(.windowSize, "its zstd stream needs a larger window")
    case .dictionary: error(.damagedArchive, "its zstd stream needs a dictionary")
    case .outOfMemory: error(.readFailed, "not enough memory to decompress")
    default: error(.damagedArchive, "the compressed stream is damaged")
    }
  }

  private func cut() -> CofferError { error(.truncatedArchive, "it ends too early") }

  private func exceeding(_ limit: ArchiveLimits.Name, _ detail: String) -> CofferError {
    .exceeding(
      limit, of: log.limits, path: input.file.path, entry: entry, offset: input.offset, detail)
  }

  private func error(_ problem: TarDecoder.Problem) -> CofferError {
    problem.limit.map { exceeding($0, problem.text) } ?? error(.damagedArchive, problem.text)
  }

  private func error(_ code: CofferError.Code, _ detail: String) -> CofferError {
    CofferError(code, path: input.file.path, entry: entry, offset: input.offset, detail: detail)
  }
}
