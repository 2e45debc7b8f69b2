/// Infers the mapping between two models.
struct MappingInference {
  /// The maximum number of properties, counted for every entity that has them, and of other steps:
  /// far more than any app's model needs, and done in seconds.
  static let stepLimit = 500_000

  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private var steps = 0
  private var noted: Set<MappingProblem> = []
  private var required: Set<MappingCondition> = []
  private(set) var problems: [MappingProblem] = []
  private(set) var conditions: [MappingCondition] = []

  /// The old name of each new entity that has one, and the reverse.
  private(set) var sourceNames: [Name: Name] = [:]
  private(set) var destinationNames: [Name: Name] = [:]
  /// The sources of the values of each property of the new model, by the declaring entity.
  var origins: [PropertyReference: Set<PropertyReference>] = [:]
  /// Pairs of destinations that were compared, with the result.
  var lookedAt: [[Name]: DestinationFit] = [:]

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  mutating func run() throws(CofferError) -> ModelMapping {
    try source.checkInheritance()
    try destination.checkInheritance()
    matchEntities()
    var entities: [EntityMapping] = []
    for entity in destination.entities {
      guard let old = sourceNames[entity.name] else {
        entities.append(
          EntityMapping(
            kind: .added, sourceName: nil, destinationName: entity.name, properties: []))
        continue
      }
      let properties = try mapProperties(from: old, to: entity.name)
      for property in properties {
        guard let old = property.source, let new = property.destination else { continue }
        origins[new, default: []].insert(old)
      }
      entities.append(
        EntityMapping(
          kind: .copied, sourceName: old, destinationName: entity.name, properties: properties))
    }
    for index in entities.indices where entities[index].kind == .copied {
      try complete(&entities[index])
    }
    try checkHierarchies()
    for entity in source.entities where destinationNames[entity.name] == nil {
      entities.append(
        EntityMapping(
          kind: .removed, sourceName: entity.name, destinationName: nil, properties: []))
    }
    return ModelMapping(
      source: source, destination: destination, entities: entities, problems: problems,
      conditions: conditions)
  }

  // MARK: Notes

  mutating func note(
    _ code: MappingProblem.Code, entity: Name, property: Name? = nil, _ sentence: String,
    remedy: CofferError.Advice
  ) {
    let problem = MappingProblem(
      code, entity: entity, property: property, sentence, remedy: remedy)
    if noted.insert(problem).inserted { problems.append(problem) }
  }

  mutating func require(_ condition: MappingCondition) {
    if required.insert(condition).inserted { conditions.append(condition) }
  }

  /// Counts steps, so that a hostile model cannot keep the program busy.
  mutating func spend(_ count: Int) throws(CofferError) {
    steps += count
    guard steps <= Self.stepLimit else {
      throw CofferError(
        .modelLimit, detail: "the entities inherit too many properties for a mapping")
    }
  }

  // MARK: Entities

  private mutating func matchEntities() {
    let matching = IdentifierMatching(
      from: source.entities.map { .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier) },
      to: destination.entities.map {
        .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
      })
    sourceNames = matching.sources
    for (new, old) in matching.sources { destinationNames[old] = new }
    for (new, old) in matching.ambiguous.sorted(by: { $0.key < $1.key }) {
      note(
        .ambiguousRenaming, entity: new,
        "its renaming identifier names \(old), which another entity of the new model already maps to",
        remedy: "Give the renaming identifier only to the entity that takes over the objects.")
    }
  }

  /// Completes the mapping of an entity that both models have.
  private mutating func complete(_ mapping: inout EntityMapping) throws(CofferError) {
    guard let oldName = mapping.sourceName, let newName = mapping.destinationName,
      let old = source[oldName], let new = destination[newName]
    else { return }
    if new.isAbstract, !old.isAbstract { require(MappingCondition(.noObjects, entity: newName)) }
    for index in mapping.properties.indices {
      let property = mapping.properties[index]
      mapping.properties[index].changes =
        switch property.kind {
        case .attribute: attributeChanges(property)
        case .relationship: try relationshipChanges(property)
        }
    }
    try requireUniqueness(old: old, new: new, mapping.properties)
    let sameParent =
      old.superentityName.flatMap { source[$0] }.map { destinationNames[$0.name] ?? "" }
      == new.superentityName.flatMap { destination[$0] }.map(\.name)
    let isSame =
      oldName == newName && sameParent && old.isAbstract == new.isAbstract
      && mapping.properties.allSatisfy {
        !$0.isAdded && !$0.isRemoved && $0.changes.isEmpty
      }
    if !isSame { mapping.kind = .transformed }
  }

  /// Adds the conditions of uniqueness constraints that are new in the new model.
  private mutating func requireUniqueness(
    old: EntityDescription, new: EntityDescription, _ properties: [PropertyMapping]
  ) throws(CofferError) {
    guard !new.uniquenessConstraints.isEmpty else { return }
    var oldNames: [Name: Name] = [:]
    for property in properties {
      guard let name = property.destination?.property else { continue }
      oldNames[name] = property.source?.property
    }
    let known = Set(source.lineage(of: old.name).flatMap(\.uniquenessConstraints).map { Set($0) })
    for constraint in new.uniquenessConstraints where !constraint.isEmpty {
      try spend(constraint.count)
      let before = constraint.compactMap { oldNames[$0] }
      if before.count == constraint.count, known.contains(Set(before)) { continue }
      require(MappingCondition(.unique(constraint), entity: new.name))
    }
  }

  /// The entities of one hierarchy must come from one hierarchy.
  private mutating func checkHierarchies() throws(CofferError) {
    for root in destination.rootEntities {
      var members: [(new: Name, root: Name)] = []
      for entity in destination.tree(of: root.name) {
        try spend(1)
        guard let old = sourceNames[entity.name], let oldRoot = source.root(of: old) else {
          continue
        }
        members.append((entity.name, oldRoot.name))
      }
      guard let first = members.first else { continue }
      for member in members where member.root != first.root {
        note(
          .mergedHierarchies, entity: member.new,
          "it is in the same hierarchy as \(first.new) now, but was not in the old model",
          remedy: "Keep them separate in the new model. Only a mapping in the app can join them.")
      }
    }
  }
}
