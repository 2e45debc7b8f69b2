internal import CoreDataModel
internal import CoreDataStore

/// One migration from an open store to the new one in its place.
struct MigrationRun {
  private let store: PersistentStore
  private let place: String
  private let name: String
  private let steps: [(new: MigrationModels.Named, mapping: ModelMapping)]
  private let isDetour: Bool
  private let options: MigrationOptions
  private let progress: any ProgressReporter

  init(
    _ store: PersistentStore, named place: String, model: String, options: MigrationOptions,
    progress: any ProgressReporter
  ) throws {
    self.place = place
    let models = try MigrationModels(path: model, options: options)
    let new = try models.destination()
    (self.store, name) = try models.planned(store)
    let way = try models.steps(from: self.store.model, called: name, to: new)
    steps = way.steps.map { ($0.0, $0.1) }
    isDetour = way.isDetour
    self.options = options
    self.progress = progress
  }

  /// What would be done with an archive, as far as its model tells.
  static func plan(
    ofArchiveAt path: String, model: String, options: MigrationOptions
  ) throws -> MigrationPlan {
    let models = try MigrationModels(path: model, options: options)
    let new = try models.destination()
    let own = try models.model(ofArchiveAt: path)
    let way = try models.steps(from: own.model, called: own.name, to: new)
    return outline(way.steps.map { ($0.0, $0.1) }, from: own.name, isDetour: way.isDetour)
  }

  /// Makes sure that nothing is known that keeps a migration from being possible.
  static func requirePossible(_ plan: MigrationPlan, place: String) throws {
    guard plan.problems.isEmpty else {
      throw CofferError.impossible(
        plan.problems, path: place, from: plan.steps.first?.oldName ?? "",
        to: plan.steps.last?.newName ?? "")
    }
  }

  /// What would be done.
  func plan() throws -> MigrationPlan {
    var plan = outline
    guard plan.problems.isEmpty, let first = steps.first else { return plan }
    do {
      let step = try run(first, on: store, from: name)
      plan.notes = step.notes
      try step.check(progress)
      plan.areObjectsChecked = true
    } catch let error as CofferError where error.code == .impossibleMigration {
      plan.problems = error.problems
    }
    return plan
  }

  /// What the models alone tell.
  private var outline: MigrationPlan { Self.outline(steps, from: name, isDetour: isDetour) }

  private static func outline(
    _ steps: [(new: MigrationModels.Named, mapping: ModelMapping)], from name: String,
    isDetour: Bool
  ) -> MigrationPlan {
    var old = name
    var list: [MigrationPlan.Step] = []
    for step in steps {
      list.append(.init(oldName: old, newName: step.new.name, mapping: step.mapping))
      old = step.new.name
    }
    return MigrationPlan(
      steps: list, isDetour: isDetour, problems: steps.flatMap(\.mapping.problems), notes: [],
      areObjectsChecked: false)
  }

  private func run(
    _ step: (new: MigrationModels.Named, mapping: ModelMapping), on store: PersistentStore,
    from old: String
  ) throws -> MigrationStepRun {
    try MigrationStepRun(
      store, mapping: step.mapping, to: step.new, names: (old, step.new.name),
      place: place)
  }

  /// Makes sure that it can be done, as far as that can be told before.
  ///
  /// - Throws: ``CofferError`` with all reasons why not.
  func check() throws {
    try Self.requirePossible(outline, place: place)
    if let first = steps.first { try run(first, on: store, from: name).check(progress) }
  }

  /// Does it, and moves the new store to its place; ``check()`` comes before.
  ///
  /// - Parameters:
  ///   - placement: where the new store goes.
  ///   - station: a store that was only needed on the way; nil for none.
  /// - Returns: what was done.
  /// - Throws: ``CofferError`` where a later step turns out to be impossible; `CofferError` where
  ///   the new store cannot be written.
  func complete(
    _ placement: StorePlacement, removing station: StorePaths? = nil
  ) throws -> MigrationSummary {
    do {
      var plan = outline
      plan.areObjectsChecked = true
      let summary = try write(plan, placement)
      if let station { placement.removeStation(station) }
      progress.report(WorkProgress(.writing))
      try placement.commit()
      return summary
    } catch {
      placement.abandon()
      throw error
    }
  }

  private func write(
    _ plan: MigrationPlan, _ placement: StorePlacement
  ) throws -> MigrationSummary {
    var current = store
    var old = name
    var notes: [MigrationNote] = []
    var between: [StorePaths] = []
    var last: MigrationStepRun?
    for (index, step) in steps.enumerated() {
      var run = try run(step, on: current, from: old)
      if index > 0 { try run.check(progress) }
      let isLast = index == steps.count - 1
      let paths =
        isLast ? placement.working : try placement.makeIntermediateStore(at: index + 1)
      try run.write(to: paths, progress: progress)
      notes += run.notes.filter { !notes.contains($0) && (isLast || $0.code != .noVersionHashes) }
      last = run
      old = step.new.name
      guard !isLast else { break }
      between.append(paths)
      current = try Self.open(paths.store).planned(for: step.new.model)
    }
    current.close()
    for paths in between { placement.removeStation(paths) }
    return MigrationSummary(
      plan: plan, objectCount: last?.objectCount ?? 0, pairCount: last?.pairCount ?? 0,
      entityCount: steps.last?.new.model.entities.count ?? 0,
      externalFileCount: last?.fileCount ?? 0, storeUUID: store.uuid, notes: notes)
  }

  // Without a function of its own, the compiler (6.3.1) crashes on the initializer within a `do`.
  private static func open(_ path: String) throws -> PersistentStore {
    try PersistentStore(readingFrom: path, access: .inPlace)
  }
}
