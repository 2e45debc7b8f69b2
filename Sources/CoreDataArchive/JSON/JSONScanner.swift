/// Reads a JSON text token by token, in place and without allocating.
///
/// Strictly RFC 8259: no comments, no trailing commas, no leading zeros, valid UTF-8, surrogates in pairs
/// only, nothing but white space after the value. The notation of a number, not its value, makes it an
/// integer or a real. The scanner does not detect duplicate keys.
///
/// A string is unescaped in place: an escape is never shorter than its meaning, so the bytes move
/// towards the beginning, and a ``JSONSlice`` refers to them. That changes the text, which can
/// therefore be scanned only once:
///
///     "title":"a\nb"      becomes      "title":"a<LF>bb"
///                                               ^ slice of 3 bytes
///
/// The open arrays and objects are the bits of `levels`, the innermost in bit 0; every 64 levels a full word
/// moves to `outerLevels`, so that usual depths need no memory.
///
/// The scanner reads nothing outside its text, and traps on no text. After an error, it must not be used
/// until it gets another text.
@safe
package struct JSONScanner: ~Copyable {
  /// The default maximum depth of arrays and objects.
  package static let defaultDepth = 512

  /// The possible next tokens.
  private enum Expectation {
    case value, firstElement, firstKey, separator, end
  }

  var base: UnsafeMutablePointer<UInt8>
  let emptyText: UnsafeMutablePointer<UInt8>
  var count: Int
  var position = 0
  private var expectation = Expectation.value
  private var levels: UInt64 = 0
  private var outerLevels: [UInt64] = []
  private var depth = 0
  private let maximumDepth: Int

  /// Creates a scanner of a text; the text is changed, and must stay until the scanner is done.
  package init(_ text: UnsafeMutableRawBufferPointer, maximumDepth: Int = defaultDepth) {
    unsafe emptyText = .allocate(capacity: 1)
    unsafe base = emptyText
    count = 0
    self.maximumDepth = maximumDepth
    unsafe reset(text)
  }

  deinit { unsafe emptyText.deallocate() }

  /// Starts over with another text.
  package mutating func reset(_ text: UnsafeMutableRawBufferPointer) {
    unsafe base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? emptyText
    count = text.count
    position = 0
    expectation = .value
    depth = 0
    levels = 0
    if !outerLevels.isEmpty { outerLevels.removeAll(keepingCapacity: true) }
  }

  /// The offset of the next byte to read, for messages.
  package var offset: Int { position }

  /// The next token; ``JSONToken/end`` repeatedly at the end.
  package mutating func next() throws(JSONError) -> JSONToken {
    // Nearly always: a value at once, without white space before it.
    if expectation == .value, position < count, unsafe base[position] > 0x20 {
      return unsafe try value(base[position])
    }
    skipSpace()
    guard position < count else {
      if expectation == .end { return .end }
      throw JSONError(.unexpectedEnd, at: position)
    }
    let byte = unsafe base[position]
    switch expectation {
    case .value:
      return try value(byte)
    case .firstElement:
      return byte == 0x5D ? close(.arrayEnd) : try value(byte)
    case .firstKey:
      return byte == 0x7D ? close(.objectEnd) : try key(byte)
    case .separator:
      return try afterValue(byte)
    case .end:
      throw JSONError(.trailingBytes, at: position)
    }
  }

  /// Skips the next value, of any kind; it must be valid.
  package mutating func skipValue() throws(JSONError) {
    let outer = depth
    repeat {
      if try next() == .end { throw JSONError(.unexpectedEnd, at: position) }
    } while depth > outer
  }

  /// Consumes the next key if it is the expected one, written as coffer writes it.
  ///
  /// The fast path for a reader that expects a key: it compares bytes without scanning. Returns false and
  /// consumes nothing for any other key, or if white space or an escape makes the same key look different;
  /// then use ``next()``.
  package mutating func takeKey(_ key: JSONKey) -> Bool {
    unsafe key.text.withUnsafeBytes { unsafe takeKey($0) }
  }

  /// Consumes the next key if it is written exactly so: quoted, with the colon.
  package mutating func takeKey(_ text: StaticString) -> Bool {
    unsafe takeKey(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Consumes the next key if it is written exactly so: quoted, with the colon.
  package mutating func takeKey(_ text: UnsafeRawBufferPointer) -> Bool {
    var start = position
    if expectation == .separator, levels & 1 == 1, depth > 0 {
      guard start < count, unsafe base[start] == 0x2C else { return false }
      start &+= 1
    } else if expectation != .firstKey {
      return false
    }
    guard let address = text.baseAddress, count &- start >= text.count,
      unsafe JSONBytes.areSame(base + start, address, count: text.count)
    else { return false }
    position = start &+ text.count
    expectation = .value
    return true
  }

  private mutating func skipSpace() {
    while position < count {
      let byte = unsafe base[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      position &+= 1
    }
  }

  private mutating func afterValue(_ byte: UInt8) throws(JSONError) -> JSONToken {
    let isObject = levels & 1 == 1
    if byte == 0x2C {
      position &+= 1
      skipSpace()
      guard position < count else { throw JSONError(.unexpectedEnd, at: position) }
      return unsafe isObject ? try key(base[position]) : try value(base[position])
    }
    if byte == 0x7D, isObject { return close(.objectEnd) }
    if byte == 0x5D, !isObject { return close(.arrayEnd) }
    throw JSONError(.unexpectedByte, at: position)
  }

  private mutating func key(_ byte: UInt8) throws(JSONError) -> JSONToken {
    guard byte == 0x22 else { throw JSONError(.unexpectedByte, at: position) }
    let slice = try scanString()
    skipSpace()
    guard position < count else { throw JSONError(.unexpectedEnd, at: position) }
    guard unsafe base[position] == 0x3A else { throw JSONError(.unexpectedByte, at: position) }
    position &+= 1
    expectation = .value
    return .key(slice)
  }

  private mutating func value(_ byte: UInt8) throws(JSONError) -> JSONToken {
    switch byte {
    case 0x22:
      let slice = try scanString()
      valueEnded()
      return .string(slice)
    case 0x2D, 0x30...0x39:
      let number = try scanNumber()
      valueEnded()
      return number
    case 0x7B: return try open(isObject: true)
    case 0x5B: return try open(isObject: false)
    case 0x74: return try word("true", .bool(true))
    case 0x66: return try word("false", .bool(false))
    case 0x6E: return try word("null", .null)
    default: throw JSONError(.unexpectedByte, at: position)
    }
  }

  private mutating func valueEnded() {
    expectation = depth == 0 ? .end : .separator
  }

  private mutating func word(
    _ text: StaticString, _ token: JSONToken
  ) throws(JSONError) -> JSONToken {
    for index in 0..<text.utf8CodeUnitCount {
      guard position < count else { throw JSONError(.unexpectedEnd, at: position) }
      guard unsafe base[position] == text.utf8Start[index] else {
        throw JSONError(.unexpectedByte, at: position)
      }
      position &+= 1
    }
    valueEnded()
    return token
  }

  private mutating func open(isObject: Bool) throws(JSONError) -> JSONToken {
    guard depth < maximumDepth else { throw JSONError(.tooDeep, at: position) }
    if depth > 0, depth % 64 == 0 { outerLevels.append(levels) }
    levels = levels << 1 | (isObject ? 1 : 0)
    depth &+= 1
    position &+= 1
    expectation = isObject ? .firstKey : .firstElement
    return isObject ? .objectStart : .arrayStart
  }

  private mutating func close(_ token: JSONToken) -> JSONToken {
    depth &-= 1
    levels >>= 1
    if depth > 0, depth % 64 == 0 { levels = outerLevels.removeLast() }
    position &+= 1
    valueEnded()
    return token
  }
}
