internal import POSIX

/// A growing output buffer that JSON is written to, byte by byte and value by value.
///
/// The buffer owns its memory and is written through a pointer: each writer reserves space once per
/// value and then stores without checks. Nothing is allocated per value. A writer that returns
/// `false` leaves the buffer unchanged.
@safe
package struct JSONBuffer: ~Copyable {
  /// The memory: `count` of `capacity` bytes are in use.
  var base: UnsafeMutablePointer<UInt8>
  /// The number of bytes written so far.
  package internal(set) var count: Int
  private var capacity: Int

  /// Creates an empty buffer with room for that many bytes.
  package init(minimumCapacity: Int = 1 << 16) {
    capacity = max(minimumCapacity, 64)
    count = 0
    guard let memory = unsafe malloc(capacity) else { fatalError("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: capacity)
  }

  deinit { unsafe free(base) }

  /// Empties the buffer; its memory stays for the next use unless told otherwise.
  package mutating func removeAll(keepingCapacity: Bool = true) {
    count = 0
    if !keepingCapacity, capacity > 64 { resize(to: 64) }
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

  /// A copy of the bytes written so far.
  package borrowing func bytes() -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Makes room for that many more bytes.
  package mutating func reserve(_ room: Int) {
    if capacity &- count < room { grow(room) }
  }

  /// The bytes that can be written after position `position` without growing.
  func room(after position: Int) -> Int { capacity &- position }

  private mutating func grow(_ room: Int) {
    let (needed, overflow) = count.addingReportingOverflow(room)
    precondition(!overflow, "a JSON buffer cannot be larger than the address space")
    resize(to: max(needed, capacity.multipliedReportingOverflow(by: 2).partialValue))
  }

  private mutating func resize(to newCapacity: Int) {
    guard let memory = unsafe realloc(base, newCapacity) else { fatalError("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: newCapacity)
    capacity = newCapacity
  }

  /// Appends one byte.
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[count] = byte
    count &+= 1
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe memcpy(base + count, source, bytes.count)
    count &+= bytes.count
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: ContiguousArray<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Appends fixed text without escaping it; it must be ASCII or UTF-8.
  package mutating func append(_ text: StaticString) {
    guard text.hasPointerRepresentation else {
      for byte in String(describing: text).utf8 { append(byte) }
      return
    }
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
