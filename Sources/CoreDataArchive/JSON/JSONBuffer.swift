internal import CoreDataModel
internal import POSIX

/// A growing output buffer that JSON is written to, byte by byte and value by value.
///
/// The buffer owns its memory and is written through a pointer: each writer reserves space once per
/// value and then stores without checks. Nothing is allocated per value. A writer that returns
/// `false` leaves the buffer unchanged.
@safe
package struct JSONBuffer: ~Copyable {
  /// The memory: `used` of `capacity` bytes are in use.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  /// The number of bytes written so far.
  package internal(set) var count: Int {
    @inlinable get { used }
    set { used = newValue }
  }
  @usableFromInline var used: Int
  @usableFromInline private(set) var capacity: Int

  /// Creates an empty buffer with space for that many bytes.
  package init(minimumCapacity: Int = 1 << 16) {
    capacity = max(minimumCapacity, 64)
    used = 0
    guard let memory = unsafe malloc(capacity) else { fatalError("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: capacity)
  }

  deinit { unsafe free(base) }

  /// Empties the buffer.
  ///
  /// Its memory stays for the next use, but memory beyond the first `most` bytes is freed.
  package mutating func removeAll(keeping most: Int = .max) {
    let isLarge = count > most
    count = 0
    if isLarge { resize(to: max(most, 64)) }
  }

  /// Removes everything after the first `length` bytes; does nothing if there is less.
  package mutating func truncate(to length: Int) {
    if length >= 0, length < count { count = length }
  }

  /// Removes the quotes around the text written since a position: the string's text remains, with
  /// its escapes.
  ///
  /// Does nothing if fewer than two bytes were written.
  package mutating func removeQuotes(from start: Int) {
    guard start >= 0, count &- start >= 2 else { return }
    unsafe memmove(base + start, base + start + 1, count &- start &- 2)
    count &-= 2
  }

  /// Passes the bytes written so far to a closure, in which they are valid.
  package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Passes the bytes written so far to a closure, followed by temporary zeros.
  package mutating func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    andZeros count: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    reserve(count)
    unsafe (base + self.count).update(repeating: 0, count: count)
    return try unsafe body(UnsafeRawBufferPointer(start: base, count: self.count + count))
  }

  /// A copy of the bytes written so far.
  package borrowing func bytes() -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Makes space for that many more bytes.
  @inlinable @inline(__always) package mutating func reserve(_ size: Int) {
    if capacity &- used < size { grow(size) }
  }

  @usableFromInline mutating func grow(_ size: Int) {
    let (needed, overflow) = count.addingReportingOverflow(size)
    precondition(!overflow, "a JSON buffer cannot be larger than the address space")
    resize(to: max(needed, capacity.multipliedReportingOverflow(by: 2).partialValue))
  }

  private mutating func resize(to newCapacity: Int) {
    guard let memory = unsafe realloc(base, newCapacity) else { fatalError("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: newCapacity)
    capacity = newCapacity
  }

  /// Appends one byte.
  @inlinable @inline(__always) package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[used] = byte
    used &+= 1
  }

  /// Appends bytes unchanged.
  @inlinable @inline(__always) package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe UnsafeMutableRawPointer(base + used).copyMemory(from: source, byteCount: bytes.count)
    used &+= bytes.count
  }

  /// Appends fixed text without escaping it; it must be ASCII or UTF-8.
  @inlinable @inline(__always) package mutating func append(_ text: StaticString) {
    guard text.hasPointerRepresentation else {
      for byte in String(describing: text).utf8 { append(byte) }
      return
    }
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension JSONBuffer {
  /// Appends a date that is stored as an integer: `"2024-05-01T12:30:00Z"`.
  ///
  /// - Returns: false outside the years 0001 to 9999; nothing is written then.
  package mutating func appendDate(integer seconds: Int64) -> Bool {
    guard seconds >= Instant.Stored.first, seconds <= Instant.Stored.last else { return false }
    appendDate(seconds, fraction: 0, digits: 0)
    return true
  }

  /// Appends a date that is stored as a double: `"2024-05-01T12:30:00.25Z"`.
  ///
  /// The fraction has one digit at least, and otherwise the fewest with which ``Instant/Stored`` reads
  /// back the very same double.
  ///
  /// - Returns: false if there is no such text: outside the years 0001 to 9999, for NaN and -0.0,
  ///   and for tiny numbers that need more than 17 digits. Nothing is written then.
  package mutating func appendDate(real seconds: Double) -> Bool {
    let magnitude = seconds.magnitude
    guard magnitude < 2.6e11, seconds != 0 || seconds.sign == .plus,
      let decimal = ShortestDecimal(magnitude)
    else { return false }
    let (whole, rest) = decimal.parts
    var (second, fraction) = (Int64(whole), rest)
    if seconds < 0 {
      // The fraction of a text counts forward from the second below.
      second = fraction > 0 ? -second - 1 : -second
      if fraction > 0 { fraction = DecimalPowers.integers[decimal.decimals] - fraction }
    }
    guard second >= Instant.Stored.first, second <= Instant.Stored.last else { return false }
    appendDate(second, fraction: fraction, digits: max(decimal.decimals, 1))
    return true
  }

  /// Writes a date with a number of fraction digits; without any, there is no point either.
  private mutating func appendDate(_ seconds: Int64, fraction: UInt64, digits: Int) {
    let fields = Instant.Fields(secondsSince2001: seconds)
    reserve(48)
    let output = unsafe base + count
    unsafe output[0] = 0x22
    unsafe Self.write(pair: fields.year / 100, at: output + 1)
    unsafe Self.write(pair: fields.year % 100, at: output + 3)
    unsafe output[5] = 0x2D
    unsafe Self.write(pair: fields.month, at: output + 6)
    unsafe output[8] = 0x2D
    unsafe Self.write(pair: fields.day, at: output + 9)
    unsafe output[11] = 0x54
    unsafe Self.write(pair: fields.hour, at: output + 12)
    unsafe output[14] = 0x3A
    unsafe Self.write(pair: fields.minute, at: output + 15)
    unsafe output[17] = 0x3A
    unsafe Self.write(pair: fields.second, at: output + 18)
    count &+= 20
    if digits > 0 {
      append(0x2E)
      appendDigits(fraction, width: digits)
    }
    append(0x5A)
    append(0x22)
  }
}

extension JSONBuffer {
  /// Appends an integer in decimal.
  package mutating func appendInteger(_ value: Int64) {
    if value < 0 { append(0x2D) }
    appendDigits(value.magnitude)
  }

  /// Appends a finite double in the shortest text that reads back to the same bits.
  ///
  /// The text always has a `.` or an `e`, so that it is never an integer: `3.0`, `1e+22`, `-0.0`.
  /// It is the text of `Double.description`.
  ///
  /// - Returns: false for the infinities and NaN; nothing is written then.
  package mutating func appendReal(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    guard let decimal = ShortestDecimal(quickly: value.magnitude) else {
      var text = value.description
      text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
      return true
    }
    if value.sign == .minus { append(0x2D) }
    let (whole, fraction) = decimal.parts
    appendDigits(whole)
    append(0x2E)
    appendDigits(fraction, width: max(decimal.decimals, 1))
    return true
  }

  /// Appends the decimal digits of a number, without leading zeros.
  mutating func appendDigits(_ value: UInt64) {
    appendDigits(value, width: DecimalPowers.digitCount(value))
  }

  /// Appends the lowest `width` decimal digits of a number, with leading zeros.
  mutating func appendDigits(_ value: UInt64, width: Int) {
    reserve(width)
    let output = unsafe base + count
    var rest = value
    var position = width
    while position >= 2 {
      let (next, pair) = rest.quotientAndRemainder(dividingBy: 100)
      position &-= 2
      unsafe Self.write(pair: Int(truncatingIfNeeded: pair), at: output + position)
      rest = next
    }
    if position == 1 { unsafe output[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10) }
    count &+= width
  }

  /// Writes a number below 100 as two digits.
  static func write(pair: Int, at output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).copyMemory(
      from: UnsafeRawPointer(pairs.utf8Start) + 2 * pair, byteCount: 2)
  }

  private static let pairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
}
