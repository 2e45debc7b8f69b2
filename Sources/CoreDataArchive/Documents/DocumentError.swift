internal import CoreDataModel

/// Why a JSON document is not the one that was expected, and at which of its values.
package struct DocumentError: DescribedError, Equatable {
  /// Where in the document, as `entities[3].attributes[0].type`; empty for the whole document.
  package var path: String
  /// What was expected there.
  package var detail: String

  /// Creates an error.
  package init(path: String, detail: String) {
    self.path = path
    self.detail = detail
  }

  /// The stable code.
  package var codeText: String { "invalid-document" }
  /// What the code means.
  package var title: String { "not a document of this kind" }
  /// The path.
  package var place: String { path }
  /// None.
  package var hint: String? { nil }
}
