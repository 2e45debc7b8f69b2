internal import CoreDataModel
internal import DataCompression

/// The intact entries of one archive, read from its beginning to its end.
struct SalvageScan {
  /// The intact entries in the order of the archive, index.json among them.
  let found: [SalvagedEntry]
  /// The names of entries whose headers came and whose contents did not.
  let broken: [String]
  /// The facts known about the archive.
  let report: SalvageReport
  /// Whether an entry is known to be intact without an index.
  let canBeUnverified: Bool
  /// Whether anything looked like an archive.
  let isArchive: Bool

  /// Reads an archive.
  ///
  /// - Throws: `newer-format`, `archive-limit`, `read-failed`, `write-failed`; `truncated-archive` for
  ///   nothing.
  init(_ input: ArchiveInput, isFile: Bool, _ options: ArchiveReaderOptions) throws(CofferError) {
    let beginning = try input.peek(MemberFormat.headerSize)
    if let repacked = try Self.repacked(beginning, path: input.file.path) {
      let stream = try RepackedSalvage(
        input, repacked, folder: options.temporaryFolder, limits: options.limits)
      try stream.content.finish()
      let tar = try SalvagedTar(
        stream.content, isOnePiece: !stream.isDamaged, report: stream.report,
        limits: options.limits)
      (found, broken, report) = (tar.found, tar.broken, tar.report)
      (canBeUnverified, isArchive) = (!stream.isDamaged, true)
      return
    }
    let content =
      isFile
      ? nil : try SalvagedContent(folder: options.temporaryFolder, isSealed: input.isDecrypted)
    let scanner = SalvageScanner(input, keeping: content, limits: options.limits)
    try scanner.run()
    try content?.finish()
    (found, broken, report) = (scanner.found, scanner.broken, scanner.report)
    (canBeUnverified, isArchive) = (true, scanner.hasMembers)
  }

  /// Reads an archive in a file.
  ///
  /// - Throws: as ``init(_:isFile:_:)``, and the errors of opening it; `not-an-archive` if nothing in it
  ///   looks like one.
  init(of path: String, _ options: ArchiveReaderOptions) throws(CofferError) {
    let file = try OpenFile(.file(path: path))
    let sealed = ArchiveInput(file)
    let input = try sealed.decrypted(with: options.identities)
    try self.init(input, isFile: input === sealed && file.size != nil, options)
    guard isArchive else {
      throw CofferError(.notAnArchive, path: path, offset: 0, detail: "no entry is complete")
    }
  }

  /// The format of an archive that was packed with stock tools, although it may be damaged at its very
  /// beginning.
  ///
  /// - Returns: nil if there is a sign of coffer's members, and if no compressed stream begins there.
  /// - Throws: `truncated-archive` for an empty file.
  static func repacked(
    _ bytes: ContiguousArray<UInt8>, path: String
  ) throws(CofferError) -> MemberFormat? {
    guard !bytes.isEmpty else {
      throw CofferError(.truncatedArchive, path: path, offset: 0, detail: "it is empty")
    }
    guard let format = MemberFormat(streamBeginning: bytes), bytes.count > 3,
      !format.isMember(bytes)
    else { return nil }
    // Our subfield, wherever the bytes before it may have gone.
    let isOurs = bytes.indices.contains { bytes[$0...].starts(with: [0x43, 0x46, 4, 0]) }
    return isOurs ? nil : format
  }
}

/// The entries of a tar in a file that may be damaged anywhere.
struct SalvagedTar {
  /// The entries with content, in the order of the tar.
  private(set) var found: [SalvagedEntry] = []
  /// The names of entries whose content is not.
  private(set) var broken: [String] = []
  private(set) var report: SalvageReport

  private let content: SalvagedContent
  private let isOnePiece: Bool
  private let limits: ArchiveLimits
  private var offset = 0
  private var hashed = 0

  /// Reads a tar.
  init(
    _ content: SalvagedContent, isOnePiece: Bool, report: SalvageReport, limits: ArchiveLimits
  ) throws(CofferError) {
    self.limits = limits
    self.content = content
    self.isOnePiece = isOnePiece
    self.report = report
    try read()
    self.report.endOffset = content.end
  }

  private mutating func read() throws(CofferError) {
    var decoder = TarDecoder(limits: limits)
    while let block = try bytes(at: offset, TarHeader.blockSize) {
      guard let step = try? decoder.decode(block[...]) else {
        report.note(offset, "there is no tar header here")
        decoder = TarDecoder(limits: limits)
        offset += 1
        try search()
        continue
      }
      offset += TarHeader.blockSize
      switch step {
      case .end: break
      case .extended(let size):
        let text = try bytes(at: offset, size)
        if text.flatMap({ try? decoder.extend(with: $0[...]) }) == nil {
          decoder = TarDecoder(limits: limits)
        }
        offset += size + TarHeader.padding(after: size)
      case .entry(let header): try take(header)
      }
    }
  }

  /// Processes the content after a header.
  ///
  /// If no header follows, it may be shorter or longer than stated, and the search for the next
  /// header starts at its beginning.
  private mutating func take(_ header: TarHeader) throws(CofferError) {
    let name = EntryName.normalized(header.name)
    let end = offset + header.size + TarHeader.padding(after: header.size)
    guard header.kind == .file, EntryName.problem(with: name) == nil else { return }
    guard found.count <= limits.entryCount else {
      throw .exceeding(.entryCount, of: limits, offset: offset, "the tar file has more entries")
    }
    guard header.size <= content.end - offset else {
      broken.append(name)
      return
    }
    var isFollowed = end >= content.end
    if !isFollowed, let next = try bytes(at: end, TarHeader.blockSize) {
      var decoder = TarDecoder(limits: limits)
      isFollowed = (try? decoder.decode(next[...])) != nil
    }
    // The amount that is hashed although it may be read again is bounded.
    if SpoolWriter.isLeftByFileManager(name) {
      // Nothing that an archive holds.
    } else if isFollowed || hashed <= 4 * content.end + 64 << 20 {
      found.append(try entry(name, size: header.size))
      hashed += isFollowed ? 0 : header.size
    }
    if isFollowed { return offset = end }
    report.note(end, "there is no tar header here")
    try search()
  }

  private func entry(_ name: String, size: Int) throws(CofferError) -> SalvagedEntry {
    var hasher = ContentHasher()
    var json: ContiguousArray<UInt8>? =
      name == EntryName.index && size <= limits.indexSize ? [] : nil
    var left = size
    while left > 0, let piece = try bytes(at: offset + size - left, min(left, 256 << 10)) {
      unsafe piece.withBytes { unsafe hasher.update($0) }
      json? += piece
      left -= piece.count
    }
    return SalvagedEntry(
      entry: ArchiveIndex.Entry(
        name: name, offset: offset, compressedSize: 0, size: size, digest: hasher.digest,
        attributes: ArchiveEntryAttributes()),
      place: .kept(content, offset: offset), isOnePiece: isOnePiece, indexContent: json)
  }

  /// Advances to the next header with a valid checksum, or to the end.
  private mutating func search() throws(CofferError) {
    while let piece = try bytes(at: offset, min(256 << 10, content.end - offset)),
      piece.count >= TarHeader.blockSize
    {
      let last = piece.count - TarHeader.blockSize
      for index in 0...last
      where piece[index + 257] == 0x75 && piece[index + 258] == 0x73 && piece[index + 259] == 0x74 {
        var decoder = TarDecoder(limits: limits)
        if (try? decoder.decode(piece[index..<index + TarHeader.blockSize])) != nil {
          return offset += index
        }
      }
      offset += last + 1
    }
    offset = content.end
  }

  /// Bytes of the tar; nil if it ends before.
  private func bytes(at start: Int, _ count: Int) throws(CofferError) -> ContiguousArray<UInt8>? {
    guard start <= content.end, count <= content.end - start else { return nil }
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: count)
    let input = ArchiveInput(content.file, range: start..<start + count)
    let got = try unsafe bytes.withMutableBytes { buffer throws(CofferError) in
      try unsafe input.read(into: buffer)
    }
    return got == count ? bytes : nil
  }
}
