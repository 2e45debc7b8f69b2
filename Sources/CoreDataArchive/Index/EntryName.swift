package import CoreDataModel

/// The rules for the name of an entry.
///
/// If you unpack the archive with standard tools, the name becomes a path. So it is relative, stays
/// in its folder, and has no characters that a terminal interprets.
enum EntryName {
  static let index = "index.json"
  static let manifest = "manifest.json"
  /// The names of the documents in the folder of the system tables.
  static let (schema, layout) = ("store/schema.json", "store/layout.json")

  /// Whether an entry has content of the store: everything in a folder but two documents.
  static func isContent(_ name: String) -> Bool {
    name.utf8.contains(0x2f) && name != schema && name != layout
  }

  /// The reason why a text cannot be the name of an entry, or nil if it can.
  static func problem(with name: String) -> String? {
    if name.isEmpty { return "an entry without a name" }
    if name.utf8.count > ArchiveLimits.nameSize {
      return "an entry name is longer than \(ArchiveLimits.nameSize) bytes"
    }
    if name.utf8.first == 0x2f { return "an entry name is an absolute path" }
    if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      return "an entry name contains control characters"
    }
    for part in name.utf8.split(separator: 0x2f, omittingEmptySubsequences: false) {
      if part.isEmpty { return "an entry name contains an empty component" }
      if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
        return "an entry name contains the component . or .."
      }
    }
    return nil
  }

  /// A name as a stock tar may have written it, without the prefixes `./`.
  static func normalized(_ name: String) -> String {
    var rest = name[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(rest)
  }
}

/// The properties of an entry in the index besides its name, place and digest.
package struct ArchiveEntryAttributes: Sendable, Equatable {
  /// The number of managed objects of each entity in the entry, in the order in which they are
  /// written.
  package var objects: [(entity: Name, count: Int)]
  /// The count of rows of an entry that holds no managed objects, or nil.
  package var rows: Int?
  /// The smallest primary key in the entry, or nil.
  package var firstKey: Int64?
  /// The largest primary key in the entry, or nil.
  package var lastKey: Int64?

  /// Creates attributes; without arguments the index says nothing more.
  package init(
    objects: [(entity: Name, count: Int)] = [], rows: Int? = nil, firstKey: Int64? = nil,
    lastKey: Int64? = nil
  ) {
    self.objects = objects
    self.rows = rows
    self.firstKey = firstKey
    self.lastKey = lastKey
  }

  /// Whether two entries' attributes are the same, the order and the bytes of the names included.
  package static func == (left: Self, right: Self) -> Bool {
    left.rows == right.rows && left.firstKey == right.firstKey && left.lastKey == right.lastKey
      && left.objects.elementsEqual(right.objects) { one, other in
        one.count == other.count && one.entity == other.entity
      }
  }
}
