internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// The validations that can be evaluated.
@Suite struct ValueConditionTests {
  private static let domain: ClosedRange<Int64> = -3...3

  @Test(arguments: 0...5) func comparisonsHoldAsTheyDoInSwift(_ number: Int) throws {
    let operators: [(Int64, Int64) -> Bool] = [(<), (<=), (>), (>=), (==), (!=)]
    let holds = operators[number]
    for constant in Self.domain {
      let expression = ModelExpression.constant(.integer(constant))
      let straight = compare(.evaluatedObject, number, expression)
      let turned = compare(expression, number, .evaluatedObject)
      for value in Self.domain {
        #expect(try passes(.integer(value), .integer32, straight) == holds(value, constant))
        #expect(try passes(.real(Double(value)), .double, straight) == holds(value, constant))
        #expect(try passes(.integer(value), .integer32, turned) == holds(constant, value))
      }
    }
  }

  @Test func rangesAndListsHoldForTheirMembers() throws {
    let bounds = [ModelValue.integer(-1), .real(1.5)]
    let between = compare(.evaluatedObject, 100, .constant(.array(bounds)))
    let list = compare(.evaluatedObject, 10, .aggregate(bounds.map { .constant($0) }))
    for value in Self.domain {
      #expect(try passes(.integer(value), .integer16, between) == (-1...1).contains(value))
      #expect(try passes(.integer(value), .integer16, list) == (value == -1))
    }
    #expect(try passes(.real(1.5), .double, between))
    #expect(try passes(.real(1.5), .double, list))
    #expect(try !passes(.real(1.6), .double, between))
  }

  @Test func conditionsAreJoinedAsInLogic() throws {
    for low in Self.domain {
      for high in Self.domain {
        let parts = [atLeast(low), compare(.evaluatedObject, 1, .constant(.integer(high)))]
        for value in Self.domain {
          let (left, right) = (value >= low, value <= high)
          #expect(try passes(.integer(value), .integer64, .and(parts)) == (left && right))
          #expect(try passes(.integer(value), .integer64, .or(parts)) == (left || right))
          #expect(try passes(.integer(value), .integer64, .not(parts[0])) == !left)
          #expect(
            try passes(.integer(value), .integer64, .not(.and(parts))) == (!left || !right))
        }
      }
    }
    #expect(try passes(1, .integer16, .and([])))
    #expect(try !passes(1, .integer16, .or([])))
  }

  @Test func datesAreComparedByTheirSeconds() throws {
    let rule = compare(.evaluatedObject, 3, .constant(.date(100)))
    #expect(try passes(100, .date, rule))
    #expect(try passes(.real(100.5), .date, rule))
    #expect(try !passes(.real(99.5), .date, rule))
  }

  /// A float is stored as a double with additional digits.
  @Test func constantsOfFloatsHaveTheirPrecision() throws {
    for number in [0.1, 0.7, -0.3, 1e-3] {
      let stored = Double(Float(number))
      for relation in [1, 3, 4] {
        let rule = compare(.evaluatedObject, relation, .constant(.real(number)))
        #expect(try passes(.real(stored), .float, rule), "\(number)")
        #expect(try passes(.real(number), .double, rule), "\(number)")
      }
    }
  }

  @Test func theLengthOfATextCountsUTF16() throws {
    for (text, length) in [("", 0), ("abc", 3), ("größe", 5), ("🥛🥛", 4), ("e\u{301}", 2)] {
      for limit in 0...6 {
        let rule = compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(Int64(limit))))
        #expect(try passes(.string(text), .string, rule) == (length >= limit), "\(text) \(limit)")
      }
    }
  }

  @Test func theLengthOfBytesLeavesTheMarkerOut() throws {
    let rule = compare(.keyPath(operand: .evaluatedObject, "length"), 4, .constant(.integer(3)))
    let rules = ValidationRules(AttributeDescription(validatedBy: [rule]), .binary)
    func passes(_ bytes: [UInt8], isExternal: Bool) -> Bool {
      Row.with([.blob(bytes)]) { rules.pass($0, isExternal: isExternal) }
    }
    #expect(passes([7, 8, 9], isExternal: false))
    #expect(!passes([1, 7, 8, 9], isExternal: false))
    #expect(passes([1, 7, 8, 9], isExternal: true))
    #expect(!passes([1, 8, 9], isExternal: true))
    // What stands in a file is not read.
    #expect(passes([2, 8], isExternal: true))
    let large = Row(columnCount: 1)
    large.setLarge(0, size: 1 << 20, firstByte: 1)
    #expect(!rules.pass(large, isExternal: true))
  }

  @Test(
    arguments: [
      (4, "title", ["title"], ["", "Title", "titles", "e"]),
      (5, "title", ["", "Title"], ["title"]),
      (8, "ti", ["ti", "title", "tiß"], ["", "t", "Ti", "a ti"]),
      (9, "le", ["le", "title", "ßle"], ["", "e", "lE", "le "]),
      (99, "it", ["it", "title", "ßit", "iit"], ["", "i", "t", "iT", "i t"]),
      (4, "é", ["\u{e9}"], ["e\u{301}"]),
    ] as [(Int, String, [String], [String])])
  func textsAreComparedByTheirBytes(
    _ number: Int, _ constant: String, _ passing: [String], _ failing: [String]
  ) throws {
    let rule = compare(.evaluatedObject, number, .constant(.string(constant)))
    for text in passing { #expect(try passes(.string(text), .string, rule), "\(text)") }
    for text in failing { #expect(try !passes(.string(text), .string, rule), "\(text)") }
  }

  @Test func aTextCanBeOneOfAList() throws {
    let rule = compare(.evaluatedObject, 10, .constant(.array([.string("a"), .string("b")])))
    #expect(try passes("b", .string, rule))
    #expect(try !passes("c", .string, rule))
  }

  @Test func aValueThatIsThereIsNotNull() throws {
    #expect(try passes(.blob([]), .transformable, compare(.evaluatedObject, 5, .constant(nil))))
    #expect(try !passes(.blob([]), .transformable, compare(.evaluatedObject, 4, .constant(.null))))
  }

  @Test func whatIsNotThereIsNotValidated() throws {
    let length = compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(5)))
    #expect(try passes(.null, .integer16, atLeast(5)))
    #expect(try passes(.null, .string, length))
    #expect(try passes(.null, .integer16, compare(.evaluatedObject, 4, .constant(nil))))
  }

  @Test func ofAValueOfAnotherStorageClassNothingIsSaid() throws {
    for rule in [atLeast(5), .not(atLeast(5)), .and([atLeast(5)])] {
      #expect(try passes("x", .integer16, rule))
    }
    let length = compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(5)))
    #expect(try passes(1, .string, length))
    #expect(try passes(.blob([1]), .string, length))
  }

  @Test func whatOneOfTheConditionsDecidesIsSaid() {
    // Of the number nothing is known, of the text all.
    let unknown = ValueCondition.number(.equal, .integer(1))
    #expect(unsafe ValueCondition.all([unknown, .constant(false)]).holds(nil, nil) == false)
    #expect(unsafe ValueCondition.all([unknown, .constant(true)]).holds(nil, nil) == nil)
    #expect(unsafe ValueCondition.any([unknown, .constant(true)]).holds(nil, nil) == true)
    #expect(unsafe ValueCondition.any([unknown, .constant(false)]).holds(nil, nil) == nil)
    #expect(unsafe ValueCondition.not(unknown).holds(nil, nil) == nil)
  }

  private func passes(
    _ value: StoreValue, _ type: AttributeType, _ predicate: ModelPredicate
  ) throws -> Bool {
    let rules = ValidationRules(AttributeDescription(validatedBy: [predicate]), type)
    try #require(rules.notEvaluated == [])
    return Row.with([value]) { rules.pass($0, isExternal: false) }
  }
}

extension ValidationRules {
  /// Whether the value of the first column passes all conditions.
  fileprivate func pass(_ row: Row, isExternal: Bool) -> Bool {
    conditions.allSatisfy { condition, _ in
      ValueTest(column: 0, subject: subject, isExternal: isExternal, condition: condition)
        .passes(row)
    }
  }
}
