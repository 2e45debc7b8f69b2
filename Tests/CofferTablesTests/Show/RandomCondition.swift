internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator

/// A value as the tests know it, without anything of what they test.
enum PlainValue: Equatable {
  case none
  /// Thousandths: of a number, of a second since 2001, of a truth value.
  case number(Int)
  case text(String)
}

/// Random conditions and objects, and the expected results.
struct RandomCondition {
  /// An object: its values by name.
  typealias Object = [String: PlainValue]

  private enum Kind: CaseIterable {
    case integer, decimal, double, float, text, truth, date, uuid
  }

  /// The attributes of the sample that conditions are made up about.
  private static let attributes: [(name: String, kind: Kind)] = [
    ("small", .integer), ("amount", .decimal), ("ratio", .double), ("weight", .float),
    ("name", .text), ("place.city", .text), ("isOn", .truth), ("at", .date), ("until", .date),
    ("id", .uuid),
  ]

  private static let uuids = [
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000001",
    "FFFFFFFF-C36C-495A-93FC-0C247A3E6E5F",
  ]

  private static let letters = ["a", "A", "b", "\u{E9}", "\u{C9}", "e", "E", "*", "?"]
  private static let small = ["A": "a", "E": "e", "\u{C9}": "\u{E9}"]
  private static let plain = ["\u{E9}": "e", "\u{C9}": "E"]

  private(set) var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  // MARK: Objects

  /// An object and its values as a store holds them.
  mutating func object() -> (entity: Name, object: Object, values: [Name: StoreValue]) {
    let entity: Name = random.chance(0.3) ? "Special" : "Thing"
    var object: Object = [:]
    var values: [Name: StoreValue] = [:]
    for (name, kind) in Self.attributes where name != "until" || entity == "Special" {
      let value = value(kind)
      object[name] = value
      if value != .none { values[Name(name)] = Self.stored(value, kind) }
    }
    return (entity, object, values)
  }

  private mutating func value(_ kind: Kind) -> PlainValue {
    if random.chance(0.15) { return .none }
    switch kind {
    case .integer: return .number(1_000 * (random.below(7) - 3))
    case .decimal, .float: return .number(10 * (random.below(13) - 6))
    case .double: return .number(125 * (random.below(13) - 6))
    case .text:
      return .text((0..<random.below(4)).map { _ in Self.letters[random.below(9)] }.joined())
    case .truth: return .number(1_000 * random.below(2))
    case .date: return .number(1_000 * 43_200 * (random.below(9) - 4) + random.below(3) * 250)
    case .uuid: return .text(Self.uuids[random.below(3)])
    }
  }

  private static func stored(_ value: PlainValue, _ kind: Kind) -> StoreValue {
    switch (value, kind) {
    case (.none, _): .null
    case (.number(let number), .integer), (.number(let number), .truth):
      .integer(Int64(number / 1_000))
    case (.number(let number), .float): .real(Double(Float(number) / 1_000))
    // SQLite makes whole numbers integers there.
    case (.number(let number), _): .real(Double(number) / 1_000)
    case (.text(let text), .uuid): .blob(UUIDText.bytes(text) ?? [])
    case (.text(let text), _): .string(text)
    }
  }

  // MARK: Conditions

  /// A condition as a text, and as a function that tells whether an object meets it.
  mutating func condition(depth: Int = 0) -> (text: String, holds: (Object) -> Bool) {
    guard depth < 2, random.chance(0.5) else { return comparison() }
    let (left, right) = (condition(depth: depth + 1), condition(depth: depth + 1))
    switch random.below(3) {
    case 0: return ("(\(left.text)) AND (\(right.text))", { left.holds($0) && right.holds($0) })
    case 1: return ("(\(left.text)) or (\(right.text))", { left.holds($0) || right.holds($0) })
    default: return ("NOT (\(left.text))", { !left.holds($0) })
    }
  }

  private mutating func comparison() -> (text: String, holds: (Object) -> Bool) {
    let (name, kind) = Self.attributes[random.below(Self.attributes.count)]
    if kind == .text, random.chance(0.6) { return search(name) }
    let (one, two) = (value(kind), value(kind))
    let (first, second) = (written(one, kind), written(two, kind))
    switch random.below(9) {
    case 0: return ("\(name) == \(first)", { Self.order($0[name], one) == 0 })
    case 1: return ("\(first) != \(name)", { Self.order($0[name], one) != 0 })
    case 2:
      return (
        "\(name) IN {\(first), \(second)}",
        { Self.order($0[name], one) == 0 || Self.order($0[name], two) == 0 }
      )
    case _ where one == .none || two == .none: return comparison()
    case 3:
      return (
        "\(name) BETWEEN {\(first), \(second)}",
        {
          guard let least = Self.order($0[name], one), let most = Self.order($0[name], two) else {
            return false
          }
          return least >= 0 && most <= 0
        }
      )
    case 4: return ("\(name) < \(first)", { Self.order($0[name], one).map { $0 < 0 } ?? false })
    case 5: return ("\(name) <= \(first)", { Self.order($0[name], one).map { $0 <= 0 } ?? false })
    case 6: return ("\(first) < \(name)", { Self.order($0[name], one).map { $0 > 0 } ?? false })
    case 7: return ("\(name) => \(first)", { Self.order($0[name], one).map { $0 >= 0 } ?? false })
    default: return ("\(name) = \(first)", { Self.order($0[name], one) == 0 })
    }
  }

  private mutating func search(_ name: String) -> (text: String, holds: (Object) -> Bool) {
    var (folds, marks) = (random.chance(0.5), random.chance(0.5))
    let word = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"][random.below(5)]
    if word == "MATCHES" { marks = false }
    guard case .text(var part) = value(.text) else { return comparison() }
    if word == "MATCHES" { part = part.replacing("*", with: ".*").replacing("?", with: ".") }
    let letters = (folds ? "c" : "") + (marks ? "d" : "")
    let options = letters.isEmpty ? "" : "[\(letters)]"
    func fold(_ text: String) -> [String] {
      text.map { letter in
        var letter = String(letter)
        if marks { letter = Self.plain[letter] ?? letter }
        return folds ? Self.small[letter] ?? letter : letter
      }
    }
    let folded = fold(word == "MATCHES" ? part.replacing(".*", with: "*") : part)
    let one = word == "MATCHES" ? "." : "?"
    return (
      "\(name) \(word)\(options) '\(part)'",
      { object in
        guard case .text(let text)? = object[name] else { return false }
        let whole = fold(text)
        return switch word {
        case "CONTAINS":
          folded.isEmpty || whole.indices.contains { whole[$0...].starts(with: folded) }
        case "BEGINSWITH": whole.starts(with: folded)
        case "ENDSWITH": whole.reversed().starts(with: folded.reversed())
        default: Self.isLike(whole[...], folded[...], one)
        }
      }
    )
  }

  private static func isLike(
    _ text: ArraySlice<String>, _ pattern: ArraySlice<String>, _ one: String
  ) -> Bool {
    guard let part = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if part == "*" { return (0...text.count).contains { isLike(text.dropFirst($0), rest, one) } }
    guard let letter = text.first, part == one || part == letter else { return false }
    return isLike(text.dropFirst(), rest, one)
  }

  private static func order(_ value: PlainValue?, _ constant: PlainValue) -> Int? {
    switch (value ?? .none, constant) {
    case (.none, .none): 0
    case (.number(let left), .number(let right)): (left - right).signum()
    case (.text(let left), .text(let right)):
      left == right
        ? 0 : left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) ? -1 : 1
    default: nil
    }
  }

  // MARK: Constants

  private mutating func written(_ value: PlainValue, _ kind: Kind) -> String {
    switch (value, kind) {
    case (.none, _): return random.chance(0.5) ? "nil" : "NULL"
    case (.number(let number), .truth):
      let words =
        number == 0 ? ["NO", "false", "'no'", "0", "'0'"] : ["YES", "'True'", "1", "'1'"]
      return words[random.below(words.count)]
    case (.number(let number), .date): return date(number)
    case (.number(let number), _):
      let sign = number < 0 ? "-" : ""
      let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 1_000)
      let text = "\(sign)\(whole).\(Self.padded(Int(rest), 3))\(random.chance(0.5) ? "0" : "")"
      return random.chance(0.3) ? "'\(text)'" : text
    case (.text(let text), .uuid): return "'\(random.chance(0.5) ? text.lowercased() : text)'"
    case (.text(let text), _): return "'\(text)'"
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// A date within some days of 2001-01-01, in a form and a zone chosen at random.
  private mutating func date(_ thousandths: Int) -> String {
    let zone = random.chance(0.5) ? 0 : 30 * (random.below(49) - 24)
    let local = thousandths + zone * 60_000
    let day = Int((Double(local) / 86_400_000).rounded(.down))
    let time = local - day * 86_400_000
    let second = time / 1_000
    let isBasic = random.chance(0.3)
    let (hyphen, colon) = isBasic ? ("", "") : ("-", ":")
    let number = day >= 0 ? day + 1 : day + 32
    let month = day >= 0 ? "2001\(hyphen)01" : "2000\(hyphen)12"
    var text = "\(month)\(hyphen)\(Self.padded(number, 2))\(["T", "t", " "][random.below(3)])"
    text += [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }
      .joined(separator: colon)
    if time % 1_000 != 0 || random.chance(0.5) {
      text += [".", ","][random.below(2)] + Self.padded(time % 1_000, 3)
    }
    let sign = zone < 0 ? "-" : "+"
    let minutes = abs(zone)
    let offset = "\(sign)\(Self.padded(minutes / 60, 2))\(colon)\(Self.padded(minutes % 60, 2))"
    return "'\(text)\(zone == 0 ? ["", "Z", "z", offset][random.below(4)] : offset)'"
  }
}
