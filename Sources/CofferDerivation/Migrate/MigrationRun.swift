internal import CofferCore
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// A migration from an open store to a new one.
struct MigrationRun {
  private let store: PersistentStore
  private let place: String
  private let name: String
  private let steps: [MigrationModels.Step]
  private let isDetour: Bool
  /// Notes on the choice of the store's own model, and on mapping models.
  private let modelNotes: [MigrationNote]
  private let options: MigrationOptions
  private let progress: any ProgressReporter

  init(
    _ store: PersistentStore, named place: String, model: String, options: MigrationOptions,
    progress: any ProgressReporter
  ) throws {
    self.place = place
    let models = try MigrationModels(path: model, options: options)
    let new = try models.destination()
    let planned = try models.planned(store)
    (self.store, name) = (planned.store, planned.own.name)
    modelNotes = [planned.own.note, models.mappingNote].compactMap(\.self)
    let way = try Self.way(models, from: planned.store.model, called: name, to: new) {
      try ObjectLoss(of: planned.store, by: $0)
    }
    (steps, isDetour) = (way.steps, way.isDetour)
    self.options = options
    self.progress = progress
    try Self.requireOrders(options, steps, place: place)
  }

  /// The steps to a new model; those that keep the objects, if one step would lose most of them.
  private static func way(
    _ models: MigrationModels, from model: ManagedObjectModel, called name: String,
    to new: MigrationModels.Named, loss: (ModelMapping) throws -> ObjectLoss
  ) throws -> (steps: [MigrationModels.Step], isDetour: Bool) {
    let way = try models.steps(from: model, called: name, to: new)
    guard way.steps.count == 1 else { return way }
    let keeping = try models.keepingSteps(insteadOf: way.steps[0], from: model, called: name) {
      try loss(way.steps[0].mapping)
    }
    return keeping.map { ($0, true) } ?? way
  }

  /// Checks that each order with an attribute is moved by one of the steps.
  private static func requireOrders(
    _ options: MigrationOptions, _ steps: [MigrationModels.Step], place: String
  ) throws(CofferError) {
    for (index, order) in options.orderAttributes.enumerated() {
      let earlier = options.orderAttributes[..<index]
      let conflict = steps.lazy.compactMap { step in
        earlier.lazy.compactMap { OrderMove.conflict($0, order, step.mapping) }.first
      }.first
      if let conflict {
        throw CofferError(
          .incompatibleChoices, path: place, item: "\(order.entityName).\(order.relationshipName)",
          detail: conflict)
      }
      let problems = steps.map { step in
        step.custom.map { "the mapping model \($0.name) decides the order" }
          ?? OrderMove.problem(order, step.mapping)
      }
      guard let problem = problems.last.flatMap(\.self), !problems.contains(nil) else { continue }
      throw CofferError(
        .refused, path: place, item: "\(order.entityName).\(order.relationshipName)",
        detail: problem)
    }
  }

  /// The plan for an archive, as far as its model shows.
  static func plan(
    ofArchiveAt path: String, model: String, options: MigrationOptions
  ) throws -> MigrationPlan {
    let models = try MigrationModels(path: model, options: options)
    let new = try models.destination()
    let own = try models.own(ofArchiveAt: path)
    let way = try Self.way(models, from: own.model, called: own.name, to: new) {
      try ObjectLoss(ofArchiveAt: path, by: $0, options.environment)
    }
    try requireOrders(options, way.steps, place: path)
    var plan = outline(way.steps, from: own.name, isDetour: way.isDetour)
    if plan.problems.isEmpty {
      plan.problems = DesignChoices.open(
        for: new.model, knowing: own.model, example: new.choices
      ).filter { !options.keepsNames || !$0.isAboutNames }
        .map { MappingProblem($0, objection: new.objection) }
    }
    plan.notes += [own.note, models.mappingNote].compactMap(\.self)
    return plan
  }

  /// Throws if a known problem prevents the migration.
  static func requirePossible(_ plan: MigrationPlan, place: String) throws {
    guard plan.problems.isEmpty else {
      throw CofferError.impossible(
        plan.problems, path: place, from: plan.steps.first?.oldName ?? "",
        to: plan.steps.last?.newName ?? "")
    }
  }

  func plan() throws -> MigrationPlan {
    var plan = outline
    plan.notes = modelNotes
    guard plan.problems.isEmpty, let first = steps.first else { return plan }
    do {
      try requireDecided()
      let step = try run(first, on: store, from: name)
      plan.notes += step.notes
      try step.check(progress, loss: try loss(step))
      plan.areObjectsChecked = true
    } catch let error as CofferError where error.code == .impossibleMigration {
      plan.problems = error.problems
    }
    return plan
  }

  /// The plan according to the models alone.
  private var outline: MigrationPlan { Self.outline(steps, from: name, isDetour: isDetour) }

  private static func outline(
    _ steps: [MigrationModels.Step], from name: String, isDetour: Bool
  ) -> MigrationPlan {
    var old = name
    var list: [MigrationPlan.Step] = []
    for step in steps {
      list.append(
        .init(
          oldName: old, newName: step.new.name, mapping: step.mapping,
          mappingName: step.custom?.name, mappingModel: step.custom?.model))
      old = step.new.name
    }
    return MigrationPlan(
      steps: list, isDetour: isDetour, problems: steps.flatMap(\.problems), notes: [],
      areObjectsChecked: false)
  }

  private func run(
    _ step: MigrationModels.Step, on store: PersistentStore, from old: String
  ) throws -> any MigrationWork {
    if let custom = step.custom {
      return try MappedStepRun(
        store, custom, step, origin: self.store, isLast: step.new.name == steps.last?.new.name,
        names: (old, step.new.name), place: place, keepsNames: options.keepsNames,
        environment: options.environment)
    }
    return try MigrationStepRun(
      store, mapping: step.mapping, to: step.new, origin: self.store,
      isLast: step.new.name == steps.last?.new.name, names: (old, step.new.name), place: place,
      keepsNames: options.keepsNames, orders: options.orderAttributes,
      limits: options.environment.limits)
  }

  /// The objects that a later step loses; nil if a loss is allowed.
  private func loss(_ step: any MigrationWork, after before: Int64 = 0) throws -> ObjectLoss? {
    guard !options.allowsLoss, step.lostCount > 0 else { return nil }
    var loss = try ObjectLoss(of: store)
    loss.add(before + step.lostCount)
    return loss
  }

  /// Checks that the form of the last store is determined.
  private func requireDecided() throws {
    guard let last = steps.last else { return }
    let open = MigrationStepRun.undecided(
      store, to: last.new, by: last.mapping, keepsNames: options.keepsNames)
    guard open.isEmpty else {
      throw CofferError.impossible(open, path: place, from: name, to: last.new.name)
    }
  }

  /// Throws if the migration is known to be impossible.
  func check() throws {
    try Self.requirePossible(outline, place: place)
    try requireDecided()
    guard let first = steps.first else { return }
    let step = try run(first, on: store, from: name)
    try step.check(progress, loss: try loss(step))
  }

  /// Migrates the store and moves the new one into place.
  ///
  /// Call ``check()`` first.
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
      throw placement.named(error, as: place)
    }
  }

  private func write(
    _ plan: MigrationPlan, _ placement: StorePlacement
  ) throws -> MigrationSummary {
    var current = store
    var old = name
    var notes = modelNotes
    var lost: Int64 = 0
    var between: [StorePaths] = []
    var last: (any MigrationWork)?
    for (index, step) in steps.enumerated() {
      var run = try run(step, on: current, from: old)
      if index > 0 { try run.check(progress, loss: try loss(run, after: lost)) }
      lost += run.lostCount
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

  // A separate function, because the compiler (6.3.1) crashes on the initializer inside a `do`.
  private static func open(_ path: String) throws -> PersistentStore {
    try PersistentStore(readingFrom: path, access: .inPlace)
  }
}
