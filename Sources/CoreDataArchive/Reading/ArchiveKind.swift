internal import CoreDataModel
package import DataCompression

/// The container of an archive, according to its first bytes.
package enum ArchiveKind: Equatable {
  case original(MemberFormat)
  /// A compressed stream from another program.
  case repacked(MemberFormat)

  /// Recognizes a file by its first bytes: at least ``MemberFormat/headerSize``, if the file is that
  /// long.
  ///
  /// - Throws: `not-an-archive`, `truncated-archive`, `damaged-archive`.
  init(of bytes: ContiguousArray<UInt8>, path: String) throws(CofferError) {
    let isShort = MemberFormat.allCases.contains {
      bytes.starts(with: $0.memberSignature.prefix(bytes.count))
    }
    if bytes.count < MemberFormat.headerSize, isShort {
      throw CofferError(
        .truncatedArchive, path: path, offset: bytes.count,
        detail: "it has only \(bytes.count) bytes",
        advice: "If it came through a pipe, check the output of the program before it.")
    }
    guard let format = MemberFormat(streamBeginning: bytes) else {
      let foreign = ForeignFile(bytes)
      throw CofferError(
        .notAnArchive, path: path,
        detail: foreign?.detail ?? "it is not compressed with gzip or zstd",
        advice: foreign?.advice(at: path))
    }
    guard format.isMember(bytes) else {
      self = .repacked(format)
      return
    }
    let header = ContiguousArray(bytes.prefix(MemberFormat.headerSize))
    guard unsafe header.withBytes({ unsafe MemberFormat.header(of: $0) }) != nil else {
      throw CofferError(
        .damagedArchive, path: path, offset: 0, detail: "there is no canonical member here")
    }
    self = .original(format)
  }

  /// Whether a file may be an archive according to its first bytes: it is compressed with gzip or zstd,
  /// or encrypted with age.
  ///
  /// - Parameter beginning: the first ``ArchiveEncryption/prefixSize`` bytes, or all there are.
  /// - Returns: whether it may be one.
  package static func mayBegin(_ beginning: some Collection<UInt8>) -> Bool {
    beginning.starts(with: MemberFormat.gzipSignature)
      || MemberFormat(streamBeginning: beginning) != nil
      || ArchiveEncryption.isEncrypted(beginning)
  }

  /// Whether bytes begin with our member, or with a compressed stream whose plain bytes begin like a tar,
  /// or may, because the bytes are too few for the first block of zstd.
  static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let beginning = unsafe ContiguousArray(bytes.prefix(MemberFormat.headerSize))
    switch try? ArchiveKind(of: beginning, path: "") {
    case nil: return false
    case .original: return true
    case .repacked(let format): return unsafe isTar(bytes, format)
    }
  }

  private static func isTar(_ bytes: UnsafeRawBufferPointer, _ format: MemberFormat) -> Bool {
    let limits = ArchiveLimits.standard
    guard var stream = try? StreamDecompressor(format, windowLimit: limits.windowSize) else {
      return false
    }
    var block = ContiguousArray<UInt8>(repeating: 0, count: TarHeader.blockSize)
    var (used, filled) = (0, 0)
    while filled < block.count, used < bytes.count || stream.mayHaveMore {
      let step = unsafe block.withMutableBytes { buffer in
        try? unsafe stream.decompress(
          UnsafeRawBufferPointer(rebasing: bytes[used...]),
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      }
      guard let step, step.consumed + step.produced > 0 else { return false }
      used += step.consumed
      filled += step.produced
    }
    guard filled == block.count else { return format == .zstd && !stream.isBetweenMembers }
    var decoder = TarDecoder(limits: limits)
    guard let meaning = try? decoder.decode(Array(block)[...]) else { return false }
    return meaning != .end
  }
}
