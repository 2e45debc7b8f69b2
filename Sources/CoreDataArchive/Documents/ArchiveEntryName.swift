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
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
          0x80...0xff:
          true
        default: false
        }
      if isPlain { bytes.append(byte) } else { bytes += percentEncoded(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name that ``component(_:)`` turned into a component; nil for any other text.
  package static func decodedComponent(_ component: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(component.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let name = String(validating: bytes, as: UTF8.self), self.component(name) == component
    else { return nil }
    return name
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
