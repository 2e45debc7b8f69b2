package import CofferCore
package import CofferTables
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// Creates stores of invented objects for testing apps and migrations.
///
/// ```swift
/// try FixtureMaker(options: FixtureOptions(objectCount: 1000)).make("Trips.momd", at: "Trips.sqlite")
/// ```
///
/// Every entity has objects, and every relationship destinations; values are often at the limits that
/// the model allows. The store appears only when it is complete and verified.
package struct FixtureMaker: Sendable {
  /// The options.
  package var options: FixtureOptions
  /// Receives the progress.
  package var progress: any ProgressReporter

  /// Creates a maker with options and a receiver of its progress.
  package init(
    options: FixtureOptions = FixtureOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - model: a model file, a source, a folder of versions, a store or an archive.
  ///   - store: the path of the store.
  /// - Returns: the summary of the store.
  /// - Throws: the errors of ``StoreCreator`` for the model and the place of the store, and of reading the
  ///   store that the new one is like; `CofferError` with `refused` if no objects satisfy the model's
  ///   rules; `CancellationError`.
  @discardableResult
  package func make(_ model: String, at store: String) throws -> FixtureSummary {
    var environment = options.environment.acceptingAnyModel
    environment.storeAccess = .inPlace
    let likeness = try options.like.map { [environment] in
      try StoreLikeness(of: $0, environment, progress: progress)
    }
    let (founding, plan) = try plan(model, likeness, at: store)
    let work = try WorkFolder(for: .fixture, in: options.environment.temporaryFolder)
    var importing = SheetImportOptions(model: model)
    importing.overwriting = options.overwriting
    importing.environment = options.environment
    do {
      let imported = try SheetImportRun.complete(
        founding, at: store, folder: StorePaths.folder(of: work.path("file")), importing,
        progress: progress
      ) { _ in tables(plan, files: work) }
      return FixtureSummary(seed: options.seed, content: imported)
    } catch let error as CofferError where error.code == .invalidTable {
      throw CofferError(
        .refused, path: model,
        detail: "no objects were found that satisfy its rules: \(error.place.path): \(error.detail)"
      )
    }
  }

  private func plan(
    _ model: String, _ likeness: StoreLikeness?, at store: String
  ) throws -> (StoreCreator.Founding, FixturePlan) {
    var creation = CreationOptions(
      modelVersion: options.modelVersion, frameworkVersion: options.frameworkVersion,
      example: options.example)
    creation.otherModels = options.otherModels
    creation.environment = options.environment
    creation.environment.storeAccess = .inPlace
    // A store or an archive determines itself what its model leaves open.
    if let like = options.like,
      !options.otherModels.isEmpty || (try? SourceKind(ofFileAt: model)) == nil
    {
      creation.example = like
    }
    let founding = try StoreCreator(options: creation).founding(model, at: store)
    let design = founding.builder.design
    let plan = try FixturePlan(design, options, like: likeness, place: store)
    var seed = SeededRandom.seed(options.seed, "store")
    for entity in design.model.entities {
      seed = SeededRandom.seed(seed, entity.name.text, "\(plan.population.count(of: entity.name))")
    }
    let uuid = UUIDText.text(EdgeValues.uuid(seed, SeededRandom.mixed(seed))) ?? ""
    return (founding.identified(by: uuid.uppercased()), plan)
  }

  private func tables(_ plan: FixturePlan, files: WorkFolder) -> [SheetFile] {
    plan.model.entities.compactMap { entity in
      guard plan.population.count(of: entity.name) > 0,
        let table = plan.schema.table(of: entity.name)
      else { return nil }
      let seed = options.seed
      return SheetFile(
        path: entity.name.text, place: entity.name.text,
        format: .made { FixtureTable(entity.name, table: table, plan, files: files, seed: seed) },
        subject: .objects(entity.name))
    }
  }
}

/// The options for making a store of invented objects.
package struct FixtureOptions: Sendable, Equatable {
  /// The number of objects of each entity; fewer where the model allows fewer.
  ///
  /// Abstract entities have none. It is ignored if the store is like another one.
  package var objectCount: Int
  /// Seed for the generated values: the same seed makes the same store of the same model.
  package var seed: UInt64
  /// A store or an archive with as many objects and similar values; nil for none.
  package var like: String?
  /// A store or an archive that shows the names that the model leaves undecided; nil for none.
  package var example: String?
  /// The version of the model if it has several; nil for the current one.
  package var modelVersion: String?
  /// The paths of models to merge with the model; empty for the model alone.
  package var otherModels: [String] = []
  /// The version of the framework to write the store as; nil for the version of the model's file, or the newest.
  package var frameworkVersion: Int64?
  /// Whether an existing store is replaced.
  package var overwriting = false
  /// How archives are read.
  package var environment = WorkEnvironment()

  /// Creates options.
  package init(objectCount: Int = 100, seed: UInt64 = 0, like: String? = nil) {
    self.objectCount = objectCount
    self.seed = seed
    self.like = like
  }
}

/// The result of making a store of invented objects.
package struct FixtureSummary: Sendable, Equatable {
  /// The seed of the values.
  package var seed: UInt64
  /// The objects, by entities as tables, and the store.
  package var content: SheetImportSummary
}
