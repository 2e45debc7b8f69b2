internal import CoreDataArchive

extension FuzzTarget {
  /// Words of JSON.
  static let jsonWords = [
    "null", "true", "false", "{", "}", "[", "]", ":", ",", "\"", "\\u0000", "\\ud83d\\ude00", "\\",
    "\\ud83d", "\\n", "{\"a\":", "[[[[[[[[", "1e", "-", ".", "\u{1}", "\r\n\t ", "\u{e9}",
  ]

  /// JSON texts of every kind of value.
  static let jsonSeeds = [
    #"{"$pk":7,"age":-12,"big":9223372036854775807,"ratio":-1.5e-7,"none":null,"flag":true}"#,
    #"[[],{},[1,2,[3]],{"$real":"Infinity"},"ein \"Zitat\" \\ \u00e9\ud83d\ude00 漢字 😀\n"]"#,
    #" { "a" : { "b" : { "c" : [ false , 0.1 , -0 , -0.0 , 1E+5 ] } } } "#, "\"\"", "0",
    String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
    #"{"e\#u{301}":1,"\#u{e9}":2}"#, "{\"a\":1,\"a\":2}", "[1e400]", "[18446744073709551616]",
  ].map { Array($0.utf8) }

  /// The JSON reader: the scanner by itself, and documents.
  static let json = FuzzTarget(
    "json", "the scanner and documents agree; a document written in any layout reads the same",
    words: jsonWords, seeds: { jsonSeeds },
    change: { try JSONValue.mutate(&$0, words: jsonWords, &$1) }
  ) { input in
    let limits = JSONLimits(documentOf: .standard)
    let guarded = try GuardedBytes.copy(input)
    let scanned = unsafe scan(guarded.bytes, depth: limits.depth)
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(input, limits: limits)
    } catch {
      // Only the document notices a key that comes twice.
      if error.kind == .duplicateKey || error.kind == .tooLarge { return }
      try hold(scanned == error, "the document ends with \(error), the scanner otherwise")
      return
    }
    try hold(scanned == nil, "the scanner refuses a document that is read")
    for layout in [JSONLayout.compact, .indented, .levels(2)] {
      let text = value.bytes(layout: layout)
      let again = try? JSONValue.parse(text, limits: limits)
      try hold(again == value, "a document reads otherwise when it is written (\(layout))")
      try hold(again?.bytes(layout: layout) == text, "a document is written in two ways")
    }
  }

  /// Scans a text to its end, and examines strings in place; the error, or nil.
  private static func scan(_ text: UnsafeMutableRawBufferPointer, depth: Int) -> JSONError? {
    var scanner = unsafe JSONScanner(text, maximumDepth: depth)
    do throws(JSONError) {
      while true {
        switch try scanner.next() {
        case .end: return nil
        case .key(let slice), .string(let slice):
          guard unsafe UTF8Text.isValid(scanner.bytes(of: slice)) else {
            return JSONError(.invalidUTF8, at: -1)
          }
        default: break
        }
      }
    } catch {
      return error
    }
  }
}
