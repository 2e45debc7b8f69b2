internal import ArgumentParser
internal import CofferKit

/// The options of commands that take a model in addition to a store or an archive.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model: .mom, .momd, .xcdatamodel, .xcdatamodeld, a store or an archive; several are merged.",
      valueName: "file"), completion: .file())
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "The version to use if --model has several (default: the current one).",
      valueName: "name"))
  var modelVersion: String?

  func validate() throws {
    if let modelVersion, model.count != 1 {
      throw ValidationError(
        "'--model-version \(modelVersion)' needs \(model.isEmpty ? "'--model'" : "a single '--model'")."
      )
    }
  }

  /// The environment of a command that reads no archive except the archive of the model.
  ///
  /// - Throws: the errors of `ModelLoader` for a model that cannot be read.
  func environment() throws -> WorkEnvironment {
    var environment = WorkEnvironment.inPlace
    environment.model = try given(environment)
    return environment
  }

  /// The given model, several merged into one; nil if none is given.
  ///
  /// - Throws: the errors of `ModelLoader` for a model that cannot be read; `model-mismatch` for models that
  ///   cannot be merged.
  func given(_ environment: WorkEnvironment) throws -> LoadedModel? {
    guard !model.isEmpty else { return nil }
    return try LoadedModel.merging(
      model.map { try ModelLoader.load(from: $0, version: modelVersion, environment: environment) })
  }
}
