internal import CoreDataModel
internal import CoreDataStore

/// Edge values that make apps fail: empty, minimal, maximal, long, or in other scripts.
enum EdgeValues {
  /// The values of an attribute, whether its validations allow them or not.
  ///
  /// Aggregated ones do not include the largest numbers.
  static func of(
    _ attribute: AttributeDescription, _ rules: FixtureRules, isAggregated: Bool
  ) -> [SQLiteValue] {
    var values = rules.choices
    switch AttributeDefault(attribute) {
    case .integer(let number)?: values.append(.integer(number))
    case .real(let number)?: values.append(.real(number))
    case .text(let text)?: values.append(.string(text))
    case .bytes, nil: break
    }
    switch attribute.type {
    case .boolean: return [.integer(0), .integer(1)]
    case .integer16, .integer32, .integer64:
      let range = rules.range(within: range(of: attribute.type)) ?? 0...0
      let extremes = isAggregated ? [] : [range.lowerBound, range.upperBound]
      return values + ([0, 1, -1] + extremes).map { .integer($0) }
    case .double, .float, .decimal, .date:
      let (lower, upper) = rules.bounds
      return values + [lower, upper].compactMap { $0.map { .real($0) } }
        + reals(attribute.type, isAggregated: isAggregated).map { .real($0) }
    case .string: return values + texts(rules)
    case .uri: return values + uris.map { .string($0) }
    case .uuid: return [.blob(uuid(0, 0)), .blob(uuid(.max, .max))]
    case .binary: return [[], [0], (0...255).map { UInt8($0) }].map { .blob($0) }
    case .transformable: return [.blob(archive("")), .blob(archive("é🙂"))]
    default: return values
    }
  }

  /// The numbers that an attribute of integers can have.
  static func range(of type: AttributeType) -> ClosedRange<Int64> {
    switch type {
    case .boolean: 0...1
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: Int64.min...Int64.max
    }
  }

  private static func reals(_ type: AttributeType, isAggregated: Bool) -> [Double] {
    switch type {
    // The reference date, 1970, a leap day, and the distant past and future of Foundation.
    case .date: [0, -978_307_200, 478_483_199.5, -63_114_076_800, 63_113_904_000]
    case .decimal: [0, 0.01, -0.01, 1_234_567.89, 999_999_999_999_999]
    case .float where !isAggregated:
      [0, 0.5, -1.5, Double(Float.greatestFiniteMagnitude), Double(Float.leastNormalMagnitude)]
    case .double where !isAggregated:
      [0, 0.1, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude]
    default: [0, 0.5, -1.5]
    }
  }

  private static func texts(_ rules: FixtureRules) -> [SQLiteValue] {
    let plain = [
      "", " ", "a", "'; \"quoted\"\\", "line one\nline two\r\n\ttab", "<b>&amp;</b>", "%@ %d {0}",
      "E\u{301}te\u{301}", "Ελληνικά кириллица", "שלום مرحبا", "日本語 𠮷野家", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
      "\u{FEFF}\u{200B}", "NULL",
    ]
    var values = plain.map { SQLiteValue.string($0) }
    values.append(.text(rules.fit(Array(repeatElement("xqalong ", count: 500).joined().utf8))))
    // Fitted to the least length.
    values.append(.text(rules.fit([])))
    return values
  }

  private static let uris = [
    "https://example.org/", "file:///tmp/a%20file", "mailto:a@example.org",
    "https://example.org/?q=%C3%A9&x=1#part",
  ]

  static func uuid(_ high: UInt64, _ low: UInt64) -> [UInt8] {
    [high, low].flatMap { number in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  /// A text as `NSKeyedArchiver` writes it, which the usual value transformers read.
  static func archive(_ text: String) -> [UInt8] {
    BinaryPlistWriter.write(
      .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", .uid(1))])),
        .init("$objects", .array([.string("$null"), .string(text)])),
      ]))
  }
}
