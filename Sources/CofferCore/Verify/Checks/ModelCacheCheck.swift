internal import CoreDataModel
internal import CoreDataStore

/// Checks the store's own copy of its model.
final class ModelCacheCheck: Check {
  static let name = CheckName.modelCache
  private let context: VerificationContext

  init(_ context: VerificationContext) { self.context = context }

  func finish() throws {
    let administration = context.administration
    if administration.modelCaches.count > 1 { try context.report(Finding(.surplusModelCache)) }
    if let bytes = administration.modelCaches.first {
      guard let problem = Self.problem(of: bytes) else { return }
      return try context.report(Finding(.unreadableModelCache, detail: problem.detail))
    }
    if administration.lacksReadable("the copy of the model") { return }
    guard let version = administration.metadata.first?.frameworkVersion else {
      return try context.reportNotRun(
        Self.name, "the framework version is unknown, and there is no copy of the model")
    }
    if FrameworkEra(version: version).keepsModel {
      try context.report(
        Finding(
          .missingModelCache,
          detail: administration.hasModelCacheTable ? "its table is empty" : "it has no table"))
    }
  }

  private static func problem(of bytes: [UInt8]) -> CofferError? {
    do throws(CofferError) {
      _ = try ModelCacheReader.read(compressed: bytes)
      return nil
    } catch {
      return error
    }
  }
}
