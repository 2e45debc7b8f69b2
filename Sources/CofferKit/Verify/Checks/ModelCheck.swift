internal import CoreDataModel

/// Compares the store's model with one that was given, in what decides whether they fit.
///
/// A store that has no model of its own is checked against the given one by all the other checks.
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
