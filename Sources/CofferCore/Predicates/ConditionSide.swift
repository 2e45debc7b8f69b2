internal import CoreDataModel
internal import Foundation

/// A side of a comparison as written, with its position.
indirect enum ConditionSide {
  case property(ConditionProperty, Range<Int>)
  /// A number, a truth value or a text; nil for `nil`.
  case constant(ModelValue?, Range<Int>)
  case list([ConditionSide], Range<Int>)
  case many(CollectedValues, Range<Int>)

  var place: Range<Int> {
    switch self {
    case .property(_, let place), .constant(_, let place), .list(_, let place),
      .many(_, let place):
      place
    }
  }

  /// The side, or its elements.
  private var parts: [ConditionSide] {
    if case .list(let elements, _) = self { elements } else { [self] }
  }

  /// The type for comparing two sides: the type of their properties, or else of the first constant.
  ///
  /// - Throws: ``ConditionFault`` for properties of types that cannot be compared.
  static func type(of left: Self, _ right: Self) throws(ConditionFault) -> ConditionType {
    var found: ConditionProperty?
    var constant: ConditionType?
    for part in left.parts + right.parts {
      switch part {
      case .property(let property, let place):
        if let other = found, !other.type.isComparable(to: property.type) {
          let isDate = property.type == .date || other.type == .date
          throw ConditionFault(
            "\(property.typeName) and \(other.typeName) cannot be compared", at: place,
            hint: isDate ? "Write a date in quotes: '2024-05-01'" : nil)
        }
        if found == nil || found?.type == .missing { found = property }
      case .constant(let value, _): constant = constant ?? ConditionType(value)
      case .list, .many: break
      }
    }
    return found?.type ?? constant ?? .missing
  }
}

/// Makes the tests of one comparison, whose type is settled.
struct TypedComparison {
  let symbol: String
  let place: Range<Int>
  let type: ConditionType
  /// The model, for the entities of objects.
  let model: ManagedObjectModel
  /// The differences of texts that do not count.
  var folding: TextFolding

  // MARK: Terms

  /// A side that has one value, or none.
  func term(_ side: ConditionSide) throws(ConditionFault) -> ConditionTerm {
    switch side {
    case .property(let property, _): return .property(property, folding)
    case .constant(let value, let place):
      do throws(ConditionProblem) {
        return .constant(try type.operand(value, folding, model))
      } catch {
        throw ConditionFault(error, at: place)
      }
    case .list(_, let place), .many(_, let place):
      throw ConditionFault("one value is expected here", at: place)
    }
  }

  /// A side that is not `nil`.
  func value(_ side: ConditionSide) throws(ConditionFault) -> ConditionTerm {
    if case .constant(nil, let place) = side {
      throw ConditionFault(
        "\(symbol) does not compare with nil", at: place, hint: "Use == or != for that.")
    }
    return try term(side)
  }

  // MARK: Comparisons

  func relation(
    _ relation: ValueCondition.Relation, _ left: ConditionSide, _ right: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    let isEquality = relation == .equal || relation == .notEqual
    if type == .opaque {
      // The type of such values does not matter if the other side is nil.
      for (side, other) in [(left, right), (right, left)] {
        guard isEquality, case .constant(nil, _) = other, case .property = side else { continue }
        return .relation(relation, try term(left), try term(right))
      }
      throw opaque(left, right)
    }
    if isEquality { return .relation(relation, try term(left), try term(right)) }
    return .relation(relation, try value(left), try value(right))
  }

  func between(
    _ value: ConditionSide, _ first: ConditionSide, _ last: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    if type == .opaque { throw opaque(value, first) }
    return .between(try self.value(value), first: try self.value(first), last: try self.value(last))
  }

  func element(
    _ side: ConditionSide, _ elements: [ConditionSide]
  ) throws(ConditionFault) -> ObjectTest {
    if type == .opaque { throw opaque(side, side) }
    let terms = try elements.map { element throws(ConditionFault) in try term(element) }
    return .element(try term(side), terms)
  }

  private func opaque(_ left: ConditionSide, _ right: ConditionSide) -> ConditionFault {
    for case .property(let property, let place) in [left, right] {
      return ConditionFault(
        "values of the type \(property.typeName) can only be compared with nil", at: place,
        hint: "Use == nil or != nil.")
    }
    return ConditionFault("such values can only be compared with nil", at: place)
  }

  // MARK: Texts

  func search(
    _ search: ObjectTest.Search, _ whole: ConditionSide, _ part: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    let texts = try ofTexts(whole, part)
    return .search(search, whole: try texts.value(whole), part: try texts.value(part))
  }

  func like(_ value: ConditionSide, _ side: ConditionSide) throws(ConditionFault) -> ObjectTest {
    let texts = try ofTexts(value, side)
    let pattern = try pattern(side)
    return .like(try texts.value(value), WildcardPattern(pattern, texts.folding))
  }

  func matches(_ value: ConditionSide, _ side: ConditionSide) throws(ConditionFault) -> ObjectTest {
    let texts = try ofTexts(value, side)
    let marks = texts.folding.intersection(.diacritics)
    let pattern = String(
      decoding: ComparedText(Array(try pattern(side).utf8), marks).bytes, as: UTF8.self)
    // The expression itself ignores case: lower case letters in it would mean something else.
    let options: NSRegularExpression.Options =
      texts.folding.contains(.letterCase) ? .caseInsensitive : []
    let expression = try TextExpression(pattern, options, at: side.place)
    var plain = texts
    plain.folding = marks
    return .matches(try plain.value(value), expression)
  }

  /// The same with texts on both sides; UUIDs are texts here, in any case.
  private func ofTexts(
    _ left: ConditionSide, _ right: ConditionSide
  ) throws(ConditionFault) -> TypedComparison {
    guard type.isText else {
      for case .property(let property, let place) in [left, right] {
        throw ConditionFault(
          "\(symbol) compares texts, not values of the type \(property.typeName)", at: place,
          hint: type == .date ? "Use two dates: BETWEEN {'2024-05-01', '2024-05-31'}" : nil)
      }
      throw ConditionFault("\(symbol) compares texts", at: place)
    }
    var folding = folding
    if type == .uuid { folding.insert(.letterCase) }
    return TypedComparison(
      symbol: symbol, place: place, type: type == .missing ? .missing : .text, model: model,
      folding: folding)
  }

  private func pattern(_ side: ConditionSide) throws(ConditionFault) -> String {
    guard case .constant(.string(let text)?, _) = side else {
      throw ConditionFault("\(symbol) needs a pattern in quotes on its right side", at: side.place)
    }
    return text
  }
}
