internal import CoreDataModel

/// The limits of a document; a text beyond them is refused.
package struct JSONLimits: Sendable {
  /// The bytes of the text.
  package var bytes: Int
  /// The levels of arrays and objects; reading and writing take stack space for each.
  package var depth: Int
  /// The number of values, keys not counted.
  package var values: Int

  /// Creates limits.
  package init(bytes: Int, depth: Int, values: Int) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
  }

  /// The limits of a document of an archive.
  package init(documentOf limits: ArchiveLimits = .standard) {
    self.init(
      bytes: limits.documentSize, depth: limits.documentDepth, values: limits.documentValues)
  }

  /// The limit that a document exceeds, or nil for other defects.
  package func exceeded(by error: JSONError) -> ArchiveLimits.Name? {
    switch error.kind {
    case .tooDeep: .documentDepth
    // The bytes are counted before anything is read.
    case .tooLarge: error.offset == bytes ? .documentSize : .documentValues
    default: nil
    }
  }
}

extension JSONValue {
  /// Reads the only value of a text.
  ///
  /// - Throws: every kind of ``JSONError``; `duplicateKey` with the offset after the second key. Keys are
  ///   duplicates if Swift's `==` finds them equal, by canonical equivalence.
  package static func parse(
    _ text: some Collection<UInt8>, limits: JSONLimits = JSONLimits(documentOf: .standard)
  ) throws(JSONError) -> JSONValue {
    guard text.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
    var copy = ContiguousArray(text)
    let result: Result<JSONValue, JSONError> = unsafe copy.withUnsafeMutableBytes { bytes in
      var parser = unsafe DocumentParser(
        scanner: JSONScanner(bytes, maximumDepth: limits.depth), remaining: limits.values)
      return Result { () throws(JSONError) in try parser.document() }
    }
    return try result.get()
  }

  /// Reads the only value of a text, as the other form does.
  package static func parse(
    _ text: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits(documentOf: .standard)
  ) throws(JSONError) -> JSONValue {
    try unsafe parse(
      UnsafeBufferPointer(
        start: text.baseAddress?.assumingMemoryBound(to: UInt8.self), count: text.count),
      limits: limits)
  }
}

/// Builds a value from the tokens of a scanner.
private struct DocumentParser: ~Copyable {
  var scanner: JSONScanner
  /// The number of values still allowed.
  var remaining: Int

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(scanner.next())
    _ = try scanner.next()
    return value
  }

  private mutating func value(_ token: JSONToken) throws(JSONError) -> JSONValue {
    guard remaining > 0 else { throw JSONError(.tooLarge, at: scanner.offset) }
    remaining -= 1
    switch token {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .string(let slice): return .string(scanner.string(of: slice))
    case .arrayStart: return try array()
    case .objectStart: return try object()
    case .arrayEnd, .objectEnd, .key, .end:
      // The scanner never returns these in place of a value.
      throw JSONError(.unexpectedByte, at: scanner.offset)
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    while true {
      let token = try scanner.next()
      if token == .arrayEnd { return .array(elements) }
      elements.append(try value(token))
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var object = JSONObject()
    var keys: Set<Name> = []
    while case .key(let slice) = try scanner.next() {
      let key = scanner.string(of: slice)
      guard keys.insert(Name(key)).inserted else {
        throw JSONError(.duplicateKey, at: scanner.offset)
      }
      object.append(key, try value(scanner.next()))
    }
    return .object(object)
  }
}
