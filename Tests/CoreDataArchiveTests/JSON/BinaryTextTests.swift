internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

@Suite struct BinaryTextTests {
  private func base64(_ bytes: [UInt8]) -> String {
    writtenText { buffer in unsafe bytes.withUnsafeBytes { unsafe buffer.appendBase64($0) } }
  }

  private func decoded(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    var target = [UInt8](repeating: 0, count: bytes.count / 4 * 3)
    let count = unsafe bytes.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { unsafe Base64Text.decode(source, into: $0) }
    }
    return count.map { Array(target.prefix($0)) }
  }

  @Test func base64IsWhatFoundationWritesAndIsReadBack() {
    var random = JSONTestRandom(seed: 64)
    for count in Array(0...200) + [1_000, 4_095, 4_096, 4_097] {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = base64(bytes)
      #expect(text == "\"\(Data(bytes).base64EncodedString())\"")
      #expect(decoded(String(text.dropFirst().dropLast())) == bytes)
    }
  }

  @Test func everyGroupOfTwoBytesIsReadBack() {
    for value in 0...UInt16.max {
      let bytes = [UInt8(value >> 8), UInt8(value & 255)]
      guard decoded(String(base64(bytes).dropFirst().dropLast())) == bytes else {
        Issue.record("\(value)")
        return
      }
    }
  }

  @Test(arguments: [
    "A", "AA", "AAA", "AAAAA", "AA=A", "A===", "====", "AAA=AAAA", "AAA ", "AA\n=", "AB==", "AAB=",
    "AA-_", "AAA\u{E9}", "A=AA", "=AAA",
  ])
  func otherTextsAreNotBase64(text: String) {
    #expect(decoded(text) == nil)
  }

  @Test func everyByteOutsideOfTheAlphabetIsRefused() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let known = Set(alphabet.utf8)
    for byte in 0...UInt8.max where !known.contains(byte) {
      for place in 0..<8 where place < 6 || byte != 0x3D {
        var text = Array("AAAAAAAA".utf8)
        text[place] = byte
        var target = [UInt8](repeating: 0, count: 6)
        let count = unsafe text.withUnsafeBytes { source in
          unsafe target.withUnsafeMutableBytes { unsafe Base64Text.decode(source, into: $0) }
        }
        #expect(count == nil)
      }
    }
  }

  @Test func base64IsDecodedOverItsOwnText() throws {
    var text = Array("[\"aGVsbG8sIHdvcmxk\",\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"]".utf8)
    try unsafe text.withUnsafeMutableBytes { bytes in
      var scanner = unsafe JSONScanner(bytes)
      _ = try scanner.next()
      guard case .string(let slice) = try scanner.next(),
        let data = scanner.decodeBase64(slice),
        case .string(let second) = try scanner.next(), let uuid = scanner.decodeUUID(second)
      else {
        Issue.record("two strings")
        return
      }
      let text = scanner.string(of: data)
      let first = unsafe Array(scanner.bytes(of: uuid).prefix(3))
      #expect(text == "hello, world")
      #expect(first == [0xE6, 0x21, 0xE1])
      let end = try scanner.next()
      #expect(end == .arrayEnd)
    }
  }

  @Test func uuidsAreWhatFoundationWritesAndAreReadBack() throws {
    var random = JSONTestRandom(seed: 16)
    for _ in 0..<1_000 {
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var text = ""
      var buffer = JSONBuffer()
      let isWritten = unsafe bytes.withUnsafeBytes { unsafe buffer.appendUUID($0) }
      #expect(isWritten)
      text = String(decoding: buffer.bytes().dropFirst().dropLast(), as: UTF8.self)
      let uuid = try #require(UUID(uuidString: text))
      #expect(uuid.uuidString == text)
      #expect(parsedUUID(text) == bytes)
      #expect(parsedUUID(text.lowercased()) == bytes)
    }
  }

  private func parsedUUID(_ text: String) -> [UInt8]? { parsedUUID(Array(text.utf8)) }

  private func parsedUUID(_ bytes: [UInt8]) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: 16)
    let isUUID = unsafe bytes.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { unsafe UUIDText.parse(source, into: $0) }
    }
    return isUUID ? target : nil
  }

  @Test(arguments: [
    "", "E621E1F8C36C495A93FC0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5FF", "E621E1F8-C36C-495A-93FC+0C247A3E6E5F",
    "G621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F-8C36C-495A-93FC-0C247A3E6E5F",
  ])
  func otherTextsAreNoUUIDs(text: String) {
    #expect(parsedUUID(text) == nil)
  }

  @Test func aUUIDWithAnyOtherByteInPlaceOfADigitIsNone() {
    let text = Array("E621E1F8-C36C-495A-93FC-0C247A3E6E5F".utf8)
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        let isHyphen = text[position] == UInt8(ascii: "-")
        let isValid =
          isHyphen
          ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit && byte < 128
        let parsed = parsedUUID(changed)
        #expect((parsed != nil) == isValid)
        if let parsed, let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
          let index = text[..<position].count { $0 != UInt8(ascii: "-") }
          let half = index % 2 == 0 ? parsed[index / 2] >> 4 : parsed[index / 2] & 15
          #expect(Int(half) == digit)
        }
      }
    }
  }

  @Test func onlySixteenBytesAreAUUID() {
    for count in [0, 15, 17] {
      var buffer = JSONBuffer()
      let bytes = [UInt8](repeating: 1, count: count)
      let isWritten = unsafe bytes.withUnsafeBytes { unsafe buffer.appendUUID($0) }
      #expect(!isWritten)
      let count = buffer.count
      #expect(count == 0)
    }
  }
}
