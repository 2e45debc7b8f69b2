/// A place where a value is put together that is bound to a statement right after.
@safe final class Scratch {
  private let bytes: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Reserves space for values of up to the given number of bytes; the rest is cut off.
  init(capacity: Int) {
    unsafe bytes = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe bytes.deallocate() }

  /// The value until now, lent until the next change.
  var value: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }

  /// Starts a new value.
  func begin() { count = 0 }

  /// Appends a byte.
  func append(byte: UInt8) {
    guard unsafe count < bytes.count else { return }
    unsafe bytes[count] = byte
    count += 1
  }

  /// Appends bytes.
  func append(_ other: UnsafeRawBufferPointer) {
    let size = unsafe min(other.count, bytes.count - count)
    guard size > 0 else { return }
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count..<(count + size)])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: other[..<size]))
    count += size
  }

  /// Appends a fixed text.
  func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number in decimal digits.
  func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    append(byte: UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Makes the value a random UUID, version 4.
  func makeUUID(_ random: inout SeededGenerator) {
    let high = random.next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    unsafe bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
    unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    count = 16
  }
}
