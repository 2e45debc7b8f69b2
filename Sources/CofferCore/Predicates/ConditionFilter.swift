package import CoreDataModel
package import CoreDataStore

/// The part of a condition that SQLite can evaluate, so that it skips rows that do not meet it.
///
/// The reader evaluates the condition for the remaining rows: a filter is never stricter than its part
/// of the condition, and a part without a filter counts as true for all rows.
struct ConditionFilter {
  private let places: ObjectColumns.Places
  private let key: Int?

  init(_ places: ObjectColumns.Places, key: Int?) {
    self.places = places
    self.key = key
  }

  /// A filter that is true for every row whose object meets a test, and perhaps for others; nil for nothing.
  func necessary(_ test: ObjectTest) -> RowFilter? {
    if let exact = exact(test) { return exact }
    switch test {
    case .all(let parts):
      let filters = parts.compactMap(necessary)
      return filters.isEmpty ? nil : .all(filters)
    case .any(let parts):
      let filters = parts.compactMap(necessary)
      return filters.count == parts.count ? .any(filters) : nil
    default: return nil
    }
  }

  /// A filter that is true for exactly the rows whose objects meet a test; nil where SQL has no such
  /// condition for every storage class of every value.
  func exact(_ test: ObjectTest) -> RowFilter? {
    switch test {
    case .not(let part): exact(part).map(RowFilter.not)
    case .all(let parts): all(parts.map(exact)).map(RowFilter.all)
    case .any(let parts): all(parts.map(exact)).map(RowFilter.any)
    case .relation(let relation, let left, .constant(let constant)):
      exact(left, relation, constant)
    case .relation(let relation, .constant(let constant), let right):
      exact(right, relation.flipped, constant)
    case .between(let value, .constant(let first), .constant(let last)):
      all([exact(value, .greaterOrEqual, first), exact(value, .lessOrEqual, last)])
        .map(RowFilter.all)
    case .element(let value, let elements): exact(value, in: elements)
    case .search(.prefix, let whole, .constant(.text(let part))): exact(whole, from: part.bytes)
    case .relation, .between, .search, .like, .matches, .quantified: nil
    }
  }

  /// The filters; nil if one is missing.
  private func all(_ filters: [RowFilter?]) -> [RowFilter]? {
    let found = filters.compactMap(\.self)
    return found.count == filters.count ? found : nil
  }

  // MARK: Comparisons

  private func exact(
    _ term: ConditionTerm, _ relation: ValueCondition.Relation, _ constant: ConditionOperand
  ) -> RowFilter? {
    switch relation {
    case .equal: return equal(term, to: [constant])
    case .notEqual: return equal(term, to: [constant]).map(RowFilter.not)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let place = place(of: term), place.form != .uuid,
        let value = place.form.value(constant), let order = RowFilter.Relation(relation)
      else { return nil }
      return place.guarded(.compares(place.column, order, value))
    }
  }

  private func exact(_ term: ConditionTerm, in elements: [ConditionTerm]) -> RowFilter? {
    var constants: [ConditionOperand] = []
    for case .constant(let constant) in elements { constants.append(constant) }
    return constants.count == elements.count ? equal(term, to: constants) : nil
  }

  /// Whether a value equals one of some constants, including the constant for no value.
  private func equal(_ term: ConditionTerm, to constants: [ConditionOperand]) -> RowFilter? {
    guard let place = place(of: term) else { return nil }
    var (parts, values): ([RowFilter], [SQLiteValue]) = ([], [])
    for constant in constants {
      if case .none = constant {
        parts.append(place.isNone)
      } else {
        guard let value = place.form.value(constant) else { return nil }
        values.append(value)
      }
    }
    if !values.isEmpty { parts.append(place.guarded(.isElement(place.column, values))) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// Compares texts with a range: from the prefix on, up to the first text without the prefix.
  private func exact(_ term: ConditionTerm, from start: [UInt8]) -> RowFilter? {
    guard let place = place(of: term), place.form == .text, let last = start.last, last < 0xFF
    else { return nil }
    let end = start.dropLast() + [last + 1]
    return .all([
      .compares(place.column, .greaterOrEqual, .text(start)),
      .compares(place.column, .less, .text(Array(end))),
    ])
  }

  // MARK: Columns

  /// The column with the value of a term that is compared in its stored form; nil for any other.
  private func place(of term: ConditionTerm) -> Place? {
    guard case .property(let property, let folding) = term, folding.isEmpty, property.level == 0
    else { return nil }
    switch property.kind {
    case .key: return key.map { Place(column: $0, form: .key) }
    case .toOne(let relationship):
      return places.toOnes[relationship.name].map {
        Place(column: $0.column, form: .reference)
      }
    case .attribute(let path):
      guard let column = places.attributes[path]?.column else { return nil }
      return Form(property.type).map { Place(column: column, form: $0) }
    case .entityName, .composite, .through, .computed, .missing: return nil
    }
  }

  /// How the values of a column are compared.
  private enum Form {
    /// The primary key, always an integer.
    case key
    /// A primary key; a value that is not an integer has no destination.
    case reference
    case number
    case text
    /// 16 bytes.
    case uuid
    /// The filter can only test whether there is a value.
    case any

    init?(_ type: ConditionType) {
      switch type {
      // A Float is compared with the digits that it has, which SQL cannot say.
      case .number(.float), .opaque: self = .any
      case .number, .boolean, .date: self = .number
      case .text: self = .text
      case .uuid: self = .uuid
      case .object, .missing: return nil
      }
    }

    /// A constant as SQLite compares it with values of the form; nil where it is of another one.
    func value(_ constant: ConditionOperand) -> SQLiteValue? {
      switch (self, constant) {
      case (.key, .number(.integer(let number))), (.reference, .number(.integer(let number))),
        (.number, .number(.integer(let number))):
        .integer(number)
      case (.number, .number(.real(let number))): number.isNaN ? nil : .real(number)
      case (.text, .text(let text)): .text(text.bytes)
      case (.uuid, .text(let text)):
        UUIDText.bytes(String(decoding: text.bytes, as: UTF8.self)).map(SQLiteValue.blob)
      default: nil
      }
    }
  }

  private struct Place {
    let column: Int
    let form: Form

    /// There is no value.
    var isNone: RowFilter {
      switch form {
      case .key: .any([])
      case .reference: .not(.isInteger(column))
      case .number, .text, .uuid, .any: .isNull(column)
      }
    }

    /// A comparison that holds only for values of the form.
    func guarded(_ filter: RowFilter) -> RowFilter {
      form == .reference ? .all([.isInteger(column), filter]) : filter
    }
  }
}

extension RowFilter.Relation {
  /// The relation of an order; nil for equality.
  fileprivate init?(_ relation: ValueCondition.Relation) {
    switch relation {
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .equal, .notEqual: return nil
    }
  }
}

extension ObjectColumns {
  /// A filter that accepts the rows of all matching objects, and possibly other rows.
  ///
  /// - Parameters:
  ///   - wanted: the names of their entities.
  ///   - condition: the condition that they meet; nil for all objects of these entities.
  /// - Returns: the filter; nil for one that is true of all rows, or too large for a statement.
  package func filter(_ wanted: Set<Name>, _ condition: ObjectCondition?) -> RowFilter? {
    var groups: [(filter: RowFilter?, numbers: [SQLiteValue])] = []
    var isAll = true
    for (number, name) in entityNames.sorted(by: { $0.key < $1.key }) {
      guard let places = places(of: name) else { continue }
      guard wanted.contains(name) else {
        isAll = false
        continue
      }
      let test = condition?.test(of: name)
      let filter = test.flatMap { ConditionFilter(places, key: key).necessary($0) }
      if let index = groups.firstIndex(where: { $0.filter == filter }) {
        groups[index].numbers.append(.integer(number))
      } else {
        groups.append((filter, [.integer(number)]))
      }
    }
    let parts = groups.map { filter, numbers in
      RowFilter.all((entity.map { [.isElement($0, numbers)] } ?? []) + [filter].compactMap(\.self))
    }
    let result: RowFilter? =
      isAll && groups.count == 1 ? groups[0].filter : entity == nil ? nil : .any(parts)
    return result.flatMap { $0.isModest ? $0 : nil }
  }
}
