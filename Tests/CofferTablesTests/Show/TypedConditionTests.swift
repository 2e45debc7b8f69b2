internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import Testing

@testable internal import CofferCore

/// Constants are compared by the type of the property, in a store and in an archive alike.
@Suite struct TypedConditionTests {
  private static let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  /// 2025-01-01T09:00:00Z is 757,414,800 seconds after 2001.
  private static let objects: [(entity: Name, values: [Name: StoreValue])] = [
    (
      "Thing",
      [
        "small": -5, "large": .integer(9_007_199_254_740_993), "amount": 2.49, "ratio": 0.1,
        "weight": .real(Double(Float(0.7))), "name": "Straße", "isOn": .bool(true),
        "at": 757_414_800, "id": .blob(UUIDText.bytes(uuid) ?? []),
        "link": "https://a.example/X", "place.latitude": 52.5, "place.city": "Bern",
        "place.area.code": 3011,
        "photo": .blob([1, 2]),
      ]
    ),
    (
      "Thing",
      [
        "small": 3, "large": .integer(9_007_199_254_740_992), "amount": 2,
        "ratio": 9_007_199_254_740_992.0, "weight": 1.5, "name": "CAF\u{C9}",
        "isOn": .bool(false), "at": 757_414_800.1, "other": 1,
      ]
    ),
    ("Thing", [:]),
    (
      "Special",
      ["small": 12, "name": "cafe\u{301} 12", "at": 757_411_200.5, "other": 2, "until": 0]
    ),
    ("Thing", ["small": 0, "name": "a*b\nc", "at": -1.25]),
    ("Thing", ["name": "5", "amount": -0.001]),
  ]

  private func expect(_ cases: [(condition: String, keys: [Int64])]) throws {
    for found in try ConditionSample(Self.objects).keys(cases.map(\.condition)) {
      for (number, (condition, keys)) in cases.enumerated() {
        #expect(found[number] == keys, "\(condition)")
      }
    }
  }

  @Test func datesAreInstants() throws {
    try expect([
      ("at > '2025-01-01T09:00:00Z'", [2]), ("at >= '2025-01-01T09:00:00Z'", [1, 2]),
      ("at == '2025-01-01T11:00:00+02:00'", [1]), ("at == '2025-01-01T09:00:00.000Z'", [1]),
      ("at == '20250101T090000Z'", [1]), ("at == '2025-01-01t09:00z'", [1]),
      ("at == '2025-01-01 09:00:00 +0000'", [1]), ("at == '2025-001T09'", [1]),
      ("at == '2025-W01-3T09'", [1]), ("at == '2025-01-01T09:00:00.1Z'", [2]),
      ("at == '2025-01-01T09:00:00,10000000000000000000000+00'", [2]),
      ("at == '2025-01-01T04:00:00.5-0400'", [4]),
      ("at BETWEEN {'2025-01-01T08.0', '2025-01-01T08.5'}", [4]), ("at < '2001'", [5]),
      ("at == '2000-12-31T23:59:58.75Z'", [5]), ("'2025' <= at", [1, 2, 4]),
      ("at IN {'2025-01-01T09:00Z', nil}", [1, 3, 6]),
      ("at != '2025-01-01T09:00Z'", [2, 3, 4, 5, 6]), ("until == '2000-12-31T24:00'", [4]),
      ("until == nil", [1, 2, 3, 5, 6]), ("until < at", [4]),
    ])
  }

  @Test func numbersAreExact() throws {
    try expect([
      ("-5 == small", [1]), ("small == '-5'", [1]), ("small > 2.5", [2, 4]),
      ("small BETWEEN {0, 3}", [2, 5]), ("small == YES", []), ("large == 9007199254740993", [1]),
      ("ratio == 9007199254740993", []), ("ratio == '9007199254740992'", [2]),
      ("amount == 2.49", [1]), ("amount == '2.49'", [1]), ("amount == 2.490", [1]),
      ("amount == 249e-2", [1]), ("amount == '2.0'", [2]), ("amount < 0", [6]),
      ("amount IN {'-1e-3', 2}", [2, 6]), ("weight == 0.7", [1]), ("weight > 0.7", [2]),
      ("weight == 0.699999988079071", [1]), ("large > ratio", [1]),
      ("isOn == TRUE", [1]), ("isOn == 'Yes'", [1]), ("isOn == 1", [1]), ("isOn == '1'", [1]),
      ("isOn == 'false'", [2]), ("isOn != no", [1, 3, 4, 5, 6]), ("isOn IN {nil}", [3, 4, 5, 6]),
    ])
  }

  @Test func textsAreCompared() throws {
    try expect([
      ("name ==[c] 'STRASSE'", [1]), ("name ==[cd] 'cafe'", [2]),
      ("name BEGINSWITH[CD] 'CAFE'", [2, 4]), ("name BEGINSWITH[d] 'cafe'", [4]),
      ("name CONTAINS[c] '\u{E9}'", [2]), ("name CONTAINS 'e'", [1, 4]),
      ("name ENDSWITH[c] 'SSE'", [1]), ("name LIKE[c] 'stra?e'", [1]),
      ("name LIKE[cd] 'caf?'", [2]), ("name LIKE[d] 'caf? *'", [4]),
      (#"name LIKE 'a\\*b*'"#, [5]), ("name LIKE '*'", [1, 2, 4, 5, 6]), ("name LIKE '?'", [6]),
      ("name LIKE '*a*e'", [1]), ("name LIKE ''", []),
      (#"name MATCHES[c] '\\D+'"#, [1, 2, 5]), ("name MATCHES '50|5'", [6]),
      ("name MATCHES '5|50'", [6]), ("name MATCHES 'CAF'", []), ("name MATCHES 'a.*'", []),
      ("name MATCHES '(?s)a.*'", [5]), ("name MATCHES '(?x) 5 # five'", [6]),
      ("name MATCHES[c] 'caf\u{E9}'", [2]), ("name == '5'", [6]),
      ("name IN[c] {'caf\u{E9}', '5'}", [2, 6]), ("'Straße und mehr' CONTAINS name", [1]),
      ("name IN 'Straße 5'", [1, 6]), ("name < 'a'", [1, 2, 6]), ("NOT (name < 'a')", [3, 4, 5]),
      ("name == nil", [3]), ("nil != name", [1, 2, 4, 5, 6]),
      ("name CONTAINS ''", [1, 2, 4, 5, 6]),
    ])
  }

  @Test func objectsUUIDsAndTheRestAreCompared() throws {
    let all: [Int64] = [1, 2, 3, 4, 5, 6]
    try expect([
      ("id == '\(Self.uuid.lowercased())'", [1]), ("id BEGINSWITH 'e621'", [1]),
      ("id MATCHES 'e621.*'", [1]), ("id LIKE '*6E5f'", [1]), ("id IN {'\(Self.uuid)'}", [1]),
      ("link == 'https://a.example/X'", [1]), ("link == 'https://a.example/x'", []),
      ("link BEGINSWITH 'https'", [1]), ("other == 1", [2]), ("other == 'Thing/p2'", [4]),
      ("other == nil", [1, 3, 5, 6]), ("SELF == 'Special/p4'", [4]), ("SELF IN {1, 2}", [1, 2]),
      ("SELF > other", [2, 4]), ("place.latitude > 52", [1]), ("place == nil", [2, 3, 4, 5, 6]),
      ("place.area != nil", [1]), ("place.area.code IN {3011}", [1]),
      ("place.city ==[c] 'BERN'", [1]), ("photo != nil", [1]), ("kept == nil", all),
      ("1 == 1", all), ("'b' > 'a' AND NOT 2 < 1.5", all), ("1 == 2", []),
    ])
  }

  @Test func propertiesOfOtherObjectsAreCompared() throws {
    let all: [Int64] = [1, 2, 3, 4, 5, 6]
    try expect([
      ("other.name == 'Straße'", [2]), ("other.name != 'Straße'", [1, 3, 4, 5, 6]),
      ("other.name == nil", [1, 3, 5, 6]), ("other.other.small == -5", [4]),
      ("other.other == 'Thing/p1'", [4]), ("other.at < at", [2]),
      ("SELF.other.name BEGINSWITH[d] 'CAFE'", [4]), ("other.place.city == 'Bern'", [2]),
      ("other.until == nil", all), ("other.entity.name == 'Thing'", [2, 4]),
      ("entity.name == 'Special'", [4]), ("NOT entity.name IN {'Special'}", [1, 2, 3, 5, 6]),
      ("other == 'x-coredata://\(Self.uuid)/Thing/p1'", [2]),
    ])
  }

  @Test func collectionsAreAsked() throws {
    try expect([
      ("others.@count == 1", [1, 2]), ("count:(others) == 0", [3, 4, 5, 6]),
      ("ANY others.small > 0", [1, 2]), ("ALL others.small > 5", [2, 3, 4, 5, 6]),
      ("NONE others.small > 5", [1, 3, 4, 5, 6]), ("ANY others == 'Thing/p2'", [1]),
      ("others.@sum.small == 12", [2]), ("others.@avg.amount == 2", [1]),
      ("others.@min.at == nil", [3, 4, 5, 6]), ("others.@max.name BEGINSWITH 'cafe'", [2]),
      ("'CAF\u{C9}' IN others.name", [1]), ("others.name CONTAINS[c] 'caf\u{E9}'", [1]),
      ("SOME others.name IN {'CAF\u{C9}', 'x'}", [1]), ("other.others.@count == 1", [2, 4]),
      ("SUBQUERY(others, $o, $o.small > 5 AND $o.until != nil).@count > 0", [2]),
      ("SUBQUERY(others, $o, $o.small > small AND $o.other == SELF).@count == 1", [1, 2]),
      ("SUBQUERY(others, $o, ANY $o.others.small == 12).@count == 1", [1]),
      ("ANY SUBQUERY(others, $o, $o.small > 5).entity.name == 'Special'", [2]),
    ])
  }

  /// `NSSet`'s `value(forKey:)` leaves out the objects without a value.
  @Test func objectsWithoutAValueAreNoneOfACollection() throws {
    let all: [Int64] = [1, 2, 3, 4, 5, 6]
    try expect([
      ("ANY others.photo == nil", []), ("NONE others.photo == nil", all),
      ("nil IN others.photo", []), ("ANY others.link != 'x'", []),
      ("ANY others.link IN {nil, 'x'}", []), ("ALL others.link == 'x'", all),
      ("ALL others.until > '2000'", all), ("ANY others.other.other == nil", []),
      ("SUBQUERY(others, $o, $o.photo == nil).@count > 0", [1, 2]),
      ("SUBQUERY(others, $o, $o.link != 'x').@count > 0", [1, 2]),
    ])
  }

  @Test func onlyDecimalNumbersAreExact() throws {
    let all: [Int64] = [1, 2, 3, 4, 5, 6]
    try expect([
      ("0.1 + 0.2 == 0.3", []), ("CAST(0.1, 'NSDecimalNumber') + 0.2 == 0.3", all),
      ("amount - 2.39 == 0.1", [1]),
    ])
  }

  @Test func aLongKeyPathIsFollowedOnceFromEachEntity() throws {
    let way = Array(repeating: "other", count: 60).joined(separator: ".")
    try expect([("\(way).name == nil", [1, 2, 3, 4, 5, 6])])
  }

  /// The first takes too many steps, the second too much of ICU's memory.
  @Test(arguments: [("(.*)*x", 77), ("(?:a|b)*", 10 << 20)])
  func aRegularExpressionHasLimitedTime(pattern: String, length: Int) throws {
    let text = String(repeating: "a", count: length)
    let sample = try ConditionSample([("Thing", ["name": .string(text)])])
    let error = #expect(throws: CofferError.self) {
      try sample.keys(["name MATCHES '\(pattern)'"])
    }
    #expect(error?.code == .invalidCondition)
    #expect(error?.detail.contains("20 million steps") == true)
    #expect(error?.markedText?.lines.first?.contains(pattern) == true)
  }

  @Test func valuesAreCalculated() throws {
    let all: [Int64] = [1, 2, 3, 4, 5, 6]
    try expect([
      ("small + 1 == 4", [2]), ("small * 2 > 6 AND small - 2 == 10", [4]), ("small / 2 == 1", [2]),
      ("small / 0 == nil", all), ("amount + 0.01 == 2.5", [1]), ("amount * 3 == 7.47", [1]),
      ("2 ** 3 == 8 AND 1 + 2 * 3 == 7", all), ("-small == 5", [1]),
      ("at - '2025-01-01T08:00Z' == 3600", [1]), ("at + 3600 > '2025-01-01T10:00Z'", [2]),
      ("at < NOW()", [1, 2, 4, 5]), ("CAST(757414800, 'NSDate') == at", [1]),
      ("CAST(at, 'NSNumber') < 0", [5]), ("length:(name) == 6", [1]),
      ("lowercase:(name) == 'caf\u{E9}'", [2]), ("abs:(small) == 5", [1]),
      ("modulus:by:(small, 5) == 2", [4]), ("sqrt:(ratio) < 1", [1]),
      ("name ==[n] 'Straße'", [1]), ("name ==[cn] 'STRASSE'", []), ("TRUEPREDICATE", all),
      ("FALSEPREDICATE OR small == 3", [2]), ("small >= other.small", [2, 4]),
      ("until <= other.until", []), ("until - at > 0", []),
    ])
  }

  /// A text that is an entry of its own in an archive is compared like any other.
  @Test func largeTextsAreCompared() throws {
    let text = String(repeating: "x", count: 5 << 20) + "end"
    let sample = try ConditionSample([("Thing", ["name": .string(text)]), ("Thing", ["name": "x"])])
    for found in try sample.keys(["name ENDSWITH 'xend'", "name LIKE 'x*'"]) {
      #expect(found == [[1], [1, 2]])
    }
  }
}
