internal import CoreDataModel
package import DataCompression

/// The compression of an archive.
///
/// The digests of an archive do not depend on it. Every program for tar files reads gzip; zstd takes
/// about half the time at the same size.
public enum ArchiveCompression: String, Sendable, CaseIterable {
  /// gzip, in a file whose name ends with `.tar.gz`.
  case gzip
  /// zstd, in a file whose name ends with `.tar.zst`; needs the trait `Zstd`.
  case zstd

  /// The compression that the name of an archive says; an ending `.age` is passed over.
  ///
  /// - Parameter fileName: the name or path of the archive.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    let plain = name.hasSuffix(".age") ? String(name.dropLast(4)) : name
    if plain.hasSuffix(".zst") || plain.hasSuffix(".tzst") {
      self = .zstd
    } else if plain.hasSuffix(".gz") || plain.hasSuffix(".tgz") {
      self = .gzip
    } else {
      return nil
    }
  }

  /// The valid levels: 1 is the fastest, the last compresses best; gzip's 0 stores.
  public var levels: ClosedRange<Int> {
    switch self {
    case .gzip: 0...12
    case .zstd: 1...19
    }
  }

  /// The level that is right for most archives.
  public var defaultLevel: Int {
    switch self {
    case .gzip: 5
    case .zstd: 2
    }
  }

  /// The ending of the name of an archive.
  public var fileNameEnding: String {
    switch self {
    case .gzip: ".coffer.tar.gz"
    case .zstd: ".coffer.tar.zst"
    }
  }

  /// The format of the members.
  package var format: MemberFormat {
    switch self {
    case .gzip: .gzip
    case .zstd: .zstd
    }
  }
}

extension CofferError {
  /// The error about a compressor that cannot be made, for lack of memory or of zstd; the code is for the
  /// former.
  init(_ error: CompressionError, _ code: CofferError.Code, path: String) {
    guard error == .unavailable else {
      let what = code == .writeFailed ? "compress" : "decompress"
      self.init(code, path: path, detail: "not enough memory to \(what)")
      return
    }
    self.init(
      .unsupportedCompression, path: path,
      detail: "it is an archive with zstd, and this program was built without it",
      advice: .sentence(
        "Build coffer with the trait ZstdAnywhere, which needs libzstd. Or use gzip: an archive "
          + "is changed with: zstd -dc FILE.coffer.tar.zst | gzip > FILE.coffer.tar.gz"))
  }
}
