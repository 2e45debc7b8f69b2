internal import CoreDataModel

/// The order of the format for entries without an index: documents, tables in the order of their
/// appearance, their parts by number, then everything else.
struct SalvageOrder {
  /// The place of an entry among the others.
  private struct Key: Comparable {
    var group: Int
    var part = 0
    var kind = 0
    var value = 0
    var position: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.group, left.part, left.kind, left.value, left.position)
        < (right.group, right.part, right.kind, right.value, right.position)
    }
  }

  private let names: [String]
  /// The positions of the names in their order.
  let positions: [Int]

  /// The names in their order.
  var sorted: [String] { positions.map { names[$0] } }

  /// Orders names.
  init(_ names: [String]) {
    self.names = names
    var groups: [Substring: Int] = [:]
    let keys = names.enumerated().map { position, name -> Key in
      if let document = Self.documents.firstIndex(of: name) {
        return Key(group: -Self.documents.count + document, position: position)
      }
      guard let part = Part(name) else { return Key(group: .max, position: position) }
      let group = groups[part.folder] ?? groups.count
      groups[part.folder] = group
      return Key(
        group: group, part: part.number, kind: part.kind, value: part.value, position: position)
    }
    positions = keys.sorted().map(\.position)
  }

  private static let documents = [
    ArchiveEntryName.manifest, ArchiveEntryName.model, ArchiveEntryName.schema,
    ArchiveEntryName.layout,
  ]

  /// The lines that must have been there since other entries of their tables are: parts are numbered without
  /// gaps, and each has lines.
  ///
  /// - Parameter names: the names that are known.
  /// - Returns: at most 100,000 names.
  static func missingParts(_ names: Set<ExactString>) -> Set<ExactString> {
    var numbers: [Substring: Set<Int>] = [:]
    for part in names.compactMap({ Part($0.text) }) {
      numbers[part.folder, default: []].insert(part.number)
    }
    var missing: Set<ExactString> = []
    for (folder, known) in numbers {
      guard let last = known.max() else { continue }
      for number in 0...min(last, 100_000) {
        let name = "\(folder)/\(ArchiveEntryName.part(number)).ndjson"
        if missing.count < 100_000, !names.contains(name) { missing.insert(name) }
      }
    }
    return missing
  }

  /// The name of an entry of a part, taken apart.
  private struct Part {
    var folder: Substring
    var number: Int
    var kind: Int
    var value = 0

    init?(_ name: String) {
      guard let slash = name.lastIndex(of: "/"), let dot = name.lastIndex(of: "."), slash < dot,
        let number = Int(name[name.index(after: slash)..<dot]), number >= 0
      else { return nil }
      folder = name[..<slash]
      self.number = number
      let ending = name[name.index(after: dot)...]
      switch ending {
      case "blobs": kind = 0
      case "ndjson": kind = 1
      default:
        guard ending.hasPrefix("value-"), let value = Int(ending.dropFirst(6)) else { return nil }
        kind = 2
        self.value = value
      }
    }
  }
}
