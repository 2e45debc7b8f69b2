internal import ArgumentParser
internal import CofferKit

/// The options of commands that take a model in addition to a store or an archive.
struct ModelOptions: ParsableArguments {
  @Option(
    help: .value(
      "file",
      "The model: .mom, .momd, .xcdatamodel, .xcdatamodeld, a store or an archive; several are merged."
    ), completion: .file())
  var model: [String] = []

  @Option(
    help: .value("name", "The version to use if --model has several (default: the current one)."))
  var modelVersion: String?

  func validate() throws {
    if let modelVersion, model.count != 1 {
      throw ValidationError(
        "'--model-version \(modelVersion)' needs \(model.isEmpty ? "'--model'" : "a single '--model'")."
      )
    }
  }

  /// The environment of a command that reads no archive except the archive of the model.
  func environment(_ session: Session) throws -> WorkEnvironment {
    var environment = WorkEnvironment.inPlace
    environment.model = try given(environment, session)
    return environment
  }

  /// The given model, several merged into one; nil if none is given.
  ///
  /// - Throws: the errors of `ModelLoader` for a model that cannot be read; `model-mismatch` for models that
  ///   cannot be merged.
  func given(_ environment: WorkEnvironment, _ session: Session) throws -> LoadedModel? {
    let model = try session.backupPaths(of: model, environment)
    guard let first = model.first else { return nil }
    return try ModelLoader.load(
      from: first, version: modelVersion, merging: Array(model.dropFirst()),
      environment: environment)
  }
}

/// The option of commands whose first argument is a model.
struct MergedModelOptions: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: .value("file", "Merge this model with the first; repeatable."), completion: .file())
  var others: [String] = []

  /// The paths of the models; see ``BackupSources/backupPath(of:_:progress:)``.
  func paths(_ session: Session, _ environment: WorkEnvironment) throws -> [String] {
    try session.backupPaths(of: others, environment)
  }

  /// Refuses an option that needs a single model.
  func refuse(_ option: String, if isGiven: Bool) throws {
    if isGiven, !others.isEmpty {
      throw ValidationError("'\(option)' and '--model' cannot be combined.")
    }
  }
}
