/// The name of a part's entry, taken apart: `entities/Person/00003.ndjson`.
struct PartEntryName: Equatable {
  /// The folder, such as `entities/Person`.
  let folder: String
  /// The folder and the number of the part, such as `entities/Person/00003`.
  let stem: String
  /// What the entry holds: `ndjson`, `blobs`, `value-0`.
  let ending: String

  /// Whether the entry holds lines.
  var isLines: Bool { ending == "ndjson" }
  /// Whether the entry holds values out of line.
  var isBlobs: Bool { ending == "blobs" }

  /// Takes a name apart; nil where it has no folder or no ending.
  init?(_ name: String) {
    guard let slash = name.lastIndex(of: "/"), let dot = name.lastIndex(of: "."), slash < dot
    else { return nil }
    folder = String(name[..<slash])
    stem = String(name[..<dot])
    ending = String(name[name.index(after: dot)...])
  }
}
