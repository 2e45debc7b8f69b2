internal import CofferKit
internal import Foundation
internal import TestSupport

/// The expected result for a damaged archive, from the undamaged archive and the names of the lost entries.
struct SalvageOracle {
  /// The documents that a store needs.
  static let needed: Set = ["store/schema.json", "store/layout.json"]

  let subject: SalvageSubject
  let lost: Set<String>

  /// Whether a store can come at all.
  var isHopeless: Bool { !lost.isDisjoint(with: Self.needed) }

  /// The number of objects in the lost lines.
  var lostObjects: Int {
    subject.index.entries.filter { lost.contains($0.name) }
      .reduce(0) { $0 + $1.attributes.objects.reduce(0) { $0 + $1.count } }
  }

  /// The archive of the undamaged parts, and the number of values removed from its lines.
  func archiveOfTheRest() throws -> (archive: ArchiveRewriter, lostValues: Int) {
    var archive = subject.contents
    var count = 0
    for name in lost where !Self.isDocument(name) { try archive.remove(name) }
    for position in archive.entries.indices {
      guard archive.entries[position].name.hasSuffix(".ndjson") else { continue }
      let stem = archive.entries[position].name.dropLast(7)
      if lost.contains("\(stem).blobs") {
        count += Self.remove(#"[0-9]+"#, from: &archive.entries[position].text)
      }
      for value in lost where value.hasPrefix("\(stem).value-") {
        let name = value.dropFirst(stem.count + 1)
        count += Self.remove("\"\(name)\"", from: &archive.entries[position].text)
      }
    }
    return (archive, count)
  }

  /// The tables that are rebuilt, so they differ from before.
  var rebuiltTables: Set<String> {
    Set(
      ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].filter { table in
        lost.contains { $0.hasPrefix("store/\(table)/") }
      })
  }

  private static func isDocument(_ name: String) -> Bool {
    needed.contains(name) || ["manifest.json", "model.json"].contains(name)
  }

  /// Removes the members that refer to some place, and counts them.
  private static func remove(_ place: String, from text: inout String) -> Int {
    let pattern = #""[^"]+":\{"\$(bytes|blob|text)":\["# + place + #",[0-9]+\]\}"#
    var count = 0
    while let range = text.range(of: ",?" + pattern, options: .regularExpression) {
      text.removeSubrange(range)
      count += 1
    }
    text = text.replacingOccurrences(of: "{,", with: "{")
    return count
  }
}
