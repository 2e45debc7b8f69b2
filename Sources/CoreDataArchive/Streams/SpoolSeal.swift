internal import AgeEncryption
internal import CoreDataModel

/// Encrypts the temporary file of an encrypted repacked archive, with a discarded key.
struct SpoolSeal {
  private let identity = ArchiveIdentity()
  private var encryptor: AgeEncryptor
  private var sealed = ContiguousArray<UInt8>()
  private var size = 0

  init(path: String) throws(CofferError) {
    let recipients = [identity.recipient].compactMap(\.self)
    encryptor = try ArchiveEncryption(recipients: recipients).encryptor(path: path)
  }

  /// Encrypts bytes and passes on all finished ones.
  mutating func append<E: Error>(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    unsafe encryptor.append(bytes, into: &sealed)
    try unsafe flush(write)
  }

  /// Encrypts the rest.
  mutating func finish<E: Error>(_ write: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    encryptor.finish(into: &sealed)
    try unsafe flush(write)
  }

  /// The plain bytes of the file, once it is finished.
  func opened(_ file: OpenFile) throws(CofferError) -> OpenFile {
    try file.decrypted(size: size, with: [identity])
  }

  private mutating func flush<E: Error>(
    _ write: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try unsafe sealed.withBytes { bytes throws(E) in try unsafe write(bytes) }
    size += sealed.count
    sealed.removeAll(keepingCapacity: true)
  }
}
