package import CoreDataModel

/// What is wrong with a document of an archive: a member that is missing or of another type.
package struct DocumentError: Error, Sendable, Equatable {
  /// The document and the path of the member in it, such as `store/layout.json: tables[3].kind`.
  package var path: String
  /// What should be there.
  package var expected: String

  /// The error of the archive that holds the document.
  package func archiveError(path archive: String) -> CofferError {
    CofferError(.damagedArchive, path: archive, detail: "\(path): \(expected) is expected")
  }
}
