internal import AgeEncryption
internal import CoreDataModel

/// The plain bytes of an encrypted archive that is read forward.
///
/// Bytes are handed out when their chunk is known to be genuine; the last ones only at the end of the file.
final class DecryptingStream {
  private let source: ArchiveInput
  private var decryptor: AgeDecryptor
  private var sealed = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
  private var plain = ContiguousArray<UInt8>()
  private var position = 0
  private var isAtEnd = false
  /// The error after the remaining plain bytes.
  private var failure: CofferError?

  init(_ source: ArchiveInput, _ identities: [ArchiveIdentity]) {
    self.source = source
    decryptor = AgeDecryptor(identities.map(\.age))
  }

  /// The file that the encrypted bytes come from.
  var file: OpenFile { source.file }

  /// Reads bytes into a buffer; 0 only at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    while position == plain.count {
      if let failure { throw failure }
      if isAtEnd { return 0 }
      decryptMore()
    }
    let count = min(target.count, plain.count - position)
    unsafe target.copyBytes(from: plain[position..<position + count])
    position += count
    return count
  }

  /// Decrypts some chunks; chunks before one that is not genuine remain usable.
  private func decryptMore() {
    plain.removeAll(keepingCapacity: true)
    position = 0
    do {
      try receive()
    } catch {
      failure = error
    }
  }

  private func receive() throws(CofferError) {
    let source = source
    let count = try unsafe sealed.withMutableBytes { target throws(CofferError) in
      try unsafe source.read(into: target)
    }
    do {
      guard count > 0 else {
        isAtEnd = true
        return try decryptor.finish(into: &plain)
      }
      try unsafe sealed.withBytes { bytes throws(AgeError) in
        try unsafe decryptor.receive(
          UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &plain)
      }
    } catch {
      throw CofferError(error, path: source.file.path)
    }
  }
}

extension ArchiveInput {
  /// The plain bytes of an encrypted input; otherwise the input itself.
  ///
  /// - Throws: `encrypted-archive` if there is no identity; `unsupported-encryption` for an armored
  ///   file. Other errors occur when it is read.
  func decrypted(with identities: [ArchiveIdentity]) throws(CofferError) -> ArchiveInput {
    switch AgeFileForm(try peek(AgeFileForm.prefixSize)) {
    case nil: return self
    case .armored: throw .armored(file.path)
    case .binary:
      guard !identities.isEmpty else { throw .encrypted(file.path) }
      return ArchiveInput(DecryptingStream(self, identities))
    }
  }
}
