internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Checks the structure of an archive: the contradictions that its reader met, and whether the
/// index matches the content of the entries.
struct ArchiveAudit {
  /// The shared state of the verification's checks.
  let context: VerificationContext
  /// The names and attributes of the parts that were read.
  private var contents = PackedEntries()
  private var lastTable = -1
  private var nextParts: [Name: Int] = [:]

  init(_ context: VerificationContext) { self.context = context }

  /// Records the content of a part.
  mutating func add(_ attributes: ArchiveEntryAttributes, of entry: String) {
    contents.append(attributes, of: entry)
  }

  /// Checks that a table comes in the right order.
  mutating func begin(_ table: VerifiedTable, entry: String) throws {
    if table.index < lastTable {
      try report(
        .archiveWrongOrder, table,
        "\(entry): its table must come before the table of the preceding entry")
    }
    lastTable = max(lastTable, table.index)
  }

  mutating func begin(_ part: PartEntryName, of table: VerifiedTable) throws {
    let expected = nextParts[Name(part.folder)] ?? 0
    guard let number = Int(part.stem.dropFirst(part.folder.utf8.count + 1)) else { return }
    if number > expected {
      let missing = "\(part.folder)/\(ArchiveEntryName.part(expected)).ndjson"
      try report(.archiveMissingEntry, table, "\(missing): the numbering of parts has a gap")
    }
    nextParts[Name(part.folder)] = max(expected, number &+ 1)
  }

  /// Reports the contradictions that the reader met, and compares the index with the entries.
  func finish(_ reader: ArchiveReader) throws {
    for problem in reader.problems {
      let place = problem.entry.map { "\($0): " } ?? ""
      try context.report(Self.code(of: problem.kind), detail: place + problem.detail)
    }
    for seen in contents {
      guard let listed = reader.index?[seen.name]?.attributes, listed != seen.attributes else {
        continue
      }
      try context.report(
        .archiveCountMismatch,
        detail:
          "\(seen.name): it contains \(Self.text(seen.attributes)); the index says \(Self.text(listed))"
      )
    }
  }

  private func report(_ code: FindingCode, _ table: VerifiedTable, _ detail: String) throws {
    try context.report(code, entityName: table.shape.entityName, detail: detail)
  }

  private static func code(of kind: ArchiveProblem.Kind) -> FindingCode {
    switch kind {
    case .digestMismatch: .archiveDigestMismatch
    case .rootDigestMismatch: .archiveRootDigestMismatch
    case .contentDigestMismatch: .archiveContentDigestMismatch
    case .indexMismatch, .unreadableIndex, .footerMismatch: .archiveIndexMismatch
    case .missingEntry: .archiveMissingEntry
    case .unlistedEntry: .archiveUnlistedEntry
    case .duplicateEntry: .archiveDuplicateEntry
    case .misplacedEntry: .archiveWrongOrder
    }
  }

  /// The content of an entry, in words.
  private static func text(_ attributes: ArchiveEntryAttributes) -> String {
    if let rows = attributes.rows { return "\(rows) rows" }
    var parts = attributes.objects.map {
      "\($0.count) of \($0.entity.isEmpty ? "no entity" : $0.entity)"
    }
    if let first = attributes.firstKey, let last = attributes.lastKey {
      parts.append("keys from \(first) to \(last)")
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
