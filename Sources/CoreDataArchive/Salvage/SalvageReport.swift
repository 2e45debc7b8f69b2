/// The defects of a salvaged archive; known before its first entry is returned.
package struct SalvageReport: Sendable, Equatable {
  /// An entry that is not intact.
  package struct LostEntry: Sendable, Equatable {
    /// The entry's name.
    package var name: String
    /// The content according to the index; empty without an index.
    package var attributes = ArchiveEntryAttributes()
  }

  /// Bytes that do not belong to an intact entry.
  package struct Damage: Sendable, Equatable {
    /// The offset of the first byte: in the archive's file, or in the tar of a repacked archive.
    package var offset: Int
    /// A description of the defect, for people.
    package var detail: String
  }

  /// Whether the index is readable.
  ///
  /// If not, further losses are unknown.
  package var hasIndex = false
  /// The entries that are known to be lost: in the order of the index, or else of the archive.
  package var lostEntries: [LostEntry] = []
  /// The names of entries that are returned as another archive has them.
  package var takenEntries: [String] = []
  /// The names of entries that are returned although their digest differs from the index, because
  /// someone edited them.
  ///
  /// Only documents and lines, which can be checked by themselves.
  package var alteredEntries: [String] = []
  /// The places of damage, in the order of the archive; the first 1,000.
  package var damages: [Damage] = []
  /// Where reading ended: the size of the archive, or of the tar of a repacked one.
  package var endOffset = 0

  static let keptDamages = 1000

  mutating func note(_ offset: Int, _ detail: String) {
    guard damages.count < Self.keptDamages else { return }
    damages.append(Damage(offset: offset, detail: detail))
  }
}
