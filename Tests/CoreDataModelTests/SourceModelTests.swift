internal import CoreDataModel
internal import Testing

@testable internal import CoreDataModel

/// Sources of models: Xcode's own, and invalid ones.
@Suite struct SourceModelTests {
  private func model(_ body: String) throws -> ManagedObjectModel {
    try SourceModelReader.read(
      contents: Array("<?xml version=\"1.0\"?><model>\(body)</model>".utf8))
  }

  private func attribute(_ text: String) throws -> AttributeDescription {
    let entity = try model("<entity name='A'><attribute name='a' \(text)/></entity>")["A"]
    return try #require(entity?.attributes.first)
  }

  private func code(_ body: String) -> CofferError.Code? {
    do {
      _ = try model(body)
      return nil
    } catch {
      return (error as? CofferError)?.code
    }
  }

  @Test(arguments: [
    ("Integer 32", "7", ModelValue.integer(7)), ("Integer 16", "NO", .integer(0)),
    ("Integer 64", "9223372036854775807", .integer(.max)), ("Integer 64", "1e30", .integer(.max)),
    ("Integer 64", "-2.9", .integer(-2)), ("Double", "2.5", .real(2.5)), ("Float", "x", .real(0)),
    ("Boolean", "YES", .bool(true)), ("Boolean", "NO", .bool(false)), ("String", "", .string("")),
    ("URI", "https://example.org", .url("https://example.org")),
    (
      "UUID", "00112233-4455-6677-8899-aabbccddeeff", .uuid("00112233-4455-6677-8899-AABBCCDDEEFF")
    ), ("UUID", "Empy", .string("Empy")),
  ])
  func defaultsAreThoseOfTheCompiler(_ type: String, _ text: String, _ value: ModelValue) throws {
    let found = try attribute("attributeType='\(type)' defaultValueString='\(text)'")
    #expect(found.defaultValue == value)
  }

  @Test(arguments: [
    ("0", 0, 0, false), ("12.50", 1250, -2, false), ("-3", 3, 0, true), ("7e3", 7, 3, false),
    ("", 0, 0, false), ("340282366920938463463374607431768211456", 0, 1, false),
  ])
  func decimalDefaultsKeepTheirDigits(
    _ text: String, _ mantissa: Int, _ exponent: Int64, _ isNegative: Bool
  ) throws {
    let found = try attribute("attributeType='Decimal' defaultValueString='\(text)'")
    guard case .object("NSDecimalNumber", let fields)? = found.defaultValue,
      case .data(let bytes)? = fields["NS.mantissa"]
    else {
      Issue.record("no decimal number")
      return
    }
    #expect(fields["NS.exponent"] == .integer(exponent))
    #expect(fields["NS.negative"] == .bool(isNegative))
    // The one that has too many digits for 16 bytes loses its last.
    if text.count < 20 {
      #expect(bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) } == mantissa)
    }
  }

  @Test func boundsBecomeRulesWithTheNumbersOfTheirErrors() throws {
    let text = try attribute(
      "attributeType='String' minValueString='3' maxValueString='9' regularExpressionString='a+'")
    #expect(
      text.validationPredicates.map(\.predicate.formatDescription)
        == ["length >= 3", "length <= 9", "SELF MATCHES 'a+'"])
    #expect(
      text.validationPredicates.map(\.warning) == [.integer(1670), .integer(1660), .integer(1680)])
    let number = try attribute("attributeType='Integer 16' minValueString='0' maxValueString='8'")
    #expect(
      number.validationPredicates.map(\.predicate.formatDescription) == ["SELF >= 0", "SELF <= 8"])
  }

  @Test func compositesAreReadWithTheirElements() throws {
    let found = try model(
      """
      <entity name='A'><attribute name='place' composite='Place'/></entity>
      <composite name='Place'><attribute name='x' attributeType='Double'/>
      <attribute name='inner' composite='Inner'/></composite>
      <composite name='Inner'><attribute name='y' attributeType='String'/></composite>
      """)
    let place = try #require(found["A"]?.attributes.first)
    #expect(place.type == .composite)
    #expect(place.elements.map(\.name) == ["x", "inner"])
    #expect(place.elements.last?.elements.map(\.type) == [.string])
  }

  @Test func whatContradictsItselfIsDamaged() {
    let damaged = [
      "<entity/>", "<entity name=''/>", "<entity name='A'/><entity name='A'/>",
      "<entity name='A' parentEntity='A'/>", "<entity name='A'><attribute/></entity>",
      "<entity name='A'><attribute name='a' attributeType='Integer 128'/></entity>",
      "<entity name='A'><attribute name='a' composite='B'/></entity>",
      "<entity name='A'><attribute name='a'/><attribute name='a'/></entity>",
      "<entity name='A'><relationship name='r'/></entity>",
      "<entity name='A'><relationship name='r' destinationEntity='A' maxCount='x'/></entity>",
      "<entity name='A'><relationship name='r' destinationEntity='A' deletionRule='X'/></entity>",
      "<entity name='A'><attribute name='a' derived='YES' derivationExpression='('/></entity>",
      "<entity name='A'",
    ]
    for body in damaged { #expect(code(body) == .damagedModel, "\(body)") }
  }

  @Test func whatIsTooMuchIsALimit() {
    let cycle = """
      <entity name='A'><attribute name='a' composite='C'/></entity>
      <composite name='C'><attribute name='c' composite='C'/></composite>
      """
    #expect(code(cycle) == .modelLimit)
    let deep = String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
    #expect(code(deep) == .modelLimit)
    let many = (0..<16_001).map { "<entity name='E\($0)'/>" }.joined()
    #expect(code(many) == .modelLimit)
    let chain = (0..<200).map { "<entity name='E\($0)' parentEntity='E\($0 + 1)'/>" }.joined()
    #expect(code(chain) == .modelLimit)
  }

  @Test func aDocumentTypeIsRefusedBeforeItIsRead() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
      <model><entity name="&b;"/></model>
      """
    #expect(throws: CofferError(.damagedModel, detail: "XML with a document type declaration")) {
      try SourceModelReader.read(contents: Array(bomb.utf8))
    }
  }

  @Test func aSourceThatIsCutOffIsAnErrorAtEveryByte() {
    let whole = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><model type="x"><entity name="A"><attribute name="a" \
      attributeType="String"/><fetchIndex name="i"><fetchIndexElement property="a"/></fetchIndex>\
      </entity></model>
      """.utf8)
    #expect(throws: Never.self) { try SourceModelReader.read(contents: whole) }
    for count in whole.indices {
      #expect(throws: CofferError.self, "\(count)") {
        try SourceModelReader.read(contents: Array(whole[..<count]))
      }
    }
  }

  @Test(arguments: ["", "bplist00", "<html/>", "<?xml version='1.0'?><plist/>", "momv2$"])
  func otherFilesAreNoSources(_ text: String) {
    #expect(throws: CofferError.self) { try SourceModelReader.read(contents: Array(text.utf8)) }
  }
}
