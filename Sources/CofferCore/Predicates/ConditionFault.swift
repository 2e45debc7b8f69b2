internal import CoreDataModel

/// Why something cannot be compared.
struct ConditionProblem: Error, Equatable {
  /// Why, in one sentence.
  let detail: String
  /// What to write; nil where the detail says it.
  var hint: String?
  var isUnknownName = false
}

/// A mistake in a condition, with its place.
struct ConditionFault: Error {
  let problem: ConditionProblem
  /// Where in the text, counted in Unicode scalars.
  private let place: Range<Int>

  init(_ problem: ConditionProblem, at place: Range<Int>) {
    self.problem = problem
    self.place = place
  }

  init(_ detail: String, at place: Range<Int>, hint: String? = nil) {
    self.init(ConditionProblem(detail: detail, hint: hint), at: place)
  }

  init(_ error: PredicateError) {
    self.init(error.detail, at: error.place, hint: "Example: price > 100 AND title CONTAINS 'x'")
  }

  /// The error about a condition on the objects of a file.
  func error(in text: String, path: String) -> CofferError {
    let marked = MarkedText(text, place)
    return CofferError(
      problem.isUnknownName ? .noSuchProperty : .invalidCondition, path: path,
      detail: "\(problem.detail) (character \(marked.character) of the condition)",
      advice: problem.hint.map { .sentence($0) }, evidence: marked)
  }
}
