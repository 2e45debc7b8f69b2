internal import CoreDataModel

/// Compares the store's model with the given one, as far as it affects compatibility.
///
/// If the store has no model of its own, all other checks use the given one instead.
final class ModelCheck: Check {
  static let name = CheckName.model
  private let context: VerificationContext

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    guard let given = context.subject.givenModel else { return }
    guard !context.subject.modelIsInferred else {
      return try context.reportNotRun(Self.name, "the archive has no model to compare")
    }
    let model = context.subject.model
    for change in ModelDifference(of: model, and: given, scope: .versionHash).changes {
      try context.report(
        Finding(
          .modelMismatch, entityName: change.entityName, propertyName: change.propertyName,
          detail: change.mismatch))
    }
  }
}
