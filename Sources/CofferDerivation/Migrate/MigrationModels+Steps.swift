internal import CofferCore
internal import CoreDataModel

/// The steps from one model to another.
extension MigrationModels {
  /// A step from one model to the next.
  struct Step {
    var new: Named
    var mapping: ModelMapping
    /// The mapping model that is carried out instead; nil for none.
    var custom: CustomMapping?
    /// The reasons why the step is not possible, as far as the models show.
    var problems: [MappingProblem]
    /// Whether the models allow the step.
    var isPossible: Bool { problems.isEmpty }
    /// Whether no entity is left out without a mapping model that says so.
    var keepsEntities: Bool {
      custom != nil || !mapping.entities.contains { $0.kind == .removed }
    }
  }

  /// The steps from one model to another.
  ///
  /// - Returns: the steps, and whether they are a detour. If there is no path, the single step with
  ///   its problems.
  /// - Throws: ``CofferError`` for a version that is missing or unreadable.
  func steps(
    from model: ManagedObjectModel, called name: String, to new: Named
  ) throws -> (steps: [Step], isDetour: Bool) {
    var way: [Named] = []
    if !options.intermediateVersions.isEmpty {
      guard let bundle else {
        throw CofferError(
          .notAModel, path: path, detail: "it has no other versions to migrate through",
          advice: "Give the folder with all versions: .momd or .xcdatamodeld.")
      }
      for version in options.intermediateVersions {
        way.append(try self.version(bundle.version(version).name, of: bundle))
      }
    }
    way.append(new)
    var steps: [Step] = []
    var last = (name: name, model: model)
    for next in way {
      steps.append(
        try step(from: last.model, called: last.name, to: next, isOnly: way.count == 1))
      last = (next.name, next.model)
    }
    if let chosen = options.mapping, !steps.contains(where: { $0.custom != nil }) {
      throw CofferError(
        .incompatibleChoices, path: chosen, detail: "the mapping model is for none of the steps",
        advice: .fitMapping)
    }
    // A given mapping model is for one step.
    guard way.count == 1, !steps[0].isPossible, options.mapping == nil else {
      return (steps, false)
    }
    if let detour = try detour(from: model, called: name, to: new) { return (detour, true) }
    return (steps, false)
  }

  private func step(
    from model: ManagedObjectModel, called name: String, to next: Named, isOnly: Bool
  ) throws -> Step {
    let mapping = try ModelMapping.infer(from: model, to: next.model)
    let (old, new) = (version(name, model), version(next.name, next.model))
    let given = isOnly ? try mappings.required(from: old, to: new) : nil
    let custom = try given ?? mappings.mapping(from: old, to: new)
    let problems = custom?.problems(from: model, to: next.model) ?? mapping.problems
    return Step(new: next, mapping: mapping, custom: custom, problems: problems)
  }

  /// A model, with a name that counts if it is one of the versions.
  private func version(_ name: String, _ model: ManagedObjectModel) -> MappedVersion {
    MappedVersion(
      name: name, model: model,
      isVersion: bundle?.versions.contains { $0.name == name } ?? false)
  }

  /// The steps that keep the objects of a store, if one inferred step would leave most of them behind; nil if
  /// there are none, or if the way is chosen.
  ///
  /// - Throws: ``CofferError`` for a version that is unreadable, or mapped from SQLite's result code.
  func keepingSteps(
    insteadOf step: Step, from model: ManagedObjectModel, called name: String,
    loss: () throws -> ObjectLoss
  ) throws -> [Step]? {
    guard options.intermediateVersions.isEmpty, options.mapping == nil, step.isPossible,
      !step.keepsEntities, try loss().isMost
    else { return nil }
    return try detour(from: model, called: name, to: step.new) {
      $0.isPossible && $0.keepsEntities
    }
  }

  /// The shortest path of steps through the versions in between; nil if there is none.
  ///
  /// Only forward: a version older than the store's would lose the properties that it lacks.
  private func detour(
    from model: ManagedObjectModel, called name: String, to new: Named,
    by isWanted: (Step) -> Bool = { $0.isPossible }
  ) throws -> [Step]? {
    guard let bundle, let end = bundle.versions.firstIndex(where: { $0.name == new.name }),
      let start = try start(of: model, called: name, in: bundle, before: end), start + 1 < end
    else { return nil }
    var models: [Named] = [Named(name: name, model: model, hashes: [:])]
    for version in bundle.versions[(start + 1)..<end] {
      models.append(try self.version(version.name, of: bundle))
    }
    models.append(new)
    var steps: [[Int]: Step] = [:]
    let way = try VersionRoute.shortest(from: 0, to: models.count - 1) { one, next in
      let step = try step(
        from: models[one].model, called: models[one].name, to: models[next], isOnly: false)
      steps[[one, next]] = step
      return isWanted(step)
    }
    guard let way else { return nil }
    return zip(way, way.dropFirst()).compactMap { one, next in steps[[one, next]] }
  }

  /// The position of a model among the versions; nil if it is not among them.
  private func start(
    of model: ManagedObjectModel, called name: String, in bundle: ModelBundle, before end: Int
  ) throws -> Int? {
    if let position = bundle.versions.firstIndex(where: { $0.name == name }) { return position }
    for position in 0..<end {
      guard let candidate = try? bundle.model(version: bundle.versions[position].name),
        let mapping = try? ModelMapping.infer(from: model, to: candidate), mapping.isIdentity,
        mapping.entities.count == candidate.entities.count
      else { continue }
      return position
    }
    return nil
  }
}
