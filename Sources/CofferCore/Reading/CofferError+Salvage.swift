internal import CoreDataModel

extension CofferError {
  /// The error with advice to salvage if the archive is damaged; other errors unchanged.
  var hintingAtSalvage: CofferError {
    guard code == .damagedArchive || code == .truncatedArchive else { return self }
    var error = self
    error.advice.append(.salvageArchive)
    return error
  }
}
