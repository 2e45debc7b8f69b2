internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// The parts of an earlier archive that the archive of the current state shares, by the pages of the store.
///
/// Parts without a row that may differ are neither read nor compared. The end of a part depends only on its last
/// row, unless the part was full: so a stretch of parts to read has to end with such a row, unchanged, or with
/// the table.
struct KeptParts {
  /// A table whose parts are known.
  struct Table: Equatable {
    var segments: [TableSegment] = []
    /// The parts of the earlier state in each stretch.
    var old: [Range<Int>] = []
  }

  /// When reading parts pays.
  struct Rule {
    /// The bytes of lines, or of blobs, at which a part is full.
    var partSize: Int
    /// At most one in this many parts is read selectively; with more, several threads that read everything
    /// are faster.
    var largestShare: Int
    /// Whether parts with rows that refer to external files have to be read, to find out which files are missing.
    var readsReferences = true
  }

  let base: StateFile
  /// By name, the tables whose rows need not all be read.
  private(set) var tables: [Name: Table] = [:]
  /// Whether no row has to be read.
  let isComplete: Bool

  /// Finds the parts; nil if most of the store has to be read.
  init?(
    _ news: LeafComparison, since base: StateFile, _ sources: [TableSource], _ rule: Rule,
    columns: (TableLayout) -> [Int]
  ) {
    self.base = base
    var (all, toRead, isComplete) = (0, 0, true)
    for source in sources {
      let name = Name(source.shape.storedName)
      let parts = base.description.tables.first { $0.name == name }?.parts ?? []
      let size = parts.reduce(0) { $0 &+ $1.byteCount }
      all += size
      guard let found = news.news[Name(source.plan.table)],
        let table = Self.table(parts, found, source, columns(source.shape), rule)
      else {
        toRead += size
        isComplete = false
        continue
      }
      tables[name] = table
      for (segment, old) in zip(table.segments, table.old) {
        guard case .read = segment else { continue }
        toRead += parts[old].reduce(0) { $0 &+ $1.byteCount }
        isComplete = false
      }
    }
    self.isComplete = isComplete
    guard !tables.isEmpty, toRead <= all / rule.largestShare else { return nil }
  }

  /// The stretches of a table; nil if all its rows have to be read.
  private static func table(
    _ parts: [StatePart], _ news: LeafComparison.News, _ source: TableSource, _ columns: [Int],
    _ rule: Rule
  ) -> Table? {
    guard parts.allSatisfy({ !$0.entries.isEmpty }) else { return nil }
    switch news {
    case .anything: return nil
    case .nothing:
      if rule.readsReferences, parts.contains(where: \.refersToFiles) {
        return isNumbered(source, columns) ? table(parts, [], rule) : nil
      }
      return Table(segments: [.kept(parts.map { $0.kept(hasKey: false) })], old: [parts.indices])
    case .rows(let ranges):
      return isNumbered(source, columns) ? table(parts, ranges, rule) : nil
    }
  }

  /// Whether the first integer of a record is the number of its row.
  static func isNumbered(_ source: TableSource, _ columns: [Int]) -> Bool {
    guard let number = source.plan.rowNumberColumn, let first = columns.first else { return false }
    let column = first == source.shape.fields.count ? Int(number) : first
    return column == Int(number)
  }

  /// Finds the stretches of a table whose rows have numbers; nil if the parts are not in their order.
  static func table(
    _ parts: [StatePart], _ ranges: [ClosedRange<Int64>], _ rule: Rule
  ) -> Table? {
    let keys = parts.compactMap(\.keys)
    guard keys.count == parts.count,
      zip(keys, keys.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound })
    else { return nil }
    if parts.isEmpty {
      return ranges.isEmpty
        ? Table(segments: [.kept([])], old: [0..<0])
        : Table(segments: [.read(RowRange())], old: [0..<0])
    }
    let last = parts.count - 1
    var isRead = parts.map { rule.readsReferences && $0.refersToFiles }
    var next = 0
    for (number, key) in keys.enumerated() {
      // New rows between two parts belong to the second part, and rows after the last part to that part.
      let low = number == 0 ? Int64.min : keys[number - 1].upperBound + 1
      let high = number == last ? Int64.max : key.upperBound
      while next < ranges.count, ranges[next].upperBound < low { next += 1 }
      if next < ranges.count, ranges[next].lowerBound <= high { isRead[number] = true }
      // The old end of this part may no longer end a part.
      let endMayDiffer =
        ranges[next...].prefix { $0.lowerBound <= high }.last?.contains(high) ?? false
      if isRead[number], number < last, endMayDiffer || !parts[number].endsByItsRow(rule.partSize) {
        isRead[number + 1] = true
      }
    }
    var table = Table()
    var start = 0
    while start < parts.count {
      let end = isRead[start...].firstIndex { $0 != isRead[start] } ?? parts.count
      table.old.append(start..<end)
      table.segments.append(
        isRead[start]
          ? .read(
            RowRange(
              before: start == 0 ? nil : [keys[start - 1].upperBound],
              last: end == parts.count ? nil : [keys[end - 1].upperBound]))
          : .kept(parts[start..<end].map { $0.kept(hasKey: true) }))
      start = end
    }
    return table
  }
}

extension StatePart {
  /// Whether it ended because of its last row, and not because it was full; also true of the last part.
  fileprivate func endsByItsRow(_ partSize: Int) -> Bool {
    entries.allSatisfy { !["ndjson", "blobs"].contains($0.ending) || $0.size < partSize }
  }

  /// The part as one that is not read.
  fileprivate func kept(hasKey: Bool) -> KeptPart {
    KeptPart(entries: entries, rowCount: rowCount, firstKey: hasKey ? keys?.lowerBound : nil)
  }
}
