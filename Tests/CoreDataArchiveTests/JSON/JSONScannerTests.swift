internal import CoreDataArchive
internal import Testing

@Suite struct JSONScannerTests {
  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "123456789", "0.0", "-0.0", "0.5", "1e5", "1E5", "1e+5", "1e-5",
    "1.5e10", "0e0", "0e+1", "123.456e-7", "9223372036854775807", "-9223372036854775808",
    "1.7976931348623157e308", "5e-324", "1e-400", "true", "false", "null", "\"\"", "\"a\"",
    #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u0041""#, #""\uD83D\uDE00""#, #""\ud83d\ude00""#,
    #""\uFFFF""#, #""\uE000\uDBFF\uDFFF""#, "\"\u{7F}\"", "\"\u{2028}\u{2029}\"", "\"é漢😀\"",
    "\"\u{FEFF}\"", "\"\u{10FFFF}\"", "[]", "[ ]", "[[]]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[]]",
    "[null,true,false]", "{}", "{ }", #"{"a":1}"#, #"{"a":1,"b":2}"#, #"{ "a" : 1 , "b" : [ ] }"#,
    #"{"":0}"#, #"{"a":{"a":{}}}"#, #"{"a":1,"a":2}"#, #"{"\u0061":1}"#, " 1", "1 ",
    "\t\n\r 1 \t\n\r",
    "[\n]", "{\"a\":[{\"b\":[{}]}]}", "[1.0,1]", "\"\\u0000x\\u0000\"", "[0,0]",
    "{\"a\":\"b\",\"c\":null}", "[{},{}]", "{\"a\":[],\"b\":{}}", "[-1.5E-3]",
  ])
  func validTextsPass(text: String) throws {
    let guarded = try GuardedText(room: 4_096)
    _ = try guarded.tokens(text.utf8)
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("tru", .unexpectedEnd, 3),
      ("nul", .unexpectedEnd, 3), ("fals", .unexpectedEnd, 4), ("truth", .unexpectedByte, 3),
      ("True", .unexpectedByte, 0), ("nan", .unexpectedByte, 1), ("NaN", .unexpectedByte, 0),
      ("Infinity", .unexpectedByte, 0), ("-Infinity", .invalidNumber, 1), ("-", .unexpectedEnd, 1),
      ("+1", .unexpectedByte, 0), ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2),
      ("1e-", .unexpectedEnd, 3), ("-0.", .unexpectedEnd, 3), ("00", .invalidNumber, 0),
      ("01", .invalidNumber, 0), ("[01]", .invalidNumber, 1),
      ("[-01]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3), (".5", .unexpectedByte, 0),
      ("[-.5]", .invalidNumber, 2), ("[1.e5]", .invalidNumber, 3), ("[1e]", .invalidNumber, 3),
      ("[1e+]", .invalidNumber, 4), ("[0x1]", .unexpectedByte, 2), ("1 2", .trailingBytes, 2),
      ("1,", .trailingBytes, 1), ("[1.5.5]", .unexpectedByte, 4), ("[1 2]", .unexpectedByte, 3),
      ("[--1]", .invalidNumber, 2), ("[1+1]", .unexpectedByte, 2), ("[", .unexpectedEnd, 1),
      ("]", .unexpectedByte, 0), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
      ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[,]", .unexpectedByte, 1),
      ("[1,,2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2), ("[1;2]", .unexpectedByte, 2),
      ("[]]", .trailingBytes, 2), ("{", .unexpectedEnd, 1), ("}", .unexpectedByte, 0),
      ("{]", .unexpectedByte, 1), ("{\"a\"}", .unexpectedByte, 4), ("{\"a\":}", .unexpectedByte, 5),
      ("{\"a\" 1}", .unexpectedByte, 5), ("{\"a\":1,}", .unexpectedByte, 7),
      ("{\"a\":1]", .unexpectedByte, 6), ("{1:1}", .unexpectedByte, 1),
      ("{a:1}", .unexpectedByte, 1),
      ("{'a':1}", .unexpectedByte, 1), ("{null:1}", .unexpectedByte, 1),
      ("{,}", .unexpectedByte, 1),
      ("{\"a\":1 \"b\":2}", .unexpectedByte, 7), ("{\"a\"::1}", .unexpectedByte, 5),
      ("{\"a\":1,,}", .unexpectedByte, 7), ("{}{}", .trailingBytes, 2),
      ("{\"a\"", .unexpectedEnd, 4),
      ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1", .unexpectedEnd, 6), ("\"", .unexpectedEnd, 1),
      ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2), ("\"\\\"", .unexpectedEnd, 3),
      ("\"\\u", .unexpectedEnd, 3), ("\"\\u12", .unexpectedEnd, 5), ("'a'", .unexpectedByte, 0),
      (#""\x41""#, .invalidEscape, 1), (#""\'""#, .invalidEscape, 1),
      (#""\U0041""#, .invalidEscape, 1),
      (#""\u00G0""#, .invalidEscape, 1), (#""\u+041""#, .invalidEscape, 1),
      (#""\0""#, .invalidEscape, 1),
      (#""\uD800""#, .loneSurrogate, 1), (#""\uDC00""#, .loneSurrogate, 1),
      (#""\uD800x""#, .loneSurrogate, 1), (#""\uD800\n""#, .loneSurrogate, 1),
      (#""\uD800\uD800""#, .loneSurrogate, 1), (#""\uDC00\uD800""#, .loneSurrogate, 1),
      (#""\uD800\u0041""#, .loneSurrogate, 1), ("\"\\uD800", .unexpectedEnd, 7),
      ("\"a\u{1}\"", .controlCharacter, 2), ("\"a\nb\"", .controlCharacter, 2),
      ("\"12345678\u{0}\"", .controlCharacter, 9), ("\"\t\"", .controlCharacter, 1),
      ("\u{FEFF}1", .unexpectedByte, 0), ("1\u{0}", .trailingBytes, 1),
      ("[1]\u{B}", .trailingBytes, 3),
      ("\u{C}1", .unexpectedByte, 0), ("\u{A0}1", .unexpectedByte, 0),
      ("// no\n1", .unexpectedByte, 0),
      ("[1/**/]", .unexpectedByte, 2), ("#", .unexpectedByte, 0), ("\"a\"\"b\"", .trailingBytes, 3),
    ] as [(String, JSONError.Kind, Int)])
  func invalidTextsFailWithTheirKindAndOffset(
    text: String, kind: JSONError.Kind, offset: Int
  ) throws {
    let guarded = try GuardedText(room: 4_096)
    #expect(throws: JSONError(kind, at: offset)) { _ = try guarded.tokens(text.utf8) }
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82],
      [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8Fails(bytes: [UInt8]) {
    #expect(throws: JSONError(.invalidUTF8, at: 3)) {
      _ = try tokens(Array("[\"a".utf8) + bytes + Array("\"]".utf8))
    }
    #expect(throws: JSONError(.unexpectedByte, at: 1)) {
      _ = try tokens(Array("[".utf8) + bytes + Array("]".utf8))
    }
  }

  @Test func tokensComeInOrderWithTheirValues() throws {
    let text = #" {"a\u0301":[1,2.0,-0,-0.0,"x\ty",true,false,null],"":{}} "#
    let expected: [PlainToken] = [
      .objectStart, .key("a\u{301}"), .arrayStart, .integer(1), .real(2.0.bitPattern), .integer(0),
      .real((-0.0).bitPattern), .string("x\ty"), .bool(true), .bool(false), .null, .arrayEnd,
      .key(""), .objectStart, .objectEnd, .objectEnd,
    ]
    #expect(try tokens(text.utf8) == expected)
  }

  @Test func depthIsLimited() throws {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 500] {
      let opening = String(repeating: "[{\"a\":", count: depth / 2) + (depth % 2 == 1 ? "[" : "")
      let closing = (depth % 2 == 1 ? "]" : "0") + String(repeating: "}]", count: depth / 2)
      let text = opening + closing
      #expect(try tokens(text.utf8, depth: depth).count > depth)
      #expect(throws: JSONError.self) { _ = try tokens(text.utf8, depth: depth - 1) }
    }
    let hostile = String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONError(.tooDeep, at: 64)) { _ = try tokens(hostile.utf8) }
    #expect(throws: JSONError(.tooDeep, at: 0)) { _ = try tokens("[]".utf8, depth: 0) }
    #expect(try tokens("1".utf8, depth: 0) == [.integer(1)])
  }

  /// Lends a scanner of a text.
  private func scan<Result>(
    _ text: String, _ body: (inout JSONScanner) throws -> Result
  ) rethrows -> Result {
    var bytes = Array(text.utf8)
    return try unsafe bytes.withUnsafeMutableBytes { bytes in
      var scanner = unsafe JSONScanner(bytes)
      return try body(&scanner)
    }
  }

  @Test func aValueIsSkippedWhole() throws {
    let rest = try scan(#"{"a":{"b":[1,{"c":"]}"}],"d":2},"e":"f","g":7}"#) { scanner in
      _ = try scanner.next()
      _ = try scanner.next()
      try scanner.skipValue()
      _ = try scanner.next()
      try scanner.skipValue()
      return try scanner.remainingTokens()
    }
    #expect(rest == [.key("g"), .integer(7), .objectEnd])
  }

  @Test(arguments: ["", "[1", "[}", "{\"a\":nul}"])
  func skippingAtTheEndOrOverDamageIsAnError(text: String) {
    #expect(throws: JSONError.self) { try scan(text) { try $0.skipValue() } }
  }

  @Test func aKeyIsTakenOnlyIfEachOfItsBytesIsThere() throws {
    for length in 0...40 {
      let name = String("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst".prefix(length))
      let key = JSONKey(name)
      try scan("{\"\(name)\":1}") { scanner in
        _ = try scanner.next()
        let isTaken = scanner.takeKey(key)
        #expect(isTaken)
      }
      for position in 0..<length {
        var other = Array(name.utf8)
        other[position] = UInt8(ascii: "#")
        try scan("{\"\(String(decoding: other, as: UTF8.self))\":1}") { scanner in
          _ = try scanner.next()
          let isTaken = scanner.takeKey(key)
          #expect(!isTaken, "\(length), \(position)")
        }
      }
      try scan("{\"\(name)\"") { scanner in
        _ = try scanner.next()
        let isTaken = scanner.takeKey(key)
        #expect(!isTaken, "the text ends before the colon")
      }
    }
  }

  @Test func anExpectedKeyIsTakenOnlyAtItsPlace() throws {
    let (pk, title) = (JSONKey("$pk"), JSONKey("ti\"tle"))
    try scan(#"{"$pk":7,"ti\"tle":"x", "$pk":[{"$pk":1}]}"#) { scanner in
      var taken = [scanner.takeKey(pk)]
      _ = try scanner.next()
      taken += [scanner.takeKey(title), scanner.takeKey(pk), scanner.takeKey(pk)]
      #expect(taken == [false, false, true, false])
      let value = try scanner.next()
      #expect(value == .integer(7))
      taken = [scanner.takeKey(title)]
      try scanner.skipValue()
      taken.append(scanner.takeKey(pk))
      #expect(taken == [true, false], "white space stands before the second")
      guard case .key(let slice) = try scanner.next() else {
        Issue.record("a key")
        return
      }
      let matches = [scanner.matches(slice, pk), scanner.matches(slice, title)]
      #expect(matches == [true, false])
      _ = try scanner.next()
      taken = [scanner.takeKey(pk)]
      _ = try scanner.next()
      taken.append(scanner.takeKey(pk))
      #expect(taken == [false, true])
      let rest = try scanner.remainingTokens()
      #expect(rest == [.integer(1), .objectEnd, .arrayEnd, .objectEnd])
      let isTakenAtTheEnd = scanner.takeKey(pk)
      #expect(!isTakenAtTheEnd)
    }
  }

  @Test func aSliceOfAnotherTextIsAMistakeOfTheReader() async {
    await #expect(processExitsWith: .failure) {
      var long = Array("\"long enough\"".utf8)
      var short = Array("1".utf8)
      try unsafe long.withUnsafeMutableBytes { long in
        try unsafe short.withUnsafeMutableBytes { short in
          var scanner = unsafe JSONScanner(long)
          guard case .string(let slice) = try scanner.next() else { return }
          unsafe scanner.reset(short)
          _ = scanner.string(of: slice)
        }
      }
    }
  }

  @Test func aScannerIsUsedAgainAfterAnError() throws {
    var second = Array("{\"a\":1}".utf8)
    try unsafe second.withUnsafeMutableBytes { second in
      try scan("[[[1 1") { scanner in
        var failure: JSONError?
        do { _ = try scanner.remainingTokens() } catch { failure = error as? JSONError }
        #expect(failure == JSONError(.unexpectedByte, at: 5))
        unsafe scanner.reset(second)
        let count = try scanner.remainingTokens().count
        #expect(count == 4)
      }
    }
  }
}
