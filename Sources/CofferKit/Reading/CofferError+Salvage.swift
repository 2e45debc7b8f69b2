internal import CoreDataModel

extension CofferError {
  /// The error with a hint at what can be done about a damaged archive; any other as it is.
  var hintingAtSalvage: CofferError {
    guard code == .damagedArchive || code == .truncatedArchive else { return self }
    var error = self
    error.advice.append(.salvageArchive)
    return error
  }
}
