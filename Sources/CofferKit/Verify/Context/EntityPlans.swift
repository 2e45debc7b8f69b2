internal import CoreDataModel

/// What a visitor does with the objects of each entity of a table, which all stand in the same rows.
///
/// An object has only the properties of its entity and those above it; the other columns of its row
/// mean nothing. The steps of all entities stand in one array, so that a row costs no reference
/// counting where a step is made of numbers alone.
struct EntityPlans<Step> {
  private let steps: [Step]
  private let ranges: [Range<Int>]

  /// Makes the plans of a table.
  ///
  /// - Parameters:
  ///   - context: the run.
  ///   - candidates: the steps in their order, each with the entities whose objects it is for.
  init(_ context: VerificationContext, _ candidates: [(holders: EntitySet, step: Step)]) {
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

  /// Makes the plans of a table.
  ///
  /// - Parameters:
  ///   - context: the run.
  ///   - candidates: the steps in their order, each with the entity that declares what it is about.
  init(_ context: VerificationContext, _ candidates: [(entityName: String, step: Step)]) {
    self.init(context, candidates.map { (context.tree(of: $0.entityName), $0.step) })
  }

  /// Whether there is nothing to do for any entity.
  var isEmpty: Bool { steps.isEmpty }

  /// A step by its index.
  subscript(_ index: Int) -> Step { steps[index] }

  /// Takes each step for the object of a row, with its key; no step for a row without a key, which is
  /// no object that a finding could name.
  @inline(__always)
  func forEachStep(of row: Row, _ body: (Step, _ key: Int64) throws -> Void) rethrows {
    guard let key = row.primaryKey else { return }
    for index in indices(for: row) { try body(steps[index], key) }
  }

  /// The indices of the steps for the entity that a row's object is of; none where that is unknown.
  func indices(for row: Row) -> Range<Int> {
    let entity = Int(row.entity)
    return entity < ranges.count ? ranges[entity] : 0..<0
  }
}
