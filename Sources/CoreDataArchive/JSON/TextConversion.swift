package import CoreDataModel

extension Base64Text {
  /// The text of some bytes.
  package static func text(of bytes: [UInt8]) -> String {
    var buffer = JSONBuffer(minimumCapacity: bytes.count / 3 * 4 + 8)
    unsafe bytes.withUnsafeBytes { unsafe buffer.appendBase64($0) }
    return buffer.unquotedText()
  }

  /// The bytes of a text, or nil.
  package static func bytes(of text: ContiguousArray<UInt8>) -> [UInt8]? {
    var copy = text
    let count = unsafe copy.withUnsafeMutableBytes { bytes in
      unsafe decode(UnsafeRawBufferPointer(bytes), into: bytes)
    }
    return count.map { Array(copy.prefix($0)) }
  }
}

extension Instant.Stored {
  /// The text of a date stored as a double, or nil if there is none.
  package static func text(of seconds: Double) -> String? {
    var buffer = JSONBuffer(minimumCapacity: 64)
    return buffer.appendDate(real: seconds) ? buffer.unquotedText() : nil
  }

  /// The seconds since 2001 of a text, with or without a fraction, or nil.
  package static func seconds(of text: String) -> Double? {
    let bytes = ContiguousArray(text.utf8)
    switch unsafe bytes.withUnsafeBytes({ unsafe parse($0) }) {
    case .real(let seconds): return seconds
    case .integer(let seconds): return Double(seconds)
    case nil: return nil
    }
  }
}

extension JSONBuffer {
  /// The written text without its first and last byte.
  fileprivate borrowing func unquotedText() -> String {
    String(decoding: bytes().dropFirst().dropLast(), as: UTF8.self)
  }

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
