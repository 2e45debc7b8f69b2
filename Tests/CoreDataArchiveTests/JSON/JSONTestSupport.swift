internal import CoreDataArchive
internal import POSIX
internal import Testing

/// A generator of random numbers that gives the same ones for the same seed (SplitMix64).
struct JSONTestRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A token with its strings taken out of the text.
enum PlainToken: Equatable {
  case objectStart, objectEnd, arrayStart, arrayEnd, null
  case key(String)
  case string(String)
  case integer(Int64)
  case real(UInt64)
  case bool(Bool)
}

/// A text whose last byte is the last readable one of its page: reading on is a crash.
@safe final class GuardedText {
  private let mapping: UnsafeMutableRawPointer
  private let pageSize: Int
  private let room: Int

  init(room: Int) throws {
    pageSize = Int(getpagesize())
    self.room = (room + pageSize - 1) / pageSize * pageSize
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    let size = self.room + pageSize
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    unsafe mapping = try #require(memory)
    try #require(unsafe mprotect(mapping + self.room, pageSize, PROT_NONE) == 0)
  }

  deinit { unsafe munmap(mapping, room + pageSize) }

  /// Scans a copy of the text at the end of the page, to the end or to the first error.
  func tokens(_ text: some Collection<UInt8>, depth: Int = 64) throws -> [PlainToken] {
    try #require(text.count <= room)
    let target = unsafe UnsafeMutableRawBufferPointer(
      start: mapping + (room - text.count), count: text.count)
    unsafe target.copyBytes(from: text)
    var scanner = unsafe JSONScanner(target, maximumDepth: depth)
    return try scanner.remainingTokens()
  }
}

extension JSONScanner {
  mutating func remainingTokens() throws -> [PlainToken] {
    var tokens: [PlainToken] = []
    while true {
      switch try next() {
      case .objectStart: tokens.append(.objectStart)
      case .objectEnd: tokens.append(.objectEnd)
      case .arrayStart: tokens.append(.arrayStart)
      case .arrayEnd: tokens.append(.arrayEnd)
      case .null: tokens.append(.null)
      case .key(let slice): tokens.append(.key(string(of: slice)))
      case .string(let slice): tokens.append(.string(string(of: slice)))
      case .integer(let value): tokens.append(.integer(value))
      case .real(let value): tokens.append(.real(value.bitPattern))
      case .bool(let value): tokens.append(.bool(value))
      case .end: return tokens
      }
    }
  }
}

/// The tokens of a text; throws the scanner's error.
func tokens(_ text: some Collection<UInt8>, depth: Int = 64) throws -> [PlainToken] {
  var copy = Array(text)
  return try unsafe copy.withUnsafeMutableBytes { bytes in
    var scanner = unsafe JSONScanner(bytes, maximumDepth: depth)
    return try scanner.remainingTokens()
  }
}

/// The bytes that a closure writes.
func written(_ body: (inout JSONBuffer) -> Void) -> [UInt8] {
  var buffer = JSONBuffer(minimumCapacity: 0)
  body(&buffer)
  return buffer.bytes()
}

/// The text that a closure writes.
func writtenText(_ body: (inout JSONBuffer) -> Void) -> String {
  String(decoding: written(body), as: UTF8.self)
}

/// What the writer makes of some bytes; nil when it refuses them.
func jsonString(_ bytes: [UInt8]) -> [UInt8]? {
  var buffer = JSONBuffer(minimumCapacity: 0)
  buffer.append("before")
  let isWritten = unsafe bytes.withUnsafeBytes { unsafe buffer.appendString(utf8: $0) }
  guard isWritten else { return buffer.bytes() == Array("before".utf8) ? nil : [] }
  return Array(buffer.bytes().dropFirst(6))
}

/// What the writer makes of a double; nil when it refuses it.
func jsonReal(_ value: Double) -> String? {
  var buffer = JSONBuffer(minimumCapacity: 0)
  guard buffer.appendReal(value) else { return buffer.count == 0 ? nil : "" }
  return String(decoding: buffer.bytes(), as: UTF8.self)
}

/// What the scanner reads from the text of a number.
func scannedReal(_ text: String) -> Double? {
  var bytes = Array(text.utf8)
  return unsafe bytes.withUnsafeMutableBytes { unsafe RealText.parse(UnsafeRawBufferPointer($0)) }
}
