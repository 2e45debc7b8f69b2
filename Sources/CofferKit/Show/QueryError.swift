public import CoreDataModel

/// Why a query has no answer.
public struct CofferError: DescribedError, Equatable {
  /// The kind of a query error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// The model has no entity of that name.
    public static let noEntity = Code(text: "no-such-entity", title: "no such entity")
    /// There is no object of that key.
    public static let noObject = Code(text: "no-such-object", title: "no such object")
    /// The entity has no property of that name, or none that can be used so.
    public static let noProperty = Code(text: "no-such-property", title: "no such property")
    /// The condition is no predicate, or one that cannot be evaluated here.
    public static let condition = Code(text: "invalid-condition", title: "not a condition")
  }

  /// The kind of the error.
  public var code: Code
  /// The store or the archive.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }

  init(_ code: Code, place: String, detail: String, hint: String? = nil) {
    self.code = code
    self.place = place
    self.detail = detail
    self.hint = hint
  }
}
