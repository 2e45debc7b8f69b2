internal import CoreDataModel

/// The steps of a visitor for the objects of each entity in a table.
///
/// An object has only the properties of its entity and its superentities; the other columns of its
/// row mean nothing. The steps of all entities are in one array, so that a row needs no reference
/// counting if a step consists only of numbers.
package struct EntityPlans<Step> {
  private let steps: [Step]
  private let ranges: [Range<Int>]

  /// Creates the plans of a table.
  ///
  /// - Parameters:
  ///   - context: the run.
  ///   - candidates: the steps in order, each with the entities that it applies to.
  package init(_ context: VerificationContext, _ candidates: [(holders: EntitySet, step: Step)]) {
    var steps: [Step] = []
    var ranges: [Range<Int>] = []
    for position in 0..<context.entities.count {
      let start = steps.count
      let entity = UInt16(clamping: position)
      steps += candidates.filter { $0.holders.contains(entity) }.map(\.step)
      ranges.append(start..<steps.count)
    }
    self.steps = steps
    self.ranges = ranges
  }

  /// Creates the plans of a table.
  ///
  /// - Parameters:
  ///   - context: the run.
  ///   - candidates: the steps in order, each with the entity that declares its property.
  package init(_ context: VerificationContext, _ candidates: [(entityName: Name, step: Step)]) {
    self.init(context, candidates.map { (context.tree(of: $0.entityName), $0.step) })
  }

  /// Whether no entity has a step.
  var isEmpty: Bool { steps.isEmpty }

  /// A step by its index.
  package subscript(_ index: Int) -> Step { steps[index] }

  /// Takes each step for the object of a row, with its key; no step for a row without a key, which no finding
  /// could name.
  @inline(__always)
  package func forEachStep(of row: Row, _ body: (Step, _ key: Int64) throws -> Void) rethrows {
    guard let key = row.primaryKey else { return }
    for index in indices(for: row) { try body(steps[index], key) }
  }

  /// The indices of the steps for the entity of a row's object; none if the entity is unknown.
  package func indices(for row: Row) -> Range<Int> {
    let entity = Int(row.entity)
    return entity < ranges.count ? ranges[entity] : 0..<0
  }
}
