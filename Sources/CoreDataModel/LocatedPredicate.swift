/// A predicate, and where in its text the parts stand.
package struct LocatedPredicate: Sendable {
  /// The predicate.
  package let predicate: ModelPredicate
  /// The places of its operands and operators in the order of the text, counted in Unicode scalars.
  ///
  /// A list and a function have a place of their own before those of their elements and arguments;
  /// brackets and arithmetic have none.
  package let places: [Range<Int>]

  /// Parses a predicate in Foundation's predicate format, as ``ModelPredicate/init(parsing:)`` does.
  package init(parsing text: String) throws(PredicateError) {
    self = try PredicateParser.located(text)
  }

  init(_ predicate: ModelPredicate, _ places: [Range<Int>]) {
    self.predicate = predicate
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
