internal import CoreDataModel

/// Where entries come from that a damaged archive has lost: other archives, which may be damaged too.
///
/// Digests tell which entry is meant, so its name does not matter there: parts end by their keys, and one
/// that is the same has the same bytes, whatever its number. The others are read only once something is
/// missing, one after the other.
final class SalvageDonors {
  /// The index of the damaged archive itself, if it was found in another way than by reading forward.
  let ownIndex: ArchiveIndex?
  private let ownEntry: (String) -> SalvagedEntry?
  private var unread: ArraySlice<String>
  private let open: (String) throws(CofferError) -> [SalvagedEntry]
  private var found: [ArchiveDigest: SalvagedEntry] = [:]

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - own: the index of the damaged archive, and what reads one of its entries behind the damage; nil
  ///     if nothing can be read there.
  ///   - paths: the other archives, in the order in which they are looked at.
  ///   - open: finds the intact entries of an archive.
  init(
    own: (index: ArchiveIndex, entry: (String) -> SalvagedEntry?)?, paths: [String],
    open: @escaping (String) throws(CofferError) -> [SalvagedEntry]
  ) {
    ownIndex = own?.index
    ownEntry = own?.entry ?? { _ in nil }
    unread = paths[...]
    self.open = open
  }

  /// The entry with the content that a record of the index states; nil if no archive has it intact.
  ///
  /// - Throws: errors from opening the archives.
  func entry(for record: ArchiveIndex.Entry) throws(CofferError) -> SalvagedEntry? {
    if let own = ownEntry(record.name), own.entry.digest == record.digest { return own }
    while true {
      if var entry = found[record.digest], entry.entry.size == record.size {
        entry.storedName = entry.entry.name
        entry.entry.name = record.name
        return entry
      }
      guard let path = unread.popFirst() else { return nil }
      for entry in try open(path) where found[entry.entry.digest] == nil {
        found[entry.entry.digest] = entry
      }
    }
  }
}
