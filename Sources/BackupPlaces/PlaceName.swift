package import CoreDataModel

/// The rules for names of files in a place, the same for all: what one place takes, another takes too.
package enum PlaceName {
  /// The greatest length of a name, which object stores set, in UTF-8.
  package static let greatestLength = 1024
  /// The greatest length of a part between slashes, which file systems set, in UTF-8.
  package static let greatestPartLength = 255
  /// What the names of incomplete files begin with; no other name does.
  static let partialPrefix = ".coffer-partial-"

  /// Whether a text can be a name: parts with `/` in between that are not empty, `.` or `..`, without
  /// control characters, and not too long.
  package static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= greatestLength else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty && part.count <= greatestPartLength && !part.elementsEqual(".".utf8)
          && !part.elementsEqual("..".utf8) && !part.starts(with: partialPrefix.utf8)
          && part.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      }
  }

  /// Checks a name.
  ///
  /// - Throws: `invalid-entry-name`.
  package static func check(_ name: String, at address: String) throws(CofferError) {
    guard !isValid(name) else { return }
    throw CofferError(
      .invalidEntryName, path: address, item: name,
      detail: "a file there cannot have this name")
  }

  /// Whether one name comes before another in the order of their UTF-8 bytes.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
