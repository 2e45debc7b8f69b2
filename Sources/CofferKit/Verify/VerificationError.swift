public import CoreDataModel

/// Why a verification could not come to its end, although what it verifies can be read.
public struct CofferError: DescribedError, Equatable {
  /// The kind of a verification error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// What memory has no room for could not be kept in a temporary file.
    public static let temporaryStorage = Code(
      text: "temporary-storage-failed", title: "cannot keep temporary data")
  }

  /// The kind of the error.
  public var code: Code
  /// The folder.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }
}
