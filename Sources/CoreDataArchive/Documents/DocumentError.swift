package import CoreDataModel

/// A defect of a document: a missing member, or one with the wrong type.
package struct DocumentError: Error, Sendable, Equatable {
  /// The document and the path of the member in it, such as `store/layout.json: tables[3].kind`.
  package var path: String
  /// The expected value.
  package var expected: String

  /// The error of the archive that holds the document.
  package func archiveError(path archive: String) -> CofferError {
    CofferError(.damagedArchive, path: archive, detail: "\(path): \(expected) is expected")
  }
}
