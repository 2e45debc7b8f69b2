internal import CoreDataArchive
public import CoreDataModel
internal import CoreDataStore

/// The kind of an input file, recognized by its content and never by its name.
public enum SourceKind: String, Sendable, Hashable {
  /// A persistent store.
  case store
  case archive
  /// A change file, which begins like an archive.
  case changes

  /// Recognizes a file: an archive if it is compressed with gzip or zstd, or encrypted with age, otherwise a
  /// store.
  ///
  /// Opening the file shows whether it really is an archive, or a change file.
  ///
  /// - Throws: ``CofferError``: `not-found`, or `read-failed` for folders, devices and missing
  ///   permissions.
  public init(ofFileAt path: String) throws(CofferError) {
    let beginning = try FileSignature.bytes(ofFileAt: path, count: ArchiveEncryption.prefixSize)
    self = ArchiveKind.mayBegin(beginning) ? .archive : .store
  }
}
