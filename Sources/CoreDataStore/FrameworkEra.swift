/// The operating systems that a version of the persistence framework belongs to.
///
/// Source: store-format, section 1; the versions of each system are those that stores were seen of.
package struct FrameworkEra: Sendable, Equatable, CustomStringConvertible {
  /// The version of the framework, NSPersistenceFrameworkVersion.
  package let version: Int64

  /// The era of a version.
  package init(version: Int64) { self.version = version }

  /// Whether stores of this version keep a copy of their model (store-format, section 3).
  package var keepsModel: Bool { version >= 637 }

  /// The newest version that stores were seen of.
  package static let newest = FrameworkEra(version: 1526)

  /// Whether fetch indexes become indexes; before, the indexed flag of attributes and the compound
  /// indexes did (store-format, section 5.7).
  package var hasFetchIndexes: Bool { version >= 836 }
  /// Whether uniqueness constraints become indexes; before, they stood in the text of the table
  /// (store-format, section 5.7).
  package var hasUniqueIndexes: Bool { version >= 852 }
  /// Whether tables of many-to-many relationships have an index for the reverse direction
  /// (store-format, section 5.7); no store of the versions from 480 to 636 shows it.
  package var hasJoinIndexes: Bool { version >= 500 }
  /// Whether two spaces precede the condition of a partial index that ends in a test for a value
  /// (store-format, section 5.7).
  package var doublesBlanks: Bool { (900..<1000).contains(version) }
  /// Whether the tables of the persistent history have the form that is known here (store-format,
  /// section 7); version 851 had another.
  package var hasKnownHistory: Bool { version >= 973 }
  /// Whether the order of the properties in the masks of changes is known.
  package var hasKnownProperties: Bool { hasKnownHistory && version <= Self.newest.version }
  /// Whether the metadata name the auto-vacuum level (store-format, section 1).
  package var keepsVacuumLevel: Bool { version >= 241 }
  /// Whether the metadata have a digest of the version hashes (store-format, section 1).
  package var keepsHashesDigest: Bool { version >= 973 }
  /// Whether the metadata have a checksum of the model (store-format, section 1).
  package var keepsModelChecksum: Bool { version >= 1321 }
  /// Whether the metadata name the newest framework that wrote the store (store-format, section 1).
  package var keepsMaximumVersion: Bool { version >= 1513 }

  private static let known: [(versions: ClosedRange<Int64>, systems: String)] = [
    (230...230, "Mac OS X 10.5 / iPhone OS 3"),
    (241...241, "iPhone OS 3"),
    (363...363, "Mac OS X 10.7 / iOS 5"),
    (419...419, "iOS 6"),
    (479...479, "iOS 7"),
    (519...519, "OS X 10.10 / iOS 8"),
    (637...641, "OS X 10.11 / iOS 9"),
    (752...754, "macOS 10.12 / iOS 10"),
    (836...851, "macOS 10.13 / iOS 11"),
    (865...866, "macOS 10.14 / iOS 12"),
    (973...973, "macOS 10.15 / iOS 13"),
    (977...977, "macOS 10.15.4 / iOS 13"),
    (1030...1048, "macOS 11 / iOS 14"),
    (1124...1152, "macOS 12 / iOS 15"),
    (1216...1251, "macOS 13 / iOS 16"),
    (1321...1348, "macOS 14 / iOS 17"),
    (1403...1448, "macOS 15 / iOS 18"),
    (1509...1526, "macOS 26 / iOS 26"),
  ]

  /// The systems, such as `macOS 14 / iOS 17`; for a version that was never seen, the systems
  /// before and after it, such as `after iOS 6, before iOS 7`.
  package var description: String {
    var before: String?
    for (versions, systems) in Self.known {
      if versions.contains(version) { return systems }
      if version < versions.lowerBound {
        return before.map { "after \($0), before \(systems)" } ?? "before \(systems)"
      }
      before = systems
    }
    return "after \(before ?? "")"
  }
}
