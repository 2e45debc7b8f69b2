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
  /// - Parameters:
  ///   - input: the archive.
  ///   - isFile: whether its file can be read again.
  ///   - options: the options for reading it.
  /// - Throws: `newer-format`, `archive-limit`, `read-failed`, `write-failed`; `truncated-archive` for
  ///   nothing.
  init(
    _ input: ArchiveInput, isFile: Bool, _ options: ArchiveReaderOptions
  ) throws(CofferError) {
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
  /// - Parameters:
  ///   - bytes: the first ``MemberFormat/headerSize`` bytes.
  ///   - path: the archive, for errors.
  /// - Returns: nil if there is a sign of coffer's members, and if no compressed stream begins there.
  /// - Throws: `truncated-archive` for nothing at all.
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
