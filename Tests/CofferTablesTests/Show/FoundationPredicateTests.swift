internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import Testing

@testable internal import CofferCore

/// The forms that Foundation's predicate format has beyond comparisons and key paths.
@Suite struct FoundationPredicateTests {
  /// Four things belong to the first, and one to the second; rows are in another order than keys.
  private static let objects: [(entity: Name, values: [Name: StoreValue])] = [
    ("Thing", ["small": 100, "name": "Stra\u{DF}e", "isOn": .bool(true)]),
    ("Thing", ["small": 1, "other": 1, "name": "CAF\u{C9}"]),
    ("Thing", ["small": 1, "other": 1, "name": "cafe\u{301} 12", "ratio": 2.5]),
    ("Thing", ["small": 4, "other": 1]),
    ("Special", ["small": 8, "other": 1, "at": 0]),
    ("Thing", ["small": -5, "other": 2, "isOn": .bool(false)]),
    ("Thing", [:]),
  ]

  private static let all: [Int64] = [1, 2, 3, 4, 5, 6, 7]

  private func expect(_ cases: [(condition: String, keys: [Int64])]) throws {
    let sample = try ConditionSample(Self.objects, rows: [5, 2, 6])
    for found in try sample.keys(cases.map(\.condition)) {
      for (number, (condition, keys)) in cases.enumerated() {
        #expect(found[number] == keys, "\(condition)")
      }
    }
  }

  @Test func bitsAreCalculatedOfIntegers() throws {
    try expect([
      ("small & 4 == 4", [1, 4]), ("small & 3 == 3", [6]), ("small | 8 == 12", [4]),
      ("small ^ 1 == 5", [4]), ("~small == 4", [6]), ("1 << small == 16", [4]),
      ("small >> 1 == -3", [6]), ("small << 1 == 2", [2, 3]), ("1 << small == 0", [1, 6]),
      ("small >> 64 == -1", [6]), ("bitwiseAnd:with:(small, 4) == 4", [1, 4]),
      ("BITWISEOR:WITH:(small, 1) == 5", [4]),
      ("bitwiseXor:with:(small, small) == 0", [1, 2, 3, 4, 5, 6]),
      ("onesComplement:(small) == -2", [2, 3]), ("leftshift:by:(small, 2) == 16", [4]),
      ("rightshift:by:(small, 2) == 1", [4]), ("isOn | 2 == 3", [1]),
      ("small & '12' == 8", [5, 6]),
      ("1 + 1 << 2 == 8 AND (6 & 3 | 8) == 10 AND (2 | 4 & 4) == 6", Self.all),
      ("5 ^ 1 & 3 == 4 AND ~0 + 1 == 0", Self.all),
    ])
  }

  @Test func functionsOfOneValueNeedNoColon() throws {
    try expect([
      ("abs(small) == 5", [6]), ("length(name) == 6", [1]), ("MAX(others.small) == 8", [1]),
      ("count(others) == 4", [1]), ("sum(others.small) == 14", [1]), ("noindex:(small) == 4", [4]),
      ("noindex(others.small) CONTAINS 4", [1]), ("canonical:(name) == 'cafe'", [2]),
      ("canonical(name) BEGINSWITH 'cafe'", [2, 3]), ("canonical(name) == 'strasse'", [1]),
    ])
  }

  @Test func collectionsHaveStatistics() throws {
    try expect([
      ("median:(others.small) == 2.5", [1]), ("median:(others.small) == -5", [2]),
      ("mode:(others.small) == 1", [1]), ("mode:(others.at) == '2001'", [1]),
      ("stddev:(others.small) * stddev:(others.small) - 8.25 BETWEEN {-0.0001, 0.0001}", [1]),
      ("stddev:(others.small) == 0", [2]), ("median:(others.ratio) == 2.5", [1]),
      ("median:(others.small) == nil", [3, 4, 5, 6, 7]),
    ])
  }

  @Test func unionsAreCollections() throws {
    try expect([
      ("4 IN others.@distinctUnionOfObjects.small", [1]),
      ("ANY others.@unionOfObjects.small < 0", [2]),
      ("count:(others.@distinctUnionOfObjects.small) == 3", [1]),
      ("sum:(others.@distinctUnionOfObjects.small) == 13", [1]),
      ("sum:(others.@unionOfObjects.small) == 14", [1]),
    ])
  }

  @Test func anOperatorMayComeFirstOrBehindOtherKeys() throws {
    try expect([
      ("@sum.others.small == 14", [1]), ("other.@max.others.small == 8", [2, 3, 4, 5]),
      ("@avg.others.ratio == 2.5", [1]), ("others.other.@count == 1", [1, 2]),
      ("others.other.@sum.small == 100", [1]), ("others.other.@max.name BEGINSWITH 'CAF'", [2]),
      ("others.other.@count == 0", [3, 4, 5, 6, 7]),
    ])
  }

  @Test func severalToManyRelationshipsAreFollowed() throws {
    try expect([
      ("ANY others.others.small == -5", [1]),
      ("NONE others.others.small == -5", [2, 3, 4, 5, 6, 7]),
      ("ALL others.others.small == -5", Self.all),
      ("ALL others.others.small > 0", [2, 3, 4, 5, 6, 7]),
      ("others.others CONTAINS 'Thing/p6'", [1]),
      ("ANY others.others.other.name == 'CAF\u{C9}'", [1]),
      ("ANY others.name CONTAINS[c] 'af'", [1]), ("ANY rows.others.small < 0", [1]),
      ("ANY other.others.others.small < 0", [2, 3, 4, 5]),
    ])
  }

  @Test func elementsHaveAPlace() throws {
    try expect([
      ("rows[0].small == 8", [1]), ("rows[FIRST] == 'Special/p5'", [1]), ("rows[1] == 2", [1]),
      ("rows[last].small == -5", [1]), ("rows[2].other.name == 'CAF\u{C9}'", [1]),
      ("rows[SIZE] == 3", [1]), ("others[SIZE] == 4", [1]), ("rows[3] == nil", Self.all),
      ("rows[-1] != nil", []), ("list.rows[0].small == 8", [2, 5, 6]),
      ("small == {7, 8, 9}[1]", [5]), ("{1, 2, 3}[SIZE] == 3", Self.all),
      ("SUBQUERY(others, $o, $o.small > 1)[SIZE] == 2", [1]),
    ])
  }

  @Test func oneOfTwoValuesIsChosen() throws {
    try expect([
      ("TERNARY(small > 5, 'big', 'little') == 'big'", [1, 5]),
      ("ternary(small == nil, 0, small) == 0", [7]),
      ("TERNARY(isOn == YES, small, ratio) > 2", [1, 3]),
      ("TERNARY(ANY others.small > 5, 1, 2) == 1", [1]),
      ("TERNARY(at == nil, '2002', at) == '2001'", [5]),
      ("TERNARY(small > 5, nil, name) == 'x'", []),
      ("SUBQUERY(others, $o, TERNARY($o.small > 5, 1, 0) == 1).@count == 1", [1]),
    ])
  }

  @Test func regularExpressionsCanIgnoreMarks() throws {
    try expect([
      ("name MATCHES[d] 'CAFE'", [2]), ("name MATCHES[cd] 'caf\u{E9}.*'", [2, 3]),
      ("name MATCHES[d] 'caf\u{E9} [0-9]+'", [3]), ("name MATCHES[cd] 'cafe'", [2]),
    ])
  }
}
