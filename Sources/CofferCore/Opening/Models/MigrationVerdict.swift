package import CoreDataDesign
package import CoreDataModel

/// Whether stores of one model can be migrated to another, and by what: the same answer for all callers.
package enum MigrationVerdict: String, Sendable, CaseIterable, Comparable {
  /// Core Data can, and this library can.
  case possible
  /// Core Data can; this library needs a store of the new model, which shows names that the model leaves open.
  case needsExample = "needs-example"
  /// Core Data can; this library can if that is allowed to leave most objects behind.
  case losesObjects = "loses-objects"
  /// Core Data can; this library does not.
  case coreDataOnly = "core-data-only"
  case customMapping = "custom-mapping"
  /// No: the new model is incomplete, or the objects contradict it or their own.
  case impossible

  /// The verdict on problems: the worst one counts.
  package init(_ problems: [MappingProblem]) {
    self = problems.map { Self($0.code) }.max() ?? .possible
  }

  private init(_ code: MappingProblem.Code) {
    self =
      switch code {
      case .undecidedNames: .needsExample
      case .lostObjects: .losesObjects
      case .notSupported, .customPolicy: .coreDataOnly
      case .incompleteModel, .unmetCondition, .unexplainedRows: .impossible
      default: .customMapping
      }
  }

  /// Whether the first is better news.
  package static func < (one: Self, other: Self) -> Bool {
    allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
  }
}

extension ModelMapping {
  /// The problems of any store: the mapping's, or, without any, the facts that only a store of the new
  /// model shows.
  package var allProblems: [MappingProblem] {
    isPossible ? MappingProblem.open(for: destination, knowing: source) : problems
  }
}

extension MappingProblem {
  /// The names that a model leaves undecided, even if a store of another model is known.
  package static func open(
    for new: ManagedObjectModel, knowing old: ManagedObjectModel
  ) -> [MappingProblem] {
    DesignChoices.open(for: new, knowing: old).map { MappingProblem($0, objection: nil) }
  }

  /// The problem of a store whose form is undecided.
  ///
  /// - Parameters:
  ///   - choice: the undecided choice.
  ///   - objection: why a given example does not decide it, or nil.
  ///   - hasOldName: whether the old store has a name that could be kept.
  package init(_ choice: UndecidedChoice, objection: String?, hasOldName: Bool = true) {
    let entities = choice.properties.map(\.entity)
    let names = Set(entities).sorted().listed(max: 6)
    let example = choice.isAboutNames ? "; a store with the same \(names) shows it" : ""
    self.init(
      choice.isAboutNames ? .undecidedNames : .notSupported,
      entity: choice.properties.first?.entity ?? "",
      property: choice.properties.first.flatMap { $0.property.isEmpty ? nil : $0.property },
      "the model does not determine \(choice.text)\(example)"
        + (hasOldName || !choice.isAboutNames ? "" : "; the old store has no name for it")
        + (objection.map { "; \($0)" } ?? ""),
      remedy: .giveExampleStore)
    self.hasOldName = hasOldName
  }
}
