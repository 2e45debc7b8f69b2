/// What a check does with the objects of one table, by the entity of the object: objects of several
/// entities share a table, and each has only the properties of its own entity.
struct EntitySteps<Step> {
  private var steps: ContiguousArray<ContiguousArray<Step>>
  private let none = ContiguousArray<Step>()

  /// No steps for any entity.
  init(_ entities: EntityIndices) {
    steps = ContiguousArray(repeating: [], count: entities.count)
  }

  /// Whether there is nothing to do.
  var isEmpty: Bool { steps.allSatisfy(\.isEmpty) }

  /// Adds a step for the objects of some entities.
  mutating func add(_ step: Step, for entities: EntitySet) {
    for index in steps.indices where entities.contains(UInt16(clamping: index)) {
      steps[index].append(step)
    }
  }

  /// The steps for an object of an entity, in the order in which they were added; none for an
  /// unknown entity.
  subscript(entity: UInt16) -> ContiguousArray<Step> {
    Int(entity) < steps.count ? steps[Int(entity)] : none
  }
}
