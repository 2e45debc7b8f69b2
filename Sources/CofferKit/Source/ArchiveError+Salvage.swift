internal import CoreDataArchive

extension CofferError {
  /// The error with a hint at what can be done about a damaged archive; any other as it is.
  var hintingAtSalvage: CofferError {
    guard code == .damaged || code == .truncated else { return self }
    var error = self
    let salvage = "`coffer import --salvage` restores what is whole of it."
    error.hint = hint.map { "\($0) \(salvage)" } ?? salvage
    return error
  }
}
