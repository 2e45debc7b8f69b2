internal import Testing

@testable internal import CoreDataModel

@Suite struct DecimalNumberTests {
  @Test func thePlaceholderOfADecimalNumberIsOne() throws {
    let archived = try #require(
      {
        if case .object(_, let fields) = DecimalNumber(parsing: "12.5").archived {
          fields
        } else {
          nil
        }
      }()
    )
    let attribute = AttributeDescription(
      name: "price", type: .decimal,
      defaultValue: .object(className: "NSDecimalNumberPlaceholder", fields: archived))
    let model = MappingSamples.model([EntityDescription(name: "A", attributes: [attribute])])
    let read = try ModelCacheReader.read(compressed: ModelCacheWriter.write(model))
    let found = try #require(read["A"]?.attribute("price"))
    #expect(found.defaultValue == DecimalNumber(parsing: "12.5").archived)
    #expect(AttributeDefault(found) == .real(12.5))
    #expect(AttributeDefault(attribute) == .real(12.5))
  }

  private func number(_ fields: [Name: ModelValue]) -> DecimalNumber? {
    DecimalNumber(.object(className: "NSDecimalNumber", fields: fields))
  }

  @Test(arguments: [
    ("0", "0", "0"), ("12.50", "12.50", "12.50"), ("-0.0003", "-0.0003", "-0.0003"),
    ("7e3", "7000", "7e3"), ("+5", "5", "5"), ("x", "0", "0"), ("-0", "0", "0"),
    (
      "340282366920938463463374607431768211455", "340282366920938463463374607431768211455",
      "340282366920938463463374607431768211455"
    ),
    (
      "340282366920938463463374607431768211456", "340282366920938463463374607431768211450",
      "34028236692093846346337460743176821145e1"
    ),
  ])
  func aNumberKeepsItsDigits(_ text: String, _ plain: String, _ exact: String) throws {
    let number = DecimalNumber(parsing: text)
    #expect(number.text == plain)
    #expect(number.exactText == exact)
    #expect(DecimalNumber(parsing: exact) == number)
    #expect(DecimalNumber(number.archived) == number)
  }

  @Test func wordsComeInBothByteOrders() {
    let little = number(["NS.mantissa": .data([2, 1, 3, 0]), "NS.exponent": .integer(-1)])
    let big = number([
      "NS.mantissa": .data([1, 2, 0, 3]), "NS.exponent": .integer(-1),
      "NS.mantissa.bo": .integer(2),
    ])
    #expect(little?.mantissa == 0x3_0102)
    #expect(big == little)
    #expect(AttributeDefault(big?.archived ?? .null, as: .decimal) == .real(19_686.6))
  }

  @Test func wordsBeyondTheLengthDoNotCount() {
    let found = number([
      "NS.mantissa": .data([5, 0, 9, 9]), "NS.exponent": .integer(0), "NS.length": .integer(1),
      "NS.negative": .integer(1),
    ])
    #expect(found?.text == "-5")
    #expect(found?.real == -5)
  }

  @Test func notANumberIsNone() {
    let archive = ModelValue.object(
      className: "NSDecimalNumber",
      fields: [
        "NS.mantissa": .data([UInt8](repeating: 0, count: 16)), "NS.exponent": .integer(0),
        "NS.negative": .bool(true), "NS.length": .integer(0),
      ])
    #expect(archive.formatDescription == "NaN")
    #expect(DecimalNumber(archive)?.real.isNaN == true)
    #expect(AttributeDefault(archive, as: .decimal) == nil)
  }

  @Test(
    arguments: [
      ["NS.exponent": .integer(0)], ["NS.mantissa": .data([1, 0])],
      ["NS.mantissa": .data([UInt8](repeating: 0, count: 17)), "NS.exponent": .integer(0)],
      ["NS.mantissa": .data([1, 0]), "NS.exponent": .integer(128)],
    ] as [[Name: ModelValue]])
  func fieldsThatAreNotAsExpectedAreNoNumber(_ fields: [Name: ModelValue]) {
    #expect(number(fields) == nil)
  }
}
