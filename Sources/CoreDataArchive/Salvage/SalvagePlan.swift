internal import CoreDataModel

/// The intact entries to return, and the lost ones.
struct SalvagePlan {
  /// The index; nil if it is unreadable.
  private(set) var index: ArchiveIndex?
  /// The entries to be handed out, in the order of the format.
  private(set) var entries: [SalvagedEntry] = []
  private(set) var report: SalvageReport

  /// Decides.
  ///
  /// With an index, its name and digest define an entry, wherever it is. Without an index, the
  /// first one of each name counts.
  init(
    found: [SalvagedEntry], broken: [String], canBeUnverified: Bool, report: SalvageReport,
    donors: SalvageDonors, path: String, limits: ArchiveLimits
  ) throws(CofferError) {
    self.report = report
    let others = found.filter { $0.entry.name != EntryName.index }
    let indexes = found.filter { $0.entry.name == EntryName.index }
    let listing = try Self.listing(
      in: indexes, of: others, path: path, limits: limits, report: &self.report)
    if let known = listing?.index ?? donors.ownIndex {
      index = known
      self.report.hasIndex = true
      try take(others, listedBy: known, donors)
    } else if canBeUnverified {
      takeUnlisted(others, broken)
    }
  }

  /// The index that lists most of the entries; the others belong to archives within this one.
  private static func listing(
    in indexes: [SalvagedEntry], of others: [SalvagedEntry], path: String,
    limits: ArchiveLimits, report: inout SalvageReport
  ) throws(CofferError) -> IndexListing? {
    let digests = Dictionary(grouping: others) { Name($0.entry.name) }
      .mapValues { Set($0.map(\.entry.digest)) }
    var best: (listing: IndexListing, log: ProblemLog, score: Int)?
    for candidate in indexes {
      guard let json = candidate.indexContent else { continue }
      let log = ProblemLog(path: path, collects: true, limits: limits)
      guard let listing = try IndexListing.read(json, at: candidate.entry.offset, log) else {
        continue
      }
      let score = listing.index.entries.count {
        digests[Name($0.name)]?.contains($0.digest) == true
      }
      if score > (best?.score ?? (others.isEmpty ? -1 : 0)) { best = (listing, log, score) }
    }
    for problem in best?.log.problems ?? [] {
      report.note(problem.offset ?? 0, "\(EntryName.index): \(problem.detail)")
    }
    return best?.listing
  }

  private mutating func take(
    _ found: [SalvagedEntry], listedBy index: ArchiveIndex, _ donors: SalvageDonors
  ) throws(CofferError) {
    var byName = Dictionary(grouping: found) { Name($0.entry.name) }
    for record in index.entries {
      let candidates = byName.removeValue(forKey: Name(record.name)) ?? []
      let whole = candidates.first { $0.entry.digest == record.digest }
      if let whole {
        entries.append(whole)
      } else if let taken = try donors.entry(for: record) {
        entries.append(taken)
        if taken.storedName != nil { report.takenEntries.append(record.name) }
      } else if let altered = candidates.first(where: Self.canBeAltered) {
        entries.append(altered)
        report.alteredEntries.append(record.name)
      } else {
        report.lostEntries.append(.init(name: record.name, attributes: record.attributes))
      }
      for other in candidates.dropFirst() { note(other, "it occurs twice") }
    }
    for other in found where byName[Name(other.entry.name)] != nil {
      note(other, "the index does not list it")
    }
  }

  /// Whether an entry with another digest than the index says is worth a try: a document or lines, which can be
  /// checked by themselves, and of one piece.
  private static func canBeAltered(_ entry: SalvagedEntry) -> Bool {
    let name = entry.entry.name
    return entry.isOnePiece && (name.hasSuffix(".ndjson") || name.hasSuffix(".json"))
  }

  private mutating func note(_ entry: SalvagedEntry, _ detail: String) {
    report.note(entry.entry.offset, "\(entry.entry.name): \(detail)")
  }

  private mutating func takeUnlisted(_ found: [SalvagedEntry], _ broken: [String]) {
    var names: Set<Name> = []
    for entry in found {
      if names.insert(Name(entry.entry.name)).inserted {
        entries.append(entry)
      } else {
        note(entry, "it occurs twice")
      }
    }
    entries = SalvageOrder(entries.map(\.entry.name)).positions.map { entries[$0] }
    var lost = broken.names.subtracting(names).subtracting([Name(EntryName.index)])
    lost.formUnion(SalvageOrder.missingParts(names.union(lost)))
    let sorted = SalvageOrder(lost.map(\.text)).sorted
    report.lostEntries = sorted.map { .init(name: $0) }
  }
}

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
  /// - Returns: at most 100,000 names.
  static func missingParts(_ names: Set<Name>) -> Set<Name> {
    var numbers: [Substring: Set<Int>] = [:]
    for part in names.compactMap({ Part($0.text) }) {
      numbers[part.folder, default: []].insert(part.number)
    }
    var missing: Set<Name> = []
    for (folder, known) in numbers {
      guard let last = known.max() else { continue }
      for number in 0...min(last, 100_000) {
        let name = "\(folder)/\(ArchiveEntryName.part(number)).ndjson"
        if missing.count < 100_000, !names.contains(Name(name)) { missing.insert(Name(name)) }
      }
    }
    return missing
  }

  /// The parsed name of an entry of a part.
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
        guard let value = ArchiveEntryName.valueNumber(String(ending)) else { return nil }
        kind = 2
        self.value = value
      }
    }
  }
}
