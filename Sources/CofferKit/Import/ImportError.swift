public import CoreDataModel

/// Why an import was refused although the archive can be read and the store be written.
public struct CofferError: DescribedError, Equatable {
  /// The kind of an import error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// The choices would make a store that Core Data cannot use.
    public static let choices = Code(
      text: "incompatible-choices", title: "choices that exclude each other")
    /// Something in the archive's data is wrong, and that was not to be accepted.
    public static let findings = Code(
      text: "strict-findings", title: "not restored because its data have errors")
  }

  /// The kind of the error.
  public var code: Code
  /// The archive.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?
  /// The findings that were the reason; empty where they were not.
  public var findings: [Finding] = []

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }
}
