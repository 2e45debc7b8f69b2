public import CoreDataModel

/// Why a store was not migrated although it and the model can be read.
public struct CofferError: DescribedError, Equatable {
  /// The kind of a migration error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// There is no way from the old model to the new one that can be inferred.
    public static let impossible = Code(
      text: "impossible-migration", title: "cannot be migrated without a mapping of the app's own")
    /// What the store's own model is cannot be told.
    public static let unknownModel = Code(
      text: "unknown-store-model", title: "the model of the store is not known")
  }

  /// The kind of the error.
  public var code: Code
  /// The store.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?
  /// What keeps it from being possible; empty for other reasons.
  public var problems: [MappingProblem] = []

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }

  /// The error for problems, of which there is at least one.
  static func impossible(
    _ problems: [MappingProblem], place: String, from old: String, to new: String
  ) -> CofferError {
    let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
    let first = problems.first.map { ": \($0)" } ?? ""
    return CofferError(
      .impossibleMigration, path: place, detail: "from \(old) to \(new), for \(count)\(first)",
      advice: problems.first?.remedy, evidence: problems)
  }
}
