internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CofferDerivation

/// The replacement of values.
@Suite struct ReplacementTests {
  private let values: ValueReplacement

  init() throws { values = try ValueReplacement() }

  private func replaced(_ text: String) throws -> String {
    String(decoding: try values.text(Array(text.utf8), TextConditions(nil)), as: UTF8.self)
  }

  @Test(arguments: [
    "Ada Lovelace", "ada.lovelace@example.org", "Zeile eins\nZeile zwei\r\n", "Straße Überfluss",
    "Софья Ковалевская", "Υπατία", "שלום", "東京タワー", "한국어", "Call 030-1234567!", "٣٤٥٦",
    "Fun 🎉🎊 for all", "https://example.org/a?b=c",
  ])
  func theFormOfATextStays(_ text: String) throws {
    let output = try replaced(text)
    #expect(output != text)
    #expect(output == (try replaced(text)))
    #expect(output.count == text.count)
    for (before, after) in zip(text.unicodeScalars, output.unicodeScalars) {
      let (old, new) = (before.properties, after.properties)
      #expect(old.isUppercase == new.isUppercase && old.isLowercase == new.isLowercase)
      #expect(old.isWhitespace == new.isWhitespace && old.isEmoji == new.isEmoji)
      #expect((old.numericType == .decimal) == (new.numericType == .decimal))
      #expect(before.isASCII == after.isASCII)
      if before.isASCII, !old.isAlphabetic, old.numericType == nil { #expect(before == after) }
    }
  }

  @Test(arguments: ["", " ", "\n"])
  func emptyTextsStay(_ text: String) throws { #expect(try replaced(text) == text) }

  @Test func shortTextsStayDifferent() throws {
    var outputs: Set<String> = []
    for number in 0..<1000 { outputs.insert(try replaced("\(number)")) }
    for letter in "abcdefghijklmnopqrstuvwxyz" { outputs.insert(try replaced("\(letter)")) }
    #expect(outputs.count == 1026)
  }

  /// A UUID is the same one as bytes and as text, of the same version.
  @Test func aUUIDIsReplacedAsBytesAndAsTextAlike() throws {
    let uuid = UUID()
    let bytes = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) }
    let output = try values.uuid(bytes)
    #expect(UUIDText.text(output) == (try replaced(uuid.uuidString)))
    #expect(output != bytes && output[6] >> 4 == 4)
  }

  @Test func theStructureOfBlobsStays() throws {
    let json =
      #"{"name":"Ada Lovelace","tags":["first","second"],"count":3,"isDone":true,"none":null}"#
    let output = String(decoding: try values.blob(Array(json.utf8)), as: UTF8.self)
    #expect(!output.contains("Lovelace") && !output.contains("first"))
    let tree = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(tree["count"] as? Int == 3 && tree["isDone"] as? Bool == true)
    #expect((tree["tags"] as? [String])?.count == 2)
    #expect((tree["name"] as? String)?.count == 12)

    let list: [String: Any] = [
      "title": "Secret title", "data": Data("secret!".utf8), "when": Date(),
    ]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let replacedList = try #require(
      try unsafe PropertyListSerialization.propertyList(
        from: Data(try values.blob(Array(bytes))), format: nil) as? [String: Any])
    #expect((replacedList["title"] as? String)?.count == 12)
    #expect(replacedList["title"] as? String != "Secret title")
    #expect((replacedList["data"] as? Data)?.count == 7)
    #expect(
      (replacedList["when"] as? Date).map { $0 < Date(timeIntervalSinceNow: -86_400) } == true)
  }

  /// Every number stays in the range of its type, the smallest one as well.
  @Test func numbersFitTheirTypes() {
    let numbers = NumberReplacement(ReplacementKey())
    for attempt in 0..<200 {
      for number in [Int64(Int16.min), Int64(Int16.max)] {
        #expect(Int16(exactly: numbers.whole(number, attempt: attempt)) != nil)
      }
      for number in [Int64(Int32.min), Int64(Int32.max)] {
        #expect(Int32(exactly: numbers.whole(number, attempt: attempt)) != nil)
      }
      #expect(numbers.whole(.min, attempt: attempt) < 0)
    }
  }

  @Test func blobsKeepTheirLength() throws {
    for count in [1, 2, 15, 16, 100, 5000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
      let output = try values.blob(bytes)
      #expect(output.count == count && output != bytes)
    }
  }

  /// Guessing values does not reveal the original of a replacement: none of 100,000 guesses gives it under
  /// another key, by any digest without a key, or by chance.
  @Test func aDictionaryDoesNotFindValues() throws {
    let guesses = (0..<100_000).map { "user\($0)@example.org" }
    let secret = guesses[54_321]
    let output = try replaced(secret)
    let attacker = TextReplacement(ReplacementKey())
    #expect(!guesses.contains { attacker.replacement(for: $0).text == output })
    let code = values.hash(Array(secret.utf8))
    let other = ReplacementKey()
    for guess in guesses.suffix(50_000) + [secret] {
      let digest = Hexadecimal.text(other.code(Array(guess.utf8), .number).prefix(16))
      #expect(Array(digest.utf8) != code)
    }
    // Two shares of the same value have nothing in common.
    #expect(try ValueReplacement().hash(Array(secret.utf8)) != code)
  }

  @Test func rulesAreRead() throws {
    let text = """
      {"A.keep": "keep", "A.hash": "hash", "A.nil": "nil", "A.fake": {"fake": "email"},
       "A.shift": {"shift": -1.5}, "A.bucket": {"bucket": 10}, "A.text": {"constant": "x"},
       "A.number": {"constant": 7}}
      """
    let rules = try ReplacementRule.rules(of: Array(text.utf8), path: "rules.json")
    #expect(
      rules.map(\.rule) == [
        .keep, .hash, .null, .fake(.email), .shift(-1.5), .bucket(10), .constant(.text("x")),
        .constant(.number(7)),
      ])
    for wrong in [
      "[]", #"{"A.b": "other"}"#, #"{"A.b": {"bucket": 0}}"#, #"{"A.b": {"fake": "x"}}"#,
    ] {
      #expect(throws: CofferError.self) {
        try ReplacementRule.rules(of: Array(wrong.utf8), path: "rules.json")
      }
    }
  }

  @Test func rulesAreFollowed() throws {
    let trial = try AnonymizationTrial()
    let (path, _) = try trial.share {
      $0.rules = [
        ("PersonEntity.name", .fake(.name)), ("PersonEntity.email", .null),
        ("TagEntity.name", .hash), ("SettingsEntity.locale", .constant(.text("en"))),
        ("LocationEntity.radius", .bucket(100)), ("VisitEntity.arrival", .keep),
      ]
    }
    #expect(
      try AnonymizationTrial.integers(
        path, "SELECT count(*) FROM ZPERSONENTITY WHERE ZEMAIL NOT NULL") == [
          0
        ])
    #expect(
      try AnonymizationTrial.texts(
        path, "SELECT DISTINCT ZLOCALE FROM ZSETTINGSENTITY WHERE ZLOCALE NOT NULL") == ["en"])
    #expect(
      try AnonymizationTrial.texts(path, "SELECT ZNAME FROM ZTAGENTITY").allSatisfy {
        $0.count == 32
      })
    let rest = "SELECT count(*) FROM ZLOCATIONENTITY WHERE CAST(ZRADIUS AS INTEGER) % 100 <> 0"
    #expect(try AnonymizationTrial.integers(path, rest) == [0])
    let arrivals = "SELECT CAST(ZARRIVAL AS INTEGER) FROM ZVISITENTITY ORDER BY Z_PK"
    #expect(
      try AnonymizationTrial.integers(path, arrivals)
        == AnonymizationTrial.integers(trial.source, arrivals))
    #expect(try AnonymizationTrial.findings(path) == [:])
  }
}
