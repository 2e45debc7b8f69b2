/// A predicate with the places of its parts in the text.
package struct LocatedPredicate: Sendable {
  /// The name of the function that a subquery is.
  ///
  /// Its arguments are the collection, the variable, and the index of the predicate in
  /// ``subqueries``.
  package static let subquery = "SUBQUERY"
  /// The name of the function that chooses one of two values.
  ///
  /// Its arguments are the index of the predicate in ``subqueries``, the value if it holds, and the
  /// value if it does not.
  package static let choice = "TERNARY"
  /// The name of the function that an element of a list is, as Foundation has it.
  ///
  /// Its arguments are the list and the index.
  package static let element = "objectFrom:withIndex:"

  /// The predicate.
  package let predicate: ModelPredicate
  /// The predicates of its subqueries and choices.
  package let subqueries: [ModelPredicate]
  /// The places of its operands and operators in the order of the text, counted in Unicode scalars.
  ///
  /// A list, a function and an arithmetic expression have a place before the places of their parts;
  /// brackets have none. In a subquery, the collection, the variable and the parts of the predicate
  /// have places; of a property of an element, the whole has one and the list follows.
  package let places: [Range<Int>]

  /// Parses a predicate in Foundation's predicate format, as ``ModelPredicate/init(parsing:)`` does,
  /// and with subqueries.
  package init(parsing text: String) throws(PredicateError) {
    self = try PredicateParser.located(text, hasSubqueries: true)
  }

  init(_ predicate: ModelPredicate, _ subqueries: [ModelPredicate], _ places: [Range<Int>]) {
    self.predicate = predicate
    self.subqueries = subqueries
    self.places = places
  }
}

/// Why a text is not a predicate or an expression, and where.
package struct PredicateError: Error, Equatable {
  /// Why.
  package let detail: String
  /// Where in the text, counted in Unicode scalars; empty at its end.
  package let place: Range<Int>
  /// Whether the text may be a predicate, but is nested too deeply.
  let isTooDeep: Bool

  init(_ detail: String, at place: Range<Int>, isTooDeep: Bool = false) {
    self.detail = detail
    self.place = place
    self.isTooDeep = isTooDeep
  }

  /// The error about a model that has the text.
  func inModel(_ text: String) -> CofferError {
    isTooDeep
      ? CofferError(.modelLimit, detail: "a predicate is nested too deeply")
      : CofferError(.damagedModel, detail: "\(detail) in the predicate or expression: \(text)")
  }
}
