internal import CoreDataModel

/// The names of an archive's entries.
///
/// Names of entities and tables come from data: coffer never uses them as paths, and they must be
/// harmless if someone unpacks an archive with standard tools. So everything but letters, digits
/// and a few signs is written as `%` and two hexadecimal digits.
package enum ArchiveEntryName {
  /// The manifest, which comes first.
  package static let manifest = EntryName.manifest
  /// The managed object model.
  package static let model = "model.json"
  /// The definitions of the store's tables, indexes and triggers, and its settings.
  package static let schema = "store/schema.json"
  /// The meaning of each table and column.
  package static let layout = "store/layout.json"
  /// What was lost when a damaged store was exported; only in such archives.
  package static let salvage = "salvage.json"
  /// The index, which comes last.
  package static let index = EntryName.index

  /// The name of a part: five digits or more.
  package static func part(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// A name from data as a component of an entry's name.
  package static func component(_ name: String) -> String {
    PercentEncoding.encode(name) { byte in
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...0xff: true
      default: PercentEncoding.isAlphanumeric(byte)
      }
    }
  }

  /// The name that ``component(_:)`` turned into a component; nil for any other text.
  package static func decodedComponent(_ component: String) -> String? {
    let name = PercentEncoding.decode(component)
    return name.map(self.component) == component ? name : nil
  }
}
