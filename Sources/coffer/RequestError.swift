internal import CoreDataModel

/// Something that the program was asked for and does not do, found before any work began.
struct CofferError: DescribedError {
  var codeText: String { "refused" }
  var title: String { "refused" }
  /// The file or stream.
  var place: String
  /// Why.
  var detail: String
  /// The next step.
  var hint: String?
}
