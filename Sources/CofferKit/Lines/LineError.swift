internal import CoreDataArchive
internal import CoreDataModel

/// What is wrong with a line, and where in it.
package struct LineError: Error, Equatable {
  /// The offset in bytes from the beginning of the line.
  package var offset: Int
  /// What is wrong, without values of the user's data.
  package var detail: String
  /// The limit that is exceeded; nil where something else is wrong.
  var limit: ArchiveLimits.Name?

  /// The error of the archive that holds the line.
  ///
  /// - Parameters:
  ///   - limits: what the archive may hold at most.
  ///   - path: the archive.
  ///   - entry: the entry of the line.
  ///   - number: the number of the line, from 1.
  /// - Returns: `damaged-archive`, or `archive-limit`.
  func archiveError(
    _ limits: ArchiveLimits, path: String, entry: String, line number: Int
  ) -> CofferError {
    let place = "line \(number), byte \(offset): "
    if let limit {
      return .exceeding(limit, of: limits, path: path, entry: entry, place + detail)
    }
    return CofferError(.damagedArchive, path: path, entry: entry, detail: place + detail)
  }
}
