public import CoreDataModel

/// What can go wrong while an archive is written or read.
public struct CofferError: DescribedError, Equatable {
  /// The kind of an archive error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// The bytes are not an archive of this program.
    public static let notAnArchive = Code(text: "not-an-archive", title: "not an archive")
    /// The archive ends too early.
    public static let truncated = Code(text: "truncated-archive", title: "truncated archive")
    /// The archive contradicts itself or its format.
    public static let damaged = Code(text: "damaged-archive", title: "damaged archive")
    /// The archive has a newer format than this program knows.
    public static let newerFormat = Code(
      text: "newer-format", title: "archive of a newer format")
    /// The archive exceeds a limit that protects against hostile files.
    public static let limit = Code(text: "archive-limit", title: "archive too large")
    /// The archive's target exists and may not be replaced.
    public static let outputExists = Code(text: "output-exists", title: "file exists")
    /// Nobody reads the pipe any more that the archive is written to.
    public static let outputClosed = Code(text: "output-closed", title: "output closed")
    /// The system could not write.
    public static let writeFailed = Code(text: "write-failed", title: "cannot write")
    /// The system could not open or read.
    public static let readFailed = Code(text: "read-failed", title: "cannot read")
    /// There is no file at the path.
    public static let missingFile = Code(text: "not-found", title: "no such file")
    /// The archive has no entry of that name.
    public static let missingEntry = Code(text: "missing-entry", title: "missing entry")
    /// A name cannot be the name of an entry.
    public static let invalidName = Code(text: "invalid-entry-name", title: "invalid entry name")
    /// The archive is encrypted, and nothing was given to open it with.
    public static let encrypted = Code(
      text: "encrypted-archive", title: "encrypted archive")
    /// None of the identities opens the archive.
    public static let noMatchingIdentity = Code(
      text: "no-matching-identity", title: "no identity opens it")
    /// Another passphrase opens the archive.
    public static let wrongPassphrase = Code(
      text: "wrong-passphrase", title: "wrong passphrase")
    /// The encrypted archive was changed, or breaks the rules of its format.
    public static let damagedEncryption = Code(
      text: "damaged-encryption", title: "damaged encrypted archive")
    /// The encrypted archive ends too early.
    public static let truncatedEncryption = Code(
      text: "truncated-encryption", title: "truncated encrypted archive")
    /// The encryption uses what is not supported.
    public static let unsupportedEncryption = Code(
      text: "unsupported-encryption", title: "encryption not supported")
    /// A text is no recipient.
    public static let invalidRecipient = Code(
      text: "invalid-recipient", title: "not a recipient")
    /// A file holds no identity.
    public static let invalidIdentity = Code(
      text: "invalid-identity", title: "not a file of identities")
    /// A passphrase cannot be one.
    public static let invalidPassphrase = Code(
      text: "invalid-passphrase", title: "not a passphrase")
  }

  /// The kind of the error.
  public var code: Code
  /// The archive's path, or a name for a pipe; empty when it does not matter.
  public var path: String
  /// The entry in which it happened, or nil outside of any.
  public var entry: String?
  /// The offset in the archive's file of the bytes in question, or nil where none applies.
  public var offset: Int?
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?

  /// Creates an error.
  public init(
    _ code: Code, path: String = "", entry: String? = nil, offset: Int? = nil, detail: String,
    hint: String? = nil
  ) {
    self.code = code
    self.path = path
    self.entry = entry
    self.offset = offset
    self.detail = detail
    self.hint = hint
  }

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }

  /// The path, the entry and the offset, as far as they are known; control characters are replaced.
  public var place: String {
    var parts: [String] = []
    if !path.isEmpty { parts.append(path) }
    if let entry { parts.append("entry \(entry)") }
    if let offset { parts.append("byte \(offset)") }
    let text = parts.joined(separator: ", ").unicodeScalars
    return String(
      String.UnicodeScalarView(text.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

extension CofferError {
  /// The error about an entry with another content than the index says.
  static func digestMismatch(_ entry: String, path: String) -> CofferError {
    CofferError(
      .damagedArchive, path: path, entry: entry,
      detail: "its content does not have the digest of the index")
  }

  /// The error about a failed call of the system, with what can be done about it.
  init(
    _ code: Code, path: String, offset: Int? = nil, _ failure: SystemCall.Failure
  ) {
    self.init(
      code, path: path, offset: offset, detail: failure.text,
      hint: SystemAdvice.hint(for: failure.number, at: path))
  }

  /// The error with another path and offset.
  func located(path: String, offset: Int?) -> CofferError {
    var error = self
    error.path = path
    error.offset = offset
    return error
  }

  /// Whether the bytes themselves are wrong, rather than that they could not be read.
  var isDamage: Bool {
    [.damaged, .truncated, .damagedEncryption, .truncatedEncryption].contains(code)
  }
}
