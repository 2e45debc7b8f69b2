internal import CoreDataModel
internal import DeflateCoding

/// How an archive is packed, according to its first bytes.
package enum ArchiveKind: Equatable {
  /// Our gzip members.
  case original
  /// A gzip stream from another program.
  case repacked

  /// Recognizes a file by its first bytes: at least ``GzipMember/headerSize``, if the file is that
  /// long.
  ///
  /// Stock tools write no extra field, so a gzip stream with one is ours, canonical or damaged.
  ///
  /// - Throws: `not-an-archive`, `truncated-archive`, `damaged-archive`.
  init(of bytes: ContiguousArray<UInt8>, path: String) throws(CofferError) {
    let magic = GzipMember.deflateSignature
    if bytes.count < GzipMember.headerSize, bytes.starts(with: magic.prefix(bytes.count)) {
      throw CofferError(
        .truncatedArchive, path: path, offset: bytes.count,
        detail: "it has only \(bytes.count) bytes",
        advice: "If it came through a pipe, check the output of the program before it.")
    }
    guard bytes.starts(with: magic) else {
      let foreign = ForeignFile(bytes)
      throw CofferError(
        .notAnArchive, path: path, detail: foreign?.detail ?? "it is not gzip-compressed",
        advice: foreign?.advice(at: path))
    }
    guard bytes[3] & 4 != 0 else {
      self = .repacked
      return
    }
    let header = ContiguousArray(bytes.prefix(GzipMember.headerSize))
    guard unsafe header.withBytes({ unsafe GzipMember.header(of: $0) }) != nil else {
      throw CofferError(
        .damagedArchive, path: path, offset: 0, detail: "there is no canonical gzip member here")
    }
    self = .original
  }

  /// Whether a file may be an archive according to its first bytes: it is gzip-compressed or
  /// encrypted with age.
  ///
  /// - Parameter beginning: the first ``ArchiveEncryption/prefixSize`` bytes, or all there are.
  /// - Returns: whether it may be one.
  package static func mayBegin(_ beginning: some Collection<UInt8>) -> Bool {
    beginning.starts(with: GzipMember.signature) || ArchiveEncryption.isEncrypted(beginning)
  }

  /// Whether an archive that may be damaged at its very beginning was packed with stock tools.
  ///
  /// - Parameters:
  ///   - bytes: the first ``GzipMember/headerSize`` bytes.
  ///   - path: the archive, for errors.
  /// - Returns: false if there is a sign of coffer's members, and if no gzip stream begins there.
  /// - Throws: `truncated-archive` for nothing at all.
  static func isProbablyRepacked(
    _ bytes: ContiguousArray<UInt8>, path: String
  ) throws(CofferError) -> Bool {
    guard !bytes.isEmpty else {
      throw CofferError(.truncatedArchive, path: path, offset: 0, detail: "it is empty")
    }
    let isForeign =
      bytes.starts(with: GzipMember.deflateSignature) && bytes.count > 3 && bytes[3] & 4 == 0
    // Our subfield, wherever the bytes before it may have gone.
    return isForeign && !bytes.indices.contains { bytes[$0...].starts(with: [0x43, 0x46, 4, 0]) }
  }

  /// Whether bytes begin with our gzip member, or with a gzip stream whose plain bytes begin like a tar.
  static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let beginning = unsafe ContiguousArray(bytes.prefix(GzipMember.headerSize))
    guard let kind = try? ArchiveKind(of: beginning, path: "") else { return false }
    if kind == .original { return true }
    guard var inflater = try? StreamInflater() else { return false }
    var block = ContiguousArray<UInt8>(repeating: 0, count: TarHeader.blockSize)
    let step = unsafe block.withMutableBytes { room in
      try? unsafe inflater.inflate(bytes, into: room)
    }
    guard step?.produced == block.count else { return false }
    var decoder = TarDecoder(limits: .standard)
    guard let meaning = try? decoder.decode(Array(block)[...]) else { return false }
    return meaning != .end
  }
}
