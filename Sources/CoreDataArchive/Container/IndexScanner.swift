internal import CoreDataModel

/// A strict reader of the JSON of index.json, which needs no tree of values in memory.
///
/// It reads forward; whoever calls says what is expected next. Numbers are integers; other numbers can only be
/// skipped.
struct IndexScanner {
  /// Why the JSON cannot be read; the text is for people.
  struct Problem: Error {
    var code = CofferError.Code.damagedArchive
    var text: String
    /// The limit that is exceeded; nil where something else is wrong.
    var limit: ArchiveLimits.Name?

    init(code: CofferError.Code = .damagedArchive, text: String) {
      self.code = code
      self.text = text
    }

    init(_ text: String) { self.text = text }

    init(exceeding limit: ArchiveLimits.Name, _ text: String) {
      code = .archiveLimit
      self.text = text
      self.limit = limit
    }
  }

  /// What an archive may hold at most.
  let limits: ArchiveLimits

  private let bytes: ContiguousArray<UInt8>
  private var position = 0
  private var depth = 0

  init(_ bytes: ContiguousArray<UInt8>, limits: ArchiveLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Reads an object; the body reads the value of each key.
  mutating func object(
    _ body: (String, inout IndexScanner) throws(Problem) -> Void
  ) throws(Problem) {
    try open(0x7b)
    if !take(0x7d) {
      var keys = KeySet()
      repeat {
        let key = try string()
        guard keys.insert(key) else { throw wrong("a key that was not there before") }
        try expect(0x3a)
        try body(key, &self)
      } while take(0x2c)
      try expect(0x7d)
    }
    depth -= 1
  }

  /// Reads an array; the body reads each element.
  mutating func array(_ body: (inout IndexScanner) throws(Problem) -> Void) throws(Problem) {
    try open(0x5b)
    if !take(0x5d) {
      repeat { try body(&self) } while take(0x2c)
      try expect(0x5d)
    }
    depth -= 1
  }

  /// Reads an integer.
  mutating func integer() throws(Problem) -> Int64 {
    skipSpace()
    let start = position
    if peek == 0x2d { position += 1 }
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    let digits = bytes[start..<position]
    let leadsWithZero = digits.drop { $0 == 0x2d }.first == 0x30 && digits.count > 1
    guard !leadsWithZero, let value = Int64(String(decoding: digits, as: UTF8.self)) else {
      throw wrong("an integer")
    }
    return value
  }

  /// Reads a count, a size or an offset.
  mutating func size() throws(Problem) -> Int {
    let number = try integer()
    guard let size = Int(exactly: number), (0...ArchiveLimits.fileSize).contains(size) else {
      throw wrong("a size")
    }
    return size
  }

  /// Reads a string.
  mutating func string() throws(Problem) -> String {
    try expect(0x22)
    var text: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case 0x22:
        guard let string = String(validating: text, as: UTF8.self) else { throw wrong("UTF-8") }
        return string
      case 0x5c: try appendEscape(to: &text)
      case 0..<0x20: throw wrong("a string")
      default: text.append(byte)
      }
    }
    throw wrong("the end of a string")
  }

  /// Skips a value of any kind.
  mutating func skipValue() throws(Problem) {
    skipSpace()
    switch peek {
    case 0x7b: try object { _, scanner throws(Problem) in try scanner.skipValue() }
    case 0x5b: try array { scanner throws(Problem) in try scanner.skipValue() }
    case 0x22: _ = try string()
    default:
      let start = position
      while let byte = peek, Self.isPartOfLiteral(byte) { position += 1 }
      let literal = String(decoding: bytes[start..<position], as: UTF8.self)
      guard ["true", "false", "null"].contains(literal) || Double(literal)?.isFinite == true else {
        throw wrong("a value")
      }
    }
  }

  /// Checks that nothing but white space follows.
  mutating func end() throws(Problem) {
    skipSpace()
    guard position == bytes.count else { throw wrong("the end") }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isPartOfLiteral(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7a, 0x45, 0x2b, 0x2d, 0x2e: true
    default: false
    }
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(Problem) {
    guard take(byte) else { throw wrong("'\(Character(UnicodeScalar(byte)))'") }
  }

  private mutating func open(_ byte: UInt8) throws(Problem) {
    try expect(byte)
    depth += 1
    guard depth <= limits.indexDepth else {
      throw Problem(exceeding: .indexDepth, "it nests deeper")
    }
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(Problem) {
    guard let byte = peek else { throw wrong("an escape") }
    position += 1
    switch byte {
    case 0x22, 0x5c, 0x2f: text.append(byte)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0c)
    case 0x6e: text.append(0x0a)
    case 0x72: text.append(0x0d)
    case 0x74: text.append(0x09)
    case 0x75:
      var scalar = try hexUnit()
      if (0xd800..<0xdc00).contains(scalar) {
        guard peek == 0x5c else { throw wrong("the second half of a surrogate pair") }
        position += 1
        guard peek == 0x75 else { throw wrong("the second half of a surrogate pair") }
        position += 1
        let low = try hexUnit()
        guard (0xdc00..<0xe000).contains(low) else { throw wrong("a surrogate pair") }
        scalar = 0x10000 + ((scalar - 0xd800) << 10) + (low - 0xdc00)
      }
      guard let character = UnicodeScalar(scalar) else { throw wrong("a character") }
      text += String(Character(character)).utf8
    default: throw wrong("an escape")
    }
  }

  private mutating func hexUnit() throws(Problem) -> UInt32 {
    guard bytes.count - position >= 4 else { throw wrong("four hexadecimal digits") }
    var value: UInt32 = 0
    for byte in bytes[position..<(position + 4)] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else {
        throw wrong("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }

  private func wrong(_ expected: String) -> Problem {
    Problem("\(expected) was expected at its byte \(position)")
  }
}
