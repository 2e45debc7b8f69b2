internal import CoreDataArchive
internal import TestSupport

/// Something wrong with an archive itself, and the findings that it leads to.
struct ArchiveDamage: Sendable, CustomStringConvertible {
  /// The name, for the report of a test.
  let description: String
  /// The findings, each as `severity code place`.
  let findings: [String]
  /// What of the index is brought up to date after the change.
  let recomputed: ArchiveRewriter.Recomputed
  /// The change.
  let change: @Sendable (inout ArchiveRewriter) throws -> Void

  init(
    _ name: String, _ findings: String...,
    recomputing recomputed: ArchiveRewriter.Recomputed = .all,
    _ change: @escaping @Sendable (inout ArchiveRewriter) throws -> Void
  ) {
    description = name
    self.findings = findings
    self.recomputed = recomputed
    self.change = change
  }

  private static let tags = "entities/TagEntity/00000.ndjson"
  private static let people = "entities/PersonEntity/00000.ndjson"

  static let all = [
    ArchiveDamage(
      "content with an old digest", "error archive-digest-mismatch", recomputing: .none
    ) { archive in
      try archive.changeText(of: tags) { $0.replace("\"home\"", with: "\"Home\"") }
    },
    ArchiveDamage(
      "root digest", "error archive-root-digest-mismatch", recomputing: .none
    ) { archive in
      archive.digests.root = archive.records[0].digest
    },
    ArchiveDamage(
      "content digest", "error archive-content-digest-mismatch", recomputing: .none
    ) { archive in
      archive.digests.content = archive.records[0].digest
    },
    ArchiveDamage("part that ends too early", "info archive-unusual-parts TagEntity") { archive in
      var rest: [String] = []
      try archive.changeLines(of: tags) { rest = [$0.removeLast()] }
      let entry = ArchiveRewriter.Entry("entities/TagEntity/00001.ndjson", text: "\(rest[0])\n")
      try archive.insert(entry, at: try archive.position(of: tags) + 1)
    },
    ArchiveDamage("part that goes on", "info archive-unusual-parts TagEntity") { archive in
      // The rule ends a part after an object with the key 3 and 59,481 bytes.
      try archive.changeLines(of: tags) { lines in
        let later = String(repeating: "x", count: 60_000)
        lines[2] = "\(lines[2].dropLast()),\"later\":\"\(later)\"}"
      }
    },
    ArchiveDamage("size in the index", "error archive-index-mismatch", recomputing: .none) {
      $0.records[2].size += 1
    },
    ArchiveDamage("footer", "error archive-index-mismatch") { $0.footerOffset = 0 },
    ArchiveDamage(
      "index that is none", "error archive-index-mismatch"
    ) { $0.changeIndex = { $0 + "}" } },
    ArchiveDamage(
      "one object more in the index", "error archive-count-mismatch",
      recomputing: [.digests, .sizes, .places, .rootDigest]
    ) { archive in
      try archive.changeRecord(of: tags) { $0.attributes.objects[0].count += 1 }
    },
    ArchiveDamage(
      "line removed", "error archive-count-mismatch", "error dangling-pair TodoEntity/p1.tags",
      recomputing: [.digests, .sizes, .places, .rootDigest]
    ) { archive in
      try archive.changeLines(of: tags) { $0.remove(at: 0) }
    },
    ArchiveDamage("entry added", "error archive-unlisted-entry") { archive in
      archive.entries.insert(.init("entities/TagEntity/notes.txt", text: "?"), at: 8)
    },
    ArchiveDamage("entry twice", "error archive-duplicate-entry") { archive in
      let position = try archive.position(of: tags)
      archive.entries.insert(archive.entries[position], at: position + 1)
    },
    ArchiveDamage(
      "external file missing from the archive", "error archive-missing-entry",
      "error missing-external-data AttachmentEntity/p4.content"
    ) { archive in
      archive.entries.removeAll { $0.name.hasSuffix("0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1") }
    },
    ArchiveDamage(
      "parts of a table apart", "error archive-wrong-order VisitEntity",
      "error archive-wrong-order VisitEntity"
    ) { archive in
      let line = "{\"$pk\":6,\"$opt\":1,\"arrival\":\"2025-01-01T00:00:00Z\"}\n"
      let entry = ArchiveRewriter.Entry("entities/VisitEntity/00001.ndjson", text: line)
      try archive.insert(entry, at: archive.entries.count)
    },
    ArchiveDamage(
      "lines swapped", "error archive-wrong-order TagEntity/p1"
    ) { archive in
      try archive.changeLines(of: tags) { $0.swapAt(0, 1) }
    },
    ArchiveDamage(
      "line that is none", "error archive-invalid-line TagEntity", "error archive-count-mismatch"
    ) { archive in
      try archive.changeLines(of: tags) { $0.append("{\"$pk\":8,") }
    },
    ArchiveDamage("line twice", "error duplicate-object TagEntity/p7") { archive in
      try archive.changeLines(of: tags) { $0.append($0[6]) }
    },
  ]
}
