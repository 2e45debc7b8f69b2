internal import CoreDataArchive
public import CoreDataModel
internal import CoreDataStore

/// What a file is that a command is given, found by its content and never by its name.
public enum SourceKind: String, Sendable, Hashable {
  /// A persistent store.
  case store
  /// An archive.
  case archive

  /// Finds out what a file is: an archive when it is gzip-compressed or encrypted with age, a store
  /// otherwise.
  ///
  /// Whether it really is what it looks like shows when it is opened.
  ///
  /// - Throws: ``CofferError``: `not-found`, or `read-failed` for folders, devices and missing
  ///   permissions.
  public init(ofFileAt path: String) throws(CofferError) {
    let beginning = try FileSignature.bytes(ofFileAt: path, count: ArchiveEncryption.prefixSize)
    self = ArchiveKind.mayBegin(beginning) ? .archive : .store
  }
}
