internal import CoreDataModel

/// What a visitor does with the objects of each entity of a table, which all stand in the same rows.
///
/// An object has only the properties of its entity and those above it; the other columns of its row
/// mean nothing. The steps of all entities stand in one array, so that a row costs no reference
/// counting where a step is made of numbers alone.
struct EntityPlans<Step> {
  private let entities: EntityIndices
  private let steps: [Step]
  private let ranges: [Range<Int>]

  /// Makes the plans of a table of objects; of another table, none.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - context: the run.
  ///   - candidates: the steps in their order, each with the entity that declares what it is about.
  init(
    _ table: VerifiedTable, _ context: VerificationContext,
    _ candidates: [(entityName: String, step: Step)]
  ) {
    entities = context.entities
    let model = context.subject.model
    let root = table.shape.kind == .entity ? table.shape.entityName : nil
    let tree = Set((root.map(model.tree(of:)) ?? []).map(\.name))
    var steps: [Step] = []
    var ranges: [Range<Int>] = []
    for position in 0..<context.entities.count {
      let start = steps.count
      if let name = context.entities.name(UInt16(clamping: position)), tree.contains(name) {
        let lineage = Set(model.lineage(of: name).map(\.name))
        steps += candidates.filter { lineage.contains($0.entityName) }.map(\.step)
      }
      ranges.append(start..<steps.count)
    }
    self.steps = steps
    self.ranges = ranges
  }

  /// Whether there is nothing to do for any entity.
  var isEmpty: Bool { steps.isEmpty }

  /// A step by its index.
  subscript(_ index: Int) -> Step { steps[index] }

  /// The indices of the steps for the entity that a row's object is of; none where that is unknown.
  func indices(for row: RowCells) -> Range<Int> {
    guard let number = row.entityNumber else { return 0..<0 }
    let entity = Int(entities.index(of: number))
    return entity < ranges.count ? ranges[entity] : 0..<0
  }
}
