/// What is wrong with an archive that is read to be salvaged; known before its first entry is handed out.
package struct SalvageReport: Sendable, Equatable {
  /// An entry that did not come whole.
  package struct LostEntry: Sendable, Equatable {
    /// The entry's name.
    package var name: String
    /// What the index says that it held; empty where there is no index.
    package var attributes: ArchiveEntryAttributes

    /// Creates a lost entry.
    package init(name: String, attributes: ArchiveEntryAttributes = ArchiveEntryAttributes()) {
      self.name = name
      self.attributes = attributes
    }
  }

  /// Bytes that are no part of a whole entry.
  package struct Damage: Sendable, Equatable {
    /// The offset of the first byte: in the archive's file, or in the tar of a repacked archive.
    package var offset: Int
    /// What is wrong there, for people.
    package var detail: String
  }

  /// Whether the index could be read; if not, what else is lost cannot be told.
  package var hasIndex = false
  /// The entries that are known to be lost: in the order of the index, or else of the archive.
  package var lostEntries: [LostEntry] = []
  /// The names of entries that are handed out although their content has another digest than the
  /// index says: somebody edited them.
  ///
  /// Only documents and lines, which can be checked by themselves.
  package var alteredEntries: [String] = []
  /// Where the archive is damaged, in the order of the archive; the first 1,000 places.
  package var damages: [Damage] = []
  /// Where reading ended: the size of the archive, or of the tar of a repacked one.
  package var endOffset = 0

  /// Whether there is nothing to report.
  package var isClean: Bool {
    hasIndex && lostEntries.isEmpty && alteredEntries.isEmpty && damages.isEmpty
  }

  static let keptDamages = 1000

  mutating func note(_ offset: Int, _ detail: String) {
    guard damages.count < Self.keptDamages else { return }
    damages.append(Damage(offset: offset, detail: detail))
  }
}
