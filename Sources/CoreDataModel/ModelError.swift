/// What can go wrong while a managed object model is read.
public struct CofferError: DescribedError, Equatable {
  /// The kind of a model error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// The bytes are not a model of the expected kind.
    public static let notAModel = Code(text: "not-a-model", title: "not a managed object model")
    /// The model is cut off or contradicts itself.
    public static let damaged = Code(text: "damaged-model", title: "damaged managed object model")
    /// The model exceeds a limit that protects against hostile files.
    public static let limit = Code(text: "model-limit", title: "managed object model too large")
    /// The model is not the one of the store that it was given for.
    public static let mismatch = Code(text: "model-mismatch", title: "the model does not fit")
  }

  /// The kind of the error.
  public var code: Code
  /// Where it happened; empty when there is no place.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?

  /// Creates an error.
  public init(_ code: Code, place: String = "", detail: String, hint: String? = nil) {
    self.code = code
    self.place = place
    self.detail = detail
    self.hint = hint
  }

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }
}
