internal import CoreDataModel

/// The names of an archive's entries.
///
/// Names of entities and tables come from data: they are never used as paths, and whoever unpacks an
/// archive with stock tools must not be surprised either. So everything but letters, digits and a few
/// signs is written as `%` and two hexadecimal digits.
package enum ArchiveEntryName {
  /// What the archive is, which comes first.
  package static let manifest = EntryName.manifest
  /// The managed object model.
  package static let model = "model.json"
  /// The definitions of the store's tables, indexes and triggers, and its settings.
  package static let schema = "store/schema.json"
  /// What each table and column means.
  package static let layout = "store/layout.json"
  /// What was lost when a damaged store was exported; only such an archive has it.
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
