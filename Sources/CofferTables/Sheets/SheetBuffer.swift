internal import CoreDataModel
package import CoreDataStore
internal import POSIX

/// The memory that a table passes through.
///
/// Values are places in it. The byte before a place may be overwritten: it belongs to a separator, which is
/// not read again.
@safe package final class SheetBuffer {
  private static let pieceSize = 256 << 10
  /// The maximum number of bytes of a record, so that neither a large value nor an unclosed quote fills the memory.
  static let largestRecord = 64 << 20

  private var memory: UnsafeMutableRawBufferPointer
  private var capacity: Int
  /// The end of the bytes that have been read.
  private(set) var end = 1
  /// The first byte that belongs to no record so far.
  var position = 1
  private let descriptor: Int32
  private let path: String
  private var isAtEnd: Bool

  /// Opens a file.
  init(path: String) throws(CofferError) {
    do throws(SystemError) {
      descriptor = try FileBytes.openRegular(path)
    } catch {
      if error.number == EINVAL { throw SheetPlace(path: path).error("it is not a regular file") }
      throw CofferError(reading: path, error)
    }
    self.path = path
    isAtEnd = false
    capacity = Self.pieceSize
    unsafe memory = .allocate(byteCount: Self.pieceSize, alignment: 8)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Creates memory for values from elsewhere.
  package init() {
    descriptor = -1
    path = ""
    isAtEnd = true
    capacity = 1 << 12
    unsafe memory = .allocate(byteCount: 1 << 12, alignment: 8)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe memory.deallocate()
    if descriptor >= 0 { FileIO.close(descriptor) }
  }

  /// Checks that the file is not in another encoding, which a mark or a zero in its first character shows.
  ///
  /// - Throws: `CofferError` with `invalid-table`, or `read-failed`.
  func requireUTF8() throws(CofferError) {
    while end < 5, try more() {}
    let first = (1..<min(end, 5)).map { self[$0] }
    let encoding: String? =
      switch first {
      case [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0]: "UTF-32"
      case _ where first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]): "UTF-16"
      case _ where first.count > 1 && first[0] == 0 && first[1] != 0: "UTF-16"
      case _ where first.count > 1 && first[0] != 0 && first[1] == 0: "UTF-16"
      default: nil
      }
    guard let encoding else { return }
    throw SheetPlace(path: path).error(
      "it is in \(encoding), and tables are in UTF-8",
      advice: .sentence(
        "Convert it: iconv -f \(encoding) -t UTF-8 FILE > NEWFILE; in a spreadsheet, export “CSV UTF-8”."
      ))
  }

  /// Moves the bytes from ``position`` on to the beginning, and reads more bytes after them.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: `CofferError` with `read-failed`, or with `invalid-table` for a record without an end.
  func more() throws(CofferError) -> Bool {
    guard !isAtEnd else { return false }
    let count = end - position
    guard count <= Self.largestRecord else { throw Self.tooLarge(SheetPlace(path: path)) }
    if position > 1 {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[position..<end])
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[1..<(count + 1)])
        .copyMemory(from: rest)
      position = 1
      end = count + 1
    }
    if capacity - end < Self.pieceSize / 2 { resize(to: capacity * 2) }
    do throws(SystemError) {
      // No more than shows that a record is too large, also where its end would follow.
      let last = min(capacity, position + Self.largestRecord + 1)
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end..<last])
      let read = unsafe try FileIO.read(descriptor, into: room)
      end += read
      isAtEnd = read == 0
    } catch {
      throw CofferError(.readFailed, path: path, detail: error.text)
    }
    return !isAtEnd
  }

  /// The error about a record that is too large.
  static func tooLarge(_ place: SheetPlace) -> CofferError {
    place.error(
      "a record has more than \(largestRecord >> 20) MiB", advice: "Keep large values in files.")
  }

  private func resize(to size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    unsafe larger.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(memory))
    unsafe memory.deallocate()
    unsafe memory = larger
    capacity = size
  }

  /// Removes all bytes, of memory without a file.
  package func removeAll() { end = 1 }

  /// Appends bytes, of memory without a file, with a byte before them that may be overwritten.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    let start = end + 1
    if start + bytes.count > capacity { resize(to: (start + bytes.count) * 2) }
    end = start + bytes.count
    if bytes.count > 0 {
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<end]).copyMemory(from: bytes)
    }
    return start..<end
  }

  /// Keeps a value of a database.
  package func append(_ value: SQLiteValue) -> SheetValue {
    switch value {
    case .null: .none
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let bytes): unsafe bytes.withUnsafeBytes { unsafe .text(append($0)) }
    case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe .blob(append($0)) }
    }
  }

  /// One byte; the place must be one that was read.
  @inline(__always) subscript(_ place: Int) -> UInt8 {
    get {
      precondition(place >= 0 && place < end, "no such byte")
      return unsafe memory[place]
    }
    set {
      precondition(place >= 0 && place < end, "no such byte")
      unsafe memory[place] = newValue
    }
  }

  /// Bytes, valid until the next record is read.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(mutableBytes(range))
  }

  /// Bytes to change, valid until the next record is read.
  func mutableBytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= end, "no such bytes")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[range])
  }

  /// Bytes as a text; invalid UTF-8 becomes U+FFFD.
  func string(_ range: Range<Int>) -> String {
    unsafe String(decoding: bytes(range), as: UTF8.self)
  }

  /// The parts of a list in one text, separated by semicolons.
  func parts(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for place in range where self[place] == UInt8(ascii: ";") {
      parts.append(start..<place)
      start = place + 1
    }
    return range.isEmpty ? [] : parts + [start..<range.upperBound]
  }

  func equal(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count
    where unsafe self[range.lowerBound + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// The place of the next byte of a value; nil if there is none among the bytes that were read.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < end else { return nil }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    return unsafe rest.firstIndex(of: byte).map { start + $0 }
  }
}
