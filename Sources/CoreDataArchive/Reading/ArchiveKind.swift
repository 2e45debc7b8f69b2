internal import CoreDataModel
package import DataCompression

/// The container of an archive, according to its first bytes.
package enum ArchiveKind: Equatable {
  case original(MemberFormat)
  /// A compressed stream from another program.
  case repacked(MemberFormat)

  /// Recognizes a file by its first bytes: at least ``MemberFormat/headerSize``, if the file is that
  /// long.
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
}
