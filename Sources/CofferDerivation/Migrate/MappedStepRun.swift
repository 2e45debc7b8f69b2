internal import CofferCore
internal import CofferTables
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// A step of a migration with a mapping model, from an open store to a new file.
///
/// Objects come first, attributes and all, then their relationships, then a verification of the whole: an object
/// that the app could not save prevents the migration.
struct MappedStepRun: MigrationWork {
  private let store: PersistentStore
  private let mapping: CustomMapping
  private let builder: StoreBuilder
  private let layout: StoreLayout
  /// The entity mappings; their filters are evaluated once, into temporary tables of the store's connection.
  private let parts: MappedParts
  private let place: String
  private let names: (old: String, new: String)
  private let temporaryFolder: String?
  private(set) var notes: [MigrationNote] = []
  private(set) var objectCount = 0
  private(set) var pairCount = 0
  private(set) var fileCount = 0
  private(set) var lostCount: Int64 = 0
  private var largestLoss: Name?

  /// Prepares a step.
  ///
  /// - Throws: ``CofferError`` if the form of the new store is undecided, a filter is no predicate, or the
  ///   store cannot be read; `model-limit`.
  init(
    _ store: PersistentStore, _ custom: CustomMapping, _ step: MigrationModels.Step,
    origin: PersistentStore, isLast: Bool, names: (old: String, new: String), place: String,
    keepsNames: Bool, environment: WorkEnvironment
  ) throws {
    self.store = store
    mapping = custom
    self.place = place
    self.names = names
    temporaryFolder = environment.temporaryFolder
    builder = try MigrationStepRun.founding(
      store, mapping: step.mapping, to: step.new, origin: origin, isLast: isLast,
      keepsNames: keepsNames, names: names, place: place, limits: environment.limits)
    layout = try builder.design.layout(place: place)
    notes = MigrationStepRun.notes(on: builder)
    notes += MigrationStepRun.droppedTables(of: store, keepsHistory: false)
    let model = layout.model
    parts = try store.use { try MappedParts(custom, store, $0, to: model) }
    try store.use { database in
      for (name, count) in try parts.lost(store, database) { addLost(name, count) }
      for part in parts.all where part.rule.policyClass != nil {
        addPolicy(part, try parts.count(part, database))
      }
    }
  }

  private mutating func addLost(_ name: Name, _ count: Int64) {
    if count > lostCount { largestLoss = name }
    lostCount += count
    notes.add(
      .objectsDropped,
      count == 1
        ? "1 object of \(name), which the mapping model leaves behind, is not carried over"
        : "\(count) objects of \(name), which the mapping model leaves behind, are not carried over"
    )
  }

  /// Says what stays empty because a class of the app is not run.
  private mutating func addPolicy(_ part: MappedParts.Part, _ count: Int64) {
    let rule = part.rule
    let attributes = layout.model.allAttributes(of: part.destination).filter { attribute in
      guard !attribute.isTransient, !attribute.isDerived else { return false }
      if case .none? = part.read.values[attribute.name] { return true }
      return part.read.values[attribute.name] == nil
    }
    let relationships = layout.model.allRelationships(of: part.destination).filter {
      (part.read.destinations[$0.name] ?? MappedDestinations.none) == MappedDestinations.none
    }
    let empty = (attributes.map(\.name) + relationships.map(\.name)).sorted()
    let objects = count == 1 ? "1 object" : "\(count) objects"
    notes.add(
      .policyReplaced,
      "\(objects) of \(part.destination) \(count == 1 ? "is" : "are") carried over without the class "
        + "\(rule.policyClass ?? "")"
        + (empty.isEmpty ? "" : ", so that they only have defaults for: \(empty.listed())"))
  }

  func check(_ progress: any ProgressReporter, loss: ObjectLoss?) throws {
    var problems = parts.problems
    if let entity = largestLoss, let problem = loss?.problem(with: entity) {
      problems.append(problem)
    }
    guard problems.isEmpty else { throw impossible(problems) }
    let plan = MappedPlan(store: store, layout: layout, parts: parts)
    problems = try store.use { try plan.contradictions($0) }
    guard problems.isEmpty else { throw impossible(problems) }
  }

  private func impossible(_ problems: [MappingProblem]) -> CofferError {
    .impossible(problems, path: place, from: names.old, to: names.new)
  }

  mutating func write(to paths: StorePaths, progress: any ProgressReporter) throws {
    var options = SheetImportOptions(model: "")
    options.environment.temporaryFolder = temporaryFolder
    let folder = StorePaths(store: store.path).externalDataFolder
    do {
      let content = try store.use { database in
        let plan = MappedPlan(store: store, layout: layout, parts: parts)
        return try SheetImportRun.write(
          builder, to: paths, place: place, folder: folder, options,
          settings: store.settings, progress: progress,
          files: plan.tables(database))
      }
      objectCount = content.tables.reduce(0) { $0 + $1.count }
      pairCount = content.pairCount
      fileCount = content.externalFileCount
    } catch let error as CofferError where error.code == .invalidTable {
      throw impossible([problem(error)])
    }
    try store.requireUnchanged()
  }

  /// The problem of an object, as the reason against the migration.
  private func problem(_ error: CofferError) -> MappingProblem {
    let rule = mapping.model.entities.first { $0.name.text == error.place.path }
    let item = error.place.item.map { "\($0): " } ?? ""
    return MappingProblem(
      .unmetCondition, entity: rule?.destinationName ?? Name(error.place.path),
      "\(item)\(error.detail)", remedy: "Change the objects in the store, then migrate it.")
  }
}
