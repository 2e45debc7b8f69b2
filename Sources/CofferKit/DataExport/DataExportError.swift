public import CoreDataModel

/// Why objects cannot be written in another shape.
public struct CofferError: DescribedError, Equatable {
  /// The kind of the error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// The model has no entity of that name.
    public static let noEntity = Code(text: "no-such-entity", title: "no such entity")
    /// The options leave no entity.
    public static let nothingChosen = Code(text: "nothing-chosen", title: "nothing to write")
  }

  /// The kind of the error.
  public var code: Code
  /// The store or the archive.
  public var place: String
  /// Why; for an entity that there is not, its name.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?
  /// The names of the entities that there are.
  public var entityNames: [String]

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }
}
