internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Makes the values of an attribute, or of an element of a composite attribute.
struct FixtureAttribute {
  /// Whether values may be missing.
  let isOptional: Bool
  /// Whether values may be in files.
  let isExternal: Bool
  /// Whether each object has another value.
  let isUnique: Bool
  private let type: AttributeType
  private let rules: FixtureRules
  private let texts: FixtureTexts
  /// The distribution of a store's values to imitate; nil for none.
  private let likeness: ValueLikeness?
  /// The allowed edge values, including nil.
  private let edges: [SQLiteValue]
  private let seed: UInt64

  /// Plans the values of an attribute.
  ///
  /// Values are computed from aggregated ones, so that the largest would be too large. Without a likeness,
  /// there are edge values.
  init(
    _ attribute: AttributeDescription, isUnique: Bool, isAggregated: Bool,
    likeness: ValueLikeness?, seed: UInt64
  ) {
    isOptional = attribute.isOptional
    isExternal = attribute.allowsExternalBinaryDataStorage
    type = attribute.type
    self.isUnique = isUnique
    self.likeness = likeness
    self.seed = seed
    let rules = FixtureRules(attribute)
    self.rules = rules
    texts = FixtureTexts(rules)
    // The pattern of texts that must match a regular expression.
    let values =
      rules.pattern == nil ? EdgeValues.of(attribute, rules, isAggregated: isAggregated) : []
    edges = (isOptional ? [.null] : []) + values.filter(rules.allow)
  }

  /// The number of objects that can have different values.
  var capacity: Int {
    guard isUnique, !isOptional else { return .max }
    return distinctCount
  }

  /// The number of different values that can be made from numbers.
  var distinctCount: Int {
    if !rules.choices.isEmpty { return rules.choices.filter(rules.allow).count }
    switch type {
    case .boolean: return 2
    case .integer16, .integer32, .integer64:
      guard let range = rules.range(within: EdgeValues.range(of: type)) else { return 1 }
      let (count, isBeyond) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      return isBeyond || count == .max ? .max : Int(count) + 1
    case .float: return 1 << 20
    case .double, .decimal, .date: return 1 << 40
    case .string: return texts.distinctCount
    default: return .max
    }
  }

  /// The value of an object.
  ///
  /// The number counts all objects that have the attribute from 0; the place, those of its entity.
  ///
  /// - Returns: the value; null for none.
  func value(_ number: Int, place: Int) -> SQLiteValue {
    if isUnique { return number < distinctCount ? distinct(number) : .null }
    var random = SeededRandom(SeededRandom.mixed(seed ^ UInt64(truncatingIfNeeded: number)))
    if let likeness { return alike(likeness, &random) }
    // Each attribute begins with another one.
    if place < edges.count { return edges[(Int(seed >> 33) + place) % edges.count] }
    if random.chance(0.15), let edge = random.pick(edges) { return edge }
    return ordinary(&random)
  }

  /// Whether the value of an object is in a file.
  func isInFile(_ number: Int) -> Bool {
    guard isExternal, rules.isEmpty, !isUnique else { return false }
    guard let likeness else { return number % 64 == 1 }
    var random = SeededRandom(SeededRandom.mixed(seed &+ UInt64(truncatingIfNeeded: number)))
    return random.chance(likeness.fileShare)
  }

  // MARK: Ordinary values

  /// An allowed value: the first of several candidates that passes the validations.
  private func allowed(_ make: () -> SQLiteValue) -> SQLiteValue {
    var value = SQLiteValue.null
    for _ in 0..<32 {
      value = make()
      if rules.allow(value) { return value }
    }
    return isOptional ? .null : edges.first ?? value
  }

  private func ordinary(_ random: inout SeededRandom) -> SQLiteValue {
    if let choice = random.pick(rules.choices.filter(rules.allow)) { return choice }
    return allowed { made(&random) }
  }

  private func made(_ random: inout SeededRandom) -> SQLiteValue {
    switch type {
    case .boolean: return .integer(random.chance(0.5) ? 1 : 0)
    case .integer16, .integer32, .integer64:
      guard let range = rules.range(within: EdgeValues.range(of: type)) else { return .integer(0) }
      if rules.lower != nil && rules.upper != nil { return .integer(random.within(range)) }
      let number = Int64(random.below(1 << (1 + random.below(14))))
      return .integer(
        min(max(random.chance(0.2) ? -number : number, range.lowerBound), range.upperBound))
    case .double, .float, .decimal:
      return real(random.unit() * random.unit() * 2000 - (random.chance(0.2) ? 1000 : 0), &random)
    // From 2010 to 2030, with fractions of a millisecond.
    case .date: return real(284_000_000 + random.unit() * 631_000_000, &random)
    case .uuid: return .blob(EdgeValues.uuid(random.next(), random.next()))
    case .string: return .text(texts.text(words: 1 + random.below(8), &random))
    default: return bytes(count: 8 + random.below(120), &random)
    }
  }

  /// A number within the bounds and the precision of its type.
  private func real(_ number: Double, _ random: inout SeededRandom) -> SQLiteValue {
    let (lower, upper) = rules.bounds
    let inside: Double =
      switch (lower, upper) {
      case (let lower?, let upper?): lower + (upper - lower) * random.unit()
      case (let lower?, nil): lower + abs(number) / 2
      case (nil, let upper?): upper - abs(number) / 2
      case (nil, nil): number
      }
    switch type {
    case .float: return .real(Double(Float(inside)))
    case .decimal: return .real((inside * 100).rounded() / 100)
    default: return .real((inside * 1024).rounded() / 1024)
    }
  }

  /// The bytes for a number, for a type whose values are bytes or URIs.
  private func bytes(count: Int, _ random: inout SeededRandom) -> SQLiteValue {
    switch type {
    case .uri: return .string("https://example.org/\(FixtureTexts.word(random.next()))")
    case .binary: return .blob((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case .transformable: return .blob(EdgeValues.archive(FixtureTexts.word(random.next())))
    default: return .null
    }
  }

  // MARK: Values like others

  private func alike(_ likeness: ValueLikeness, _ random: inout SeededRandom) -> SQLiteValue {
    if isOptional, random.chance(likeness.emptyShare) { return .null }
    // Few different values repeat.
    if let count = likeness.distinctCount {
      let place = UInt64(random.below(count))
      random = SeededRandom(SeededRandom.seed(seed &+ place, "value"))
    }
    guard let size = likeness.size(&random) else { return ordinary(&random) }
    if let choice = random.pick(rules.choices.filter(rules.allow)) { return choice }
    let value: SQLiteValue =
      switch type {
      case .boolean, .integer16, .integer32, .integer64: .integer(size.whole(&random))
      case .double, .decimal, .date: .real((size.real(&random) * 1024).rounded() / 1024)
      case .float: .real(Double(Float(size.real(&random))))
      case .string: .text(texts.text(length: Int(clamping: size.whole(&random)), &random))
      default: bytes(count: Int(clamping: size.whole(&random)), &random)
      }
    let fits =
      switch (value, type) {
      case (.integer(let number), .boolean): number == 0 || number == 1
      case (.integer(let number), _): EdgeValues.range(of: type).contains(number)
      case (.null, _): false
      default: true
      }
    return fits && rules.allow(value) ? value : ordinary(&random)
  }

  // MARK: Different values

  private func distinct(_ number: Int) -> SQLiteValue {
    let choices = rules.choices.filter(rules.allow)
    if choices.indices.contains(number) { return choices[number] }
    let (lower, upper) = rules.bounds
    switch type {
    case .boolean: return .integer(Int64(number))
    case .integer16, .integer32, .integer64:
      let range = rules.range(within: EdgeValues.range(of: type)) ?? 0...0
      let first = rules.lower == nil && range.contains(1) ? 1 : range.lowerBound
      let (next, isBeyond) = first.addingReportingOverflow(Int64(number))
      if !isBeyond, next <= range.upperBound { return .integer(next) }
      // Those before the first one.
      return .integer(range.lowerBound &+ (next &- range.upperBound &- 1))
    case .double, .decimal, .date, .float:
      let step: Double
      if let lower, let upper {
        step = (upper - lower) / Double(type == .float ? 1 << 20 : 1 << 40)
        return .real(lower + step * (Double(number) + 0.5))
      }
      return .real(upper.map { $0 - Double(number) } ?? (lower ?? 0) + Double(number))
    case .uuid:
      let unique = SeededRandom.mixed(UInt64(number) ^ seed)
      return .blob(EdgeValues.uuid(SeededRandom.mixed(seed), unique))
    case .string: return .text(texts.distinct(number))
    case .uri: return .string("https://example.org/\(number)")
    case .transformable: return .blob(EdgeValues.archive("\(number)"))
    default: return .blob(Array("\(number)".utf8))
    }
  }
}
