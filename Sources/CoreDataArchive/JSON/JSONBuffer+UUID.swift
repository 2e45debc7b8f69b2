internal import CoreDataModel

extension JSONBuffer {
  /// Appends a UUID with its quotes, in upper case.
  ///
  /// - Returns: false when there are not exactly 16 bytes; nothing is written then.
  package mutating func appendUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == UUIDText.byteCount else { return false }
    reserve(UUIDText.textCount + 2)
    let output = unsafe base + count
    unsafe output[0] = 0x22
    unsafe UUIDText.write(bytes, to: output + 1)
    unsafe output[UUIDText.textCount + 1] = 0x22
    count &+= UUIDText.textCount + 2
    return true
  }
}
