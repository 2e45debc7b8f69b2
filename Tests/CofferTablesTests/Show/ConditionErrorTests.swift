internal import CoreDataModel
internal import Testing

@testable internal import CofferCore

/// What cannot be compared is an error before anything is read, with its place.
@Suite struct ConditionErrorTests {
  private func fault(_ condition: String) -> CofferError? {
    do throws(CofferError) {
      _ = try ObjectCondition(condition, of: "Thing", in: ConditionSample.model, path: "a.sqlite")
      return nil
    } catch {
      return error
    }
  }

  @Test func calculationsAndKeyPathsHaveLimits() {
    func sum(_ count: Int) -> String {
      Array(repeating: "small", count: count + 1).joined(separator: " + ")
    }
    func path(_ count: Int) -> String {
      Array(repeating: "other", count: count - 1).joined(separator: ".") + ".small"
    }
    #expect(fault("\(sum(100)) > 1") == nil)
    #expect(fault("\(sum(101)) > 1")?.detail.contains("more than 100 signs") == true)
    #expect(fault("\(sum(50)) > \(sum(51))")?.detail.contains("more than 100 signs") == true)
    let comparisons = Array(repeating: "\(sum(100)) > 1", count: 20).joined(separator: " OR ")
    #expect(fault(comparisons) == nil)
    #expect(fault("\(sum(10_000)) > 1")?.code == .invalidCondition)
    #expect(fault("\(path(64)) > 1") == nil)
    #expect(fault("\(path(65)) > 1")?.detail.contains("more than 64 keys") == true)
  }

  /// Conditions with the part that is marked, the last of its kind; none stands for the end.
  @Test(
    arguments: [
      ("at > 'yesterday'", "'yesterday'"), ("at == '2021-02-30'", "'2021-02-30'"), ("at == 5", "5"),
      ("at > '2024-05-01T25:00'", "'2024-05-01T25:00'"), ("at > '2024-13'", "'2024-13'"),
      ("at == '2024-W53'", "'2024-W53'"), ("at == '2023-366'", "'2023-366'"),
      ("at == '2024-05-01T09:00+25'", "'2024-05-01T09:00+25'"), ("at == '0000'", "'0000'"),
      ("at == '2024-05-01T09:00:60Z'", "'2024-05-01T09:00:60Z'"), ("at == ''", "''"),
      ("at == '2024-05-01T24:01'", "'2024-05-01T24:01'"), ("at == 2024-05-01", "2024-05-01"),
      ("at BEGINSWITH '2024'", "at"), ("at IN {'2024', 'soon'}", "'soon'"),
      ("small == 'abc'", "'abc'"), ("small == '0x10'", "'0x10'"), ("small == 1e400", "1e400"),
      ("ratio == 'nan'", "'nan'"), ("small CONTAINS 'x'", "small"), ("isOn == 2", "2"),
      ("isOn == 'maybe'", "'maybe'"), ("id == 'E621'", "'E621'"), ("name == 5", "5"),
      ("name == true", "true"), ("name MATCHES '['", "'['"), ("name MATCHES 'a)|(b'", "'a)|(b'"),
      ("name ==[l] 'a'", "==[l]"),
      ("name ==[x] 'a'", "x"), ("small ==[c] 5", "==[c]"), ("name LIKE small", "small"),
      ("name LIKE link", "link"), ("others == nil", "others"), ("other.nmae == 'x'", "other.nmae"),
      ("other.at == 'soon'", "'soon'"), ("other.name == 5", "5"), ("entity == 'Thing'", "entity"),
      ("other.others.name == 'x'", "other.others.name"),
      ("others.others.name == 'x'", "others.others.name"), ("others[0] == 1", "others"),
      ("rows[name] == 1", "name"), ("name[0] == 'x'", "name"),
      ("rows[0].nmae == 'x'", "rows[0].nmae"),
      ("SUBQUERY(rows, $r, $r.small > 1)[0] == 1", "SUBQUERY(rows, $r, $r.small > 1)"),
      ("ratio & 1 == 1", "ratio"), ("small << 'x' == 1", "'x'"), ("~ratio == 1", "ratio"),
      ("TERNARY(nmae == 1, 1, 2) == 1", "nmae"), ("TERNARY(small > 1, 'x', at) == 1", "'x'"),
      ("TERNARY(small > 1, name, at) == nil", "at"), ("random() < 0.5", "random()"),
      ("FUNCTION(name, 'length') > 1", "FUNCTION(name, 'length')"),
      ("sum:(others.others.small) > 1", "others.others.small"),
      ("others.others.@count > 1", "others.others.@count"),
      ("stddev:(others.name) > 1", "others.name"), ("@sum.name > 1", "@sum.name"),
      ("others.@median.small > 1", "others.@median.small"), ("others.@count > 'x'", "'x'"),
      ("others.@sum.name > 1", "others.@sum.name"), ("others.small.@sum > 1", "others.small.@sum"),
      ("others.@sum > 1", "others.@sum"), ("ANY others.@foo.small > 1", "others.@foo.small"),
      ("SUBQUERY(other, $o, $o.small > 1).@count > 0", "other"),
      ("SUBQUERY(others, $o, $p.small > 1).@count > 0", "$p.small"),
      ("SUBQUERY(others, $o, $o.nmae == 1).@count > 0", "$o.nmae"),
      ("SUBQUERY(others, xyz, small == 1).@count > 0", "xyz"),
      ("ANY other.name == 'x'", "other.name"), ("name == others.name", "others.name"),
      ("ANY others.small > others.large", "others.large"), ("others.small > 1", "others.small"),
      ("abs:(name) > 1", "name"), ("length:(small) > 1", "small"),
      ("medium:(others.small) > 1", "medium:(others.small)"),
      ("abs(small, 1) > 1", "abs(small, 1)"),
      ("CAST(name, 'NSDate') > at", "name"), ("CAST(at, 'NSData') == nil", "'NSData'"),
      ("CAST('soon', 'NSDate') > at", "'soon'"), ("2 * at > 5", "at"), ("2 < 'a' + at", "'a'"),
      ("small + others.small > 1", "others.small"), ("small + nil > 1", "nil"),
      ("2 ** 'x' == 4", "'x'"), ("other.mood == 1", "other.mood"),
      ("photo == 'x'", "photo"), ("place == 1", "place"), ("place.area == 1", "place.area"),
      ("kept IN {1}", "kept"),
      ("photo != kept", "kept"), ("small < nil", "nil"), ("name CONTAINS nil", "nil"),
      ("small IN 5", "5"), ("small BETWEEN {1}", "{1}"), ("{1} == small", "{1}"),
      ("small == at", "at"), ("1 == 'a'", "'a'"), ("other == 'Nothing/p1'", "'Nothing/p1'"),
      ("other == 'x'", "'x'"), ("ANY others.name == 5", "5"),
      ("ANY name == 'x'", "name"), ("name + 1 == 2", "name"), ("name > now()", "now()"),
      ("$x == 1", "$x"), ("mood == 1", "mood"), ("small == 1.2.3", "1.2.3"), ("small ==", ""),
      ("(small == 1", ""), ("small == 1 name", "name"), ("name == 'x", "'x"), ("small ? 1", "?"),
      ("(small > 1 AND ) OR name == 'x'", ")"), ("(small == 1) AND at > 'x'", "'x'"),
      ("(name) == 5", "5"), ("", ""), ("name.length > 2", "name.length"),
    ] as [(String, String)])
  func thePlaceIsMarked(_ condition: String, _ part: String) throws {
    let error = try #require(fault(condition))
    #expect(error.code == .invalidCondition || error.code == .noSuchProperty)
    let scalars = condition.unicodeScalars
    let range =
      part.isEmpty ? scalars.endIndex..<scalars.endIndex : condition.ranges(of: part).last
    let found = try #require(range)
    let start = scalars.distance(from: scalars.startIndex, to: found.lowerBound)
    #expect(
      error.markedText == MarkedText(condition, start..<(start + part.unicodeScalars.count)))
  }

  @Test func unknownNamesHaveASuggestion() throws {
    for (condition, name) in [
      ("nmae == 'x'", "name"), ("place.ctiy == 'x'", "city"), ("other.nmae == 1", "other.name"),
    ] {
      let error = try #require(fault(condition))
      #expect(error.code == .noSuchProperty)
      #expect(error.hint?.hasPrefix("Did you mean '\(name)'? Available: ") == true)
    }
    #expect(fault("name == Milk")?.hint?.contains("Available: ") == true)
  }

  @Test func theTextSaysWhatAndWhere() {
    let error = fault("small > 1 AND at > 'yesterday'")
    #expect(
      error?.description == """
        a.sqlite: invalid condition: 'yesterday' is not a date: it is not in ISO 8601 \
        (character 20 of the condition)
        """)
    #expect(error?.hint == "Example: '2024-05-01' or '2024-05-01T09:30:00Z'")
    #expect(
      error?.markedText?.lines == [
        "small > 1 AND at > 'yesterday'", "                   ^^^^^^^^^^^",
      ])
  }

  @Test func aLongTextIsShownAroundItsMark() {
    let text = String(repeating: "a", count: 100) + "\n!" + String(repeating: "b", count: 100)
    let lines = MarkedText(text, 101..<102).lines
    #expect(
      lines == [
        "…" + String(repeating: "a", count: 39) + " !" + String(repeating: "b", count: 59) + "…",
        String(repeating: " ", count: 41) + "^",
      ])
    #expect(MarkedText("", 0..<0).lines == ["", "^"])
  }
}
