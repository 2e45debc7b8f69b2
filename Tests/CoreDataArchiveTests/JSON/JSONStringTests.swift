internal import CoreDataArchive
internal import Testing

@Suite struct JSONStringTests {
  /// The unescaped text that the scanner finds in a JSON string; nil when it refuses it.
  private func scanned(_ json: [UInt8]) -> [UInt8]? {
    var copy = json
    return unsafe copy.withUnsafeMutableBytes { bytes -> [UInt8]? in
      var scanner = unsafe JSONScanner(bytes)
      guard case .string(let slice)? = try? scanner.next(),
        case .end? = try? scanner.next()
      else { return nil }
      return unsafe Array(scanner.bytes(of: slice))
    }
  }

  @Test(arguments: [
    ("", "\"\""), ("a", "\"a\""), ("say \"hi\"", #""say \"hi\"""#), ("a\\b", #""a\\b""#),
    ("/", "\"/\""), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
    ("\u{0}\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#), ("\u{7F}é漢😀", "\"\u{7F}é漢😀\""),
    ("eight ch\u{0}aracters later", #""eight ch\u0000aracters later""#),
  ])
  func stringsAreEscapedTheShortestWay(text: String, json: String) {
    #expect(jsonString(Array(text.utf8)) == Array(json.utf8))
    #expect(scanned(Array(json.utf8)) == Array(text.utf8))
    #expect(writtenText { $0.appendString(text) } == json)
  }

  @Test func everyCodePointIsReadBackAtAnyOffset() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = Array(repeating: 0x61, count: Int(value % 17)) + Array(String(scalar).utf8)
      guard let json = jsonString(text), scanned(json) == text else {
        Issue.record("U+\(String(value, radix: 16))")
        return
      }
    }
  }

  @Test func everyUnicodeEscapeStandsForItsCodePoint() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let escapes = String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: value % 2 == 0)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      let json = "\"x\(escapes.joined())y\""
      guard scanned(Array(json.utf8)) == Array("x\(scalar)y".utf8) else {
        Issue.record("U+\(String(value, radix: 16))")
        return
      }
    }
  }

  @Test func randomBytesAreWrittenExactlyWhenTheyAreUTF8() {
    let seed: UInt64 = 8
    var random = JSONTestRandom(seed: seed)
    let pieces: [[UInt8]] = [
      [0x61], [0x22], [0x5C], [0x00], [0x80], [0xBF], [0xC0], [0xC1], [0xC2], [0xDF], [0xE0],
      [0xED],
      [0xEF], [0xF0], [0xF4], [0xF5], [0xFF], [0xA0], [0x9F], [0x8F], [0x90], Array("é".utf8),
      Array("漢".utf8), Array("😀".utf8), Array("plain words here".utf8),
    ]
    for round in 0..<100_000 {
      let count = Int.random(in: 0...12, using: &random)
      let bytes: [UInt8] = (0..<count).flatMap { _ in
        if round % 3 == 0 { return [UInt8(truncatingIfNeeded: random.next())] }
        return pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      let json = jsonString(bytes)
      // The scanner must agree with the writer on what is valid.
      let raw = [0x22] + bytes.filter { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C } + [0x22]
      let isRawValid = String(validating: raw, as: UTF8.self) != nil
      guard (json != nil) == isValid, json.map({ scanned($0) == bytes }) ?? true,
        (scanned(raw) != nil) == isRawValid
      else {
        Issue.record("seed \(seed): \(bytes)")
        return
      }
    }
  }

  @Test func manyEscapesGrowTheBuffer() {
    let text = Array(repeating: UInt8(1), count: 10_000) + Array("end".utf8)
    let json = jsonString(text)
    #expect(json?.count == 60_005)
    #expect(json.flatMap(scanned) == text)
  }

  @Test(.enabled(if: PythonOracle.isAvailable, "needs python3"))
  func pythonReadsTheSameStrings() throws {
    var random = JSONTestRandom(seed: 9)
    let texts: [[UInt8]] = (0..<5_000).map { _ in
      let scalars = (0..<20).compactMap { _ in
        Unicode.Scalar(
          UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32(random.next() % 20))
      }
      return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
    let lines = try texts.map { String(decoding: try #require(jsonString($0)), as: UTF8.self) }
    let program = """
      import json, sys
      for line in sys.stdin.buffer:
          if line.strip(): print(json.loads(line).encode().hex())
      """
    let answers = try PythonOracle.lines(program, input: lines)
    let hex = texts.map { text in
      text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(answers == hex)
  }
}
