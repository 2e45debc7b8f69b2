/// The parsed name of a part's entry, such as `entities/Person/00003.ndjson`.
package struct PartEntryName: Equatable {
  /// The folder, such as `entities/Person`.
  package let folder: String
  /// The folder and the number of the part, such as `entities/Person/00003`.
  let stem: String
  /// The content of the entry: `ndjson`, `blobs`, `value-0`.
  let ending: String

  /// Whether the entry contains lines.
  package var isLines: Bool { ending == "ndjson" }
  /// Whether the entry contains out-of-line values.
  var isBlobs: Bool { ending == "blobs" }

  /// Parses a name; nil if it has no folder or no ending.
  package init?(_ name: String) {
    guard let slash = name.lastIndex(of: "/"), let dot = name.lastIndex(of: "."), slash < dot
    else { return nil }
    folder = String(name[..<slash])
    stem = String(name[..<dot])
    ending = String(name[name.index(after: dot)...])
  }
}
