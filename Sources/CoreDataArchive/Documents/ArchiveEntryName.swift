internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// The names of an archive's entries.
///
/// Names of entities and tables come from data: coffer never uses them as paths, and they must be
/// harmless if someone unpacks an archive with standard tools. So everything but letters, digits
/// and a few signs is written as `%` and two hexadecimal digits.
package enum ArchiveEntryName {
  /// The manifest, the first entry.
  package static let manifest = EntryName.manifest
  /// The managed object model.
  package static let model = "model.json"
  /// The definitions of the store's tables, indexes and triggers, and its settings.
  package static let schema = EntryName.schema
  /// The meaning of each table and column.
  package static let layout = EntryName.layout
  /// The losses of an export of a damaged store; only in such archives.
  package static let salvage = "salvage.json"
  /// The two states that a change file is between; only in such files.
  package static let changes = "changes.json"
  /// The folder of the findings that a plan fixes; only in change files that are plans.
  package static let repairs = "repairs"
  /// The index, the last entry.
  package static let index = EntryName.index

  /// The name of a part: five digits or more.
  package static func part(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  private static let valuePrefix: StaticString = "value-"
  /// The maximum number of digits of a value's number; a larger number could overflow.
  private static let maxDigits = 18

  /// The ending of the name of an entry that holds one value of a part: `value-0`.
  package static func value(_ number: Int) -> String { "\(valuePrefix)\(number)" }

  /// The number of a value whose entry has this ending; nil for any other text than ``value(_:)`` makes.
  package static func valueNumber(_ ending: UnsafeRawBufferPointer) -> Int? {
    let prefix = valuePrefix.utf8CodeUnitCount
    let digits = ending.count - prefix
    guard (1...maxDigits).contains(digits), let start = ending.baseAddress,
      unsafe memcmp(start, valuePrefix.utf8Start, prefix) == 0,
      unsafe digits == 1 || ending[prefix] != UInt8(ascii: "0")
    else { return nil }
    var number = 0
    for place in prefix..<ending.count {
      let digit = unsafe ending[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// The number of a value whose entry has this ending; nil for any other text than ``value(_:)`` makes.
  package static func valueNumber(_ ending: String) -> Int? {
    var ending = ending
    return ending.withUTF8 { unsafe valueNumber(UnsafeRawBufferPointer($0)) }
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

/// The names of the entries that hold files of the support folder and of the folders next to it.
///
/// A file of external binary data has the name that objects refer to (`external/UUID`). Any other
/// file of the support folder has its path (`support/…`), and one of a ``CompanionFolder`` the
/// place of the folder and its path in it (`beside/…`). Each component is encoded so that it can
/// only be a name.
package enum ExternalEntryName {
  private static let dataFolder = "_EXTERNAL_DATA"

  /// The name of the entry for a file, given the components of its path from the support folder.
  package static func entry(for components: [String]) -> String {
    let encoded = components.map(ArchiveEntryName.component)
    if components.count == 2, components[0] == dataFolder { return "external/" + encoded[1] }
    if CompanionFolder.of(components) != nil {
      return "beside/" + encoded.dropFirst().joined(separator: "/")
    }
    return "support/" + encoded.joined(separator: "/")
  }

  /// The folders of a change file with the files before and after the changes.
  private static func folder(isAfter: Bool) -> String { isAfter ? "after/" : "before/" }

  /// The name of the entry in a change file for a file before or after.
  package static func change(to components: [String], isAfter: Bool) -> String {
    folder(isAfter: isAfter) + entry(for: components)
  }

  /// The components of the path of a file, and whether the entry holds its content after the
  /// changes; nil if it is not the entry of a file in a change file.
  package static func change(of entry: String) -> (components: [String], isAfter: Bool)? {
    for isAfter in [false, true] {
      let folder = folder(isAfter: isAfter)
      guard entry.utf8.starts(with: folder.utf8) else { continue }
      let name = String(decoding: entry.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
      return components(of: name).map { ($0, isAfter) }
    }
    return nil
  }

  /// Whether an entry of a change file is in one of the folders of files, so that it must be one.
  package static func isChange(_ entry: String) -> Bool {
    [false, true].contains { entry.utf8.starts(with: folder(isAfter: $0).utf8) }
  }

  /// Whether an entry is in one of the folders of files, so that it must be one.
  package static func isFile(_ entry: String) -> Bool {
    ["external/", "support/", "beside/"].contains { entry.utf8.starts(with: $0.utf8) }
  }

  /// The components of the path of an entry; nil if it is not the entry of a file, or not a valid
  /// one, as one below too many folders.
  package static func components(of entry: String) -> [String]? {
    // Compare bytes: in Swift, a slash followed by a combining accent is not a slash.
    let parts = entry.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 2 else { return nil }
    var components: [String]
    switch parts[0] {
    case "external": components = [dataFolder]
    case "support": components = []
    case "beside": components = [CompanionFolder.parent]
    default: return nil
    }
    for part in parts.dropFirst() {
      guard let name = ArchiveEntryName.decodedComponent(part), !name.isEmpty, name != ".",
        name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
        name.utf8.count <= 255
      else { return nil }
      components.append(name)
    }
    let levels = components.count - 1 - (parts[0] == "beside" ? 2 : 0)
    guard levels <= CompanionFolder.maxLevels else { return nil }
    // Files of one folder are not in the other.
    return self.entry(for: components) == entry ? components : nil
  }
}

/// The keys of a line that are not names of properties.
package enum LineKey {
  /// The name as a key: if a name begins with `$`, another `$` is put before it, to distinguish it
  /// from the keys here.
  package static func escaped(_ name: String) -> String {
    name.hasPrefix("$") ? "$" + name : name
  }

  /// The name of a key from ``escaped(_:)``, or nil for one of the keys here.
  package static func name(of key: String) -> String? {
    guard key.hasPrefix("$") else { return key }
    return key.hasPrefix("$$") ? String(key.dropFirst()) : nil
  }
}

/// The name of an entry with rows, or with values of rows: `entities/Person/00003.ndjson`.
package struct NumberedEntryName: Sendable, Equatable {
  /// The folder of the table.
  package var folder: String
  /// The number of the part.
  package var number: Int
  /// The suffix after the number and a dot: `ndjson`, `blobs`, `value-0`.
  package var ending: String

  /// Creates a name.
  package init(folder: String, number: Int, ending: String) {
    self.folder = folder
    self.number = number
    self.ending = ending
  }

  /// Parses a name; nil for the name of any other entry.
  package init?(_ name: String) {
    guard !ExternalEntryName.isFile(name), let slash = name.lastIndex(of: "/"),
      let dot = name[slash...].firstIndex(of: "."),
      let number = Int(name[name.index(after: slash)..<dot])
    else { return nil }
    self.init(
      folder: String(name[..<slash]), number: number,
      ending: String(name[name.index(after: dot)...]))
    guard text.hasSameBytes(as: name) else { return nil }
  }

  /// The name.
  package var text: String { "\(folder)/\(ArchiveEntryName.part(number)).\(ending)" }

  /// Whether the tar header is a separate member, so that a later part can be compressed before its
  /// number is known.
  package var hasHeaderApart: Bool { number > 0 }
}
