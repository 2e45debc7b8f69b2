public import CoreDataModel

/// What can go wrong while a persistent store is opened, read or written.
public struct CofferError: DescribedError, Equatable {
  /// The kind of a store error.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String
    /// What it means, in a few words.
    public let title: String

    /// There is no file of that name.
    public static let notFound = Code(text: "not-found", title: "no such file")
    /// The file may not be read, or reading failed.
    public static let notReadable = Code(text: "read-failed", title: "cannot be read")
    /// The file is not an SQLite database; it may be encrypted.
    public static let notSQLite = Code(text: "not-sqlite", title: "not an SQLite database")
    /// The file is an SQLite database, but Core Data did not make it.
    public static let notCoreData = Code(
      text: "not-a-core-data-store", title: "not a Core Data store")
    /// The `-wal` file that holds a part of the store is not there.
    public static let walMissing = Code(
      text: "wal-missing", title: "a part of the store is missing")
    /// Another process holds the store locked.
    public static let busy = Code(text: "store-busy", title: "the store is busy")
    /// The store is too damaged to read on.
    public static let damaged = Code(text: "damaged-store", title: "the store is damaged")
    /// No private copy could be made, because of space or permissions.
    public static let cannotCopy = Code(
      text: "cannot-copy", title: "no private copy of the store could be made")
    /// Something could not be written.
    public static let cannotWrite = Code(text: "write-failed", title: "cannot be written")
    /// There is something in the place of the output.
    public static let outputExists = Code(text: "output-exists", title: "the output exists")
    /// What was asked for would leave a store that Core Data cannot use, or is not safe to do.
    public static let refused = Code(text: "refused", title: "refused")
    /// SQLite reported an error that has no code of its own here.
    public static let sqlite = Code(text: "sqlite-error", title: "SQLite reported an error")
  }

  /// The kind of the error.
  public var code: Code
  /// The file, table or entity where it happened; empty when there is no place.
  public var place: String
  /// Why.
  public var detail: String
  /// The next step, or nil.
  public var hint: String?
  /// The extended result code of SQLite, where it was the cause.
  public var resultCode: Int32?

  /// Creates an error.
  public init(
    _ code: Code, place: String = "", detail: String = "", hint: String? = nil,
    resultCode: Int32? = nil
  ) {
    self.code = code
    self.place = place
    self.detail = detail
    self.hint = hint
    self.resultCode = resultCode
  }

  /// The stable text of the code.
  public var codeText: String { code.text }
  /// What the code means.
  public var title: String { code.title }
}
