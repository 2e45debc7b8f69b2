internal import CoreDataModel

/// Why one of the program's own streams could not be written to.
struct CofferError: DescribedError, Equatable {
  /// The name of the stream.
  var place: String
  /// What the system said.
  var detail: String
  /// Whether nobody reads the stream any more.
  var isClosed: Bool

  var codeText: String { isClosed ? "output-closed" : "write-failed" }
  var title: String { isClosed ? "output closed" : "cannot write" }
  /// What can be done about it, or nil.
  var hint: String?
}
