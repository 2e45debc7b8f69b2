internal import CoreDataModel

/// The entries of an archive, one after the other, and the results at the end.
protocol EntrySource: AnyObject {
  /// The index, as soon as it is known; also nil if it is unreadable.
  var index: ArchiveIndex? { get }

  /// Advances to the next entry. The previous one must have been read completely.
  ///
  /// - Returns: nil when all came and were compared with the index; it is not asked again then.
  func next() throws(CofferError) -> EntryCursor?

  /// Processes an entry whose content was read.
  ///
  /// - Parameters:
  ///   - entry: its properties.
  ///   - pending: its digest, where that was not computed while it was read; the one in its properties means
  ///     nothing then.
  /// - Throws: an error about the digest.
  func take(_ entry: ArchiveIndex.Entry, _ pending: PendingDigest?) throws(CofferError)
}
