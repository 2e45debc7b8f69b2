package import CoreDataModel
internal import POSIX

extension JSONScanner {
  /// The bytes of a slice of this text; valid as long as the text is.
  package func bytes(of slice: JSONSlice) -> UnsafeRawBufferPointer {
    precondition(isWithin(slice), "the slice is not one of this text")
    return unsafe UnsafeRawBufferPointer(start: base + slice.start, count: slice.count)
  }

  /// The text of a slice as a string.
  package func string(of slice: JSONSlice) -> String {
    unsafe String(decoding: bytes(of: slice), as: UTF8.self)
  }

  /// Whether a slice is exactly that key.
  package func matches(_ slice: JSONSlice, _ key: JSONKey) -> Bool {
    guard slice.count == key.name.count, isWithin(slice) else { return false }
    return unsafe key.name.withUnsafeBufferPointer { name in
      guard let address = name.baseAddress else { return true }
      return unsafe memcmp(base + slice.start, address, slice.count) == 0
    }
  }

  /// Decodes base64 over its own text.
  ///
  /// - Returns: the slice of the bytes, which need not be UTF-8; nil when it is not base64, and
  ///   the text of the slice is lost then.
  package mutating func decodeBase64(_ slice: JSONSlice) -> JSONSlice? {
    let text = unsafe bytes(of: slice)
    let target = unsafe UnsafeMutableRawBufferPointer(mutating: text)
    guard let count = unsafe Base64Text.decode(text, into: target) else { return nil }
    return JSONSlice(start: slice.start, count: count)
  }

  /// Decodes a UUID over its own text.
  ///
  /// - Returns: the slice of the 16 bytes; nil when it is not a UUID, and the text of the slice
  ///   is lost then.
  package mutating func decodeUUID(_ slice: JSONSlice) -> JSONSlice? {
    let text = unsafe bytes(of: slice)
    let target = unsafe UnsafeMutableRawBufferPointer(mutating: text)
    guard unsafe UUIDText.parse(text, into: target) else { return nil }
    return JSONSlice(start: slice.start, count: UUIDText.byteCount)
  }

  /// The date of a slice; nil if it is not the text of one.
  package func date(_ slice: JSONSlice) -> Instant.Stored? {
    unsafe Instant.Stored.parse(bytes(of: slice))
  }

  private func isWithin(_ slice: JSONSlice) -> Bool {
    slice.start >= 0 && slice.count >= 0 && slice.start <= count
      && slice.count <= count - slice.start
  }
}
