internal import CoreDataModel

/// Compares the index with the entries of the archive, and records each contradiction once.
///
/// Entries are matched by name, so that a lost, added or moved one does not make all that follow it wrong.
struct IndexComparison {
  /// The records of the index, in its order.
  let listed: [ArchiveIndex.Entry]
  /// The entries in the order in which they came; their attributes do not matter.
  let found: [ArchiveIndex.Entry]
  /// Whether order and places matter: false in a repacked archive.
  let hasPlaces: Bool
  let log: ProblemLog

  /// Records all contradictions: record by record, then unlisted entries, then moved ones.
  func run() throws(CofferError) {
    var matcher = EntryMatcher(found)
    var places = PlaceCheck()
    // The position of the record of each entry read, or nil.
    var records = [Int?](repeating: nil, count: found.count)
    for (position, record) in listed.enumerated() {
      switch matcher.match(record.name) {
      case .entry(let number):
        records[number] = position
        try compare(record, found[number], &places)
      case .missing:
        _ = places.accepts(record, nil)
        try log.note(
          .missingEntry, entry: record.name, "it is missing, although the index lists it")
      case .exhausted:
        _ = places.accepts(record, nil)
        try log.note(.indexMismatch, entry: record.name, "the index lists it twice")
      }
    }
    // A repeated entry was noted when it was read.
    for number in found.indices where records[number] == nil && !matcher.isLater(number) {
      try log.note(
        .unlistedEntry, entry: found[number].name, offset: place(of: found[number]),
        "the index does not list it")
    }
    if hasPlaces { try noteMoved(records) }
  }

  private func compare(
    _ record: ArchiveIndex.Entry, _ entry: ArchiveIndex.Entry, _ places: inout PlaceCheck
  ) throws(CofferError) {
    let hasRightPlace = places.accepts(record, entry)
    var kind = ArchiveProblem.Kind.indexMismatch
    let detail: String
    if record.digest != entry.digest {
      kind = .digestMismatch
      detail = "its content does not match its digest in the index"
    } else if record.size != entry.size {
      detail = "it has \(entry.size) bytes; the index says \(record.size)"
    } else if hasPlaces, !hasRightPlace {
      detail =
        "it takes \(entry.compressedSize) bytes at offset \(entry.offset); the index says "
        + "\(record.compressedSize) at offset \(record.offset)"
    } else {
      return
    }
    try log.note(kind, entry: entry.name, offset: place(of: entry), detail)
  }

  /// Records the smallest set of entries whose removal leaves the others in the order of the index.
  private func noteMoved(_ records: [Int?]) throws(CofferError) {
    let known = records.indices.filter { records[$0] != nil }
    let places = known.compactMap { records[$0].map(Int64.init) }
    if zip(places, places.dropFirst()).allSatisfy(<) { return }
    var inOrder = places.longestAscent[...]
    for position in known.indices {
      if inOrder.first == position {
        inOrder.removeFirst()
        continue
      }
      let entry = found[known[position]]
      try log.note(
        .misplacedEntry, entry: entry.name, offset: entry.offset,
        "it is not in the order of the index")
    }
  }

  private func place(of entry: ArchiveIndex.Entry) -> Int? { hasPlaces ? entry.offset : nil }
}

/// Finds the entry for each record of an index: of a doubled name the first for the first, and so on.
struct EntryMatcher {
  /// The result for a record.
  enum Match: Equatable {
    /// The entry with this number, counted as they came.
    case entry(Int)
    /// No entry of the name came.
    case missing
    /// Every entry of the name has a record already.
    case exhausted
  }

  /// The number of the next entry of each name; a nil inside where all have a record.
  private var waiting: [Name: Int?]
  /// The number of the next entry of the same name, for entries with one.
  private var following: [Int: Int] = [:]
  private let later: Set<Int>

  /// Takes the entries in the order in which they came.
  init(_ entries: [ArchiveIndex.Entry]) {
    waiting = Dictionary(minimumCapacity: entries.count)
    for (number, entry) in entries.enumerated().reversed() {
      if let next = waiting.updateValue(number, forKey: Name(entry.name)) {
        following[number] = next
      }
    }
    later = Set(following.values)
  }

  mutating func match(_ name: String) -> Match {
    guard let next = waiting[Name(name)] else { return .missing }
    guard let number = next else { return .exhausted }
    waiting.updateValue(following[number], forKey: Name(name))
    return .entry(number)
  }

  /// Whether an earlier entry has the same name as that one.
  func isLater(_ number: Int) -> Bool { later.contains(number) }
}

/// Checks the places that an index gives, record by record, so that one wrong number is one mistake.
///
/// A place is right if the entry is there, or if it is where the preceding records end: then it was
/// right when the index was written, and something before it was lost, added or changed.
struct PlaceCheck {
  /// The possible beginning of the next record in the archive file.
  private var starts = [0]

  /// Takes the next record of the index.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - entry: the entry with its name, or nil if there is none.
  /// - Returns: whether the offset and the compressed size of the record can be believed.
  mutating func accepts(_ record: ArchiveIndex.Entry, _ entry: ArchiveIndex.Entry?) -> Bool {
    let fits = starts.contains(record.offset) || record.offset == entry?.offset
    let begins = fits ? [record.offset] : [record.offset] + starts.prefix(1)
    var sizes = [record.compressedSize]
    if let entry, entry.compressedSize != record.compressedSize {
      sizes.append(entry.compressedSize)
    }
    starts = begins.flatMap { begin in sizes.map { begin &+ $0 } }
    return fits && sizes.count == 1
  }
}
