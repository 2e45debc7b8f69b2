internal import CoreDataModel
internal import CoreDataStore

/// Reads the rows of a damaged table by their numbers, from both ends of every stretch that can be
/// read, and looks for such stretches between those that cannot.
///
/// Damage can make SQLite show rows out of order, again and again, or of another table: row numbers
/// must ascend strictly, and what does not ends a stretch. Not to be used outside of the blocks of
/// both connections.
final class KeyedScan {
  /// The maximum number of places to try.
  private static let probeLimit = 1 << 17
  /// The width of the first pieces of a split range; each further piece is twice as wide.
  private static let firstPiece = 1 << 12
  /// How often a piece is halved.
  private static let depthLimit = 12

  private let table: SalvagedTable
  private let transfer: RowTransfer
  private let upward: SQLiteStatement
  private let downward: SQLiteStatement
  private let probeUpward: SQLiteStatement
  private let probeDownward: SQLiteStatement
  private let unordered: SQLiteStatement
  private let checkpoint: () throws -> Void

  /// The row numbers that may or may not have had rows.
  private(set) var gaps: [KeyRange] = []
  private(set) var unreadable: [KeyRange] = []
  /// Whether rows were shown that cannot be of the table.
  private(set) var hasStrangers = false
  private var isMisordered = false
  private var suspects: [KeyRange] = []
  /// The row numbers between a damaged row and the next one, where that is not the damaged one.
  private var skipped: [KeyRange] = []
  private var probeCount = 0

  /// Prepares a scan.
  ///
  /// The checkpoint is called now and then, and its error ends the scan.
  init(
    _ table: SalvagedTable, _ transfer: RowTransfer, _ source: SQLiteDatabase,
    checkpoint: @escaping () throws -> Void
  ) throws(CofferError) {
    self.table = table
    self.transfer = transfer
    self.checkpoint = checkpoint
    let key = table.rowNumber ?? "rowid"
    let range = "WHERE \(key) >= ?1 AND \(key) <= ?2 ORDER BY \(key)"
    upward = try source.prepare(table.selection("NOT INDEXED", range))
    downward = try source.prepare(table.selection("NOT INDEXED", range + " DESC"))
    unordered = try source.prepare(table.selection("NOT INDEXED", ""))
    let probe = "SELECT \(key) FROM \(quotedIdentifier(table.schema.name)) NOT INDEXED \(range)"
    probeUpward = try source.prepare(probe + " LIMIT 1")
    probeDownward = try source.prepare(probe + " DESC LIMIT 1")
  }

  /// Reads all that can be read.
  ///
  /// - Throws: ``CofferError`` for anything but damage; errors of the checkpoint.
  func run() throws {
    suspects = [KeyRange.all]
    var rest: [KeyRange] = []
    while let range = suspects.popLast() {
      guard let above = try scan(range, .upward) else { continue }
      if let between = try scan(above, .downward) { rest.append(between) }
    }
    if isMisordered { try sweep() }
    try exploreBetween((rest + skipped).map(bounded))
    gaps = KeyRange.joined(gaps)
  }

  private enum Direction {
    case upward, downward
  }

  /// How the reading of a stretch ended.
  private enum Ending {
    /// No row is left.
    case end
    /// A page cannot be read.
    case damage
    /// A row that cannot be one of the table.
    case stranger
    /// A row number that is out of order.
    case misplaced(Int64)
  }

  // MARK: - Stretches

  /// Reads a range from one end; returns the rest of the range, or nil if there is none.
  private func scan(_ range: KeyRange, _ direction: Direction) throws -> KeyRange? {
    var rest: KeyRange? = range
    while let current = rest {
      let ending =
        direction == .upward
        ? try read(upward, &rest, direction) : try read(downward, &rest, direction)
      switch ending {
      case .end:
        // Where rows are out of order or belong to another table, an empty result may be wrong.
        let isOpen = direction == .upward ? current.last == .max : current.first == .min
        return (isMisordered || hasStrangers) && !isOpen ? rest : nil
      case .stranger:
        hasStrangers = true
        return rest
      case .misplaced(let key):
        try noteMisplaced(key)
        return rest
      case .damage:
        guard let left = rest else { return nil }
        guard let key = try probe(left, direction), left.contains(key) else { return left }
        let lost = transfer.lostValues.count
        let passed = direction == .upward ? left.below(key) : left.above(key)
        if try !transfer.carryValues(of: key) {
          unreadable.append(KeyRange(only: key))
        } else if let passed, transfer.lostValues.count == lost {
          // The row is whole: damaged is one before it, which shows a number that is not its own.
          isMisordered = true
          skipped.append(passed)
        }
        rest = direction == .upward ? left.above(key) : left.below(key)
      }
      try checkpoint()
    }
    return nil
  }

  private func read(
    _ statement: borrowing SQLiteStatement, _ rest: inout KeyRange?, _ direction: Direction
  ) throws -> Ending {
    guard let range = rest else { return .end }
    defer { statement.reset() }
    statement.bind(range.first, at: 1)
    statement.bind(range.last, at: 2)
    var count = 0
    while let current = rest {
      do {
        guard try statement.step() else { return .end }
      } catch {
        guard error.isDamage else { throw error }
        return .damage
      }
      let key = statement.int64(0)
      guard current.contains(key) else { return .misplaced(key) }
      guard table.isPlausible(statement) else { return .stranger }
      try transfer.carry(statement)
      rest = direction == .upward ? current.above(key) : current.below(key)
      count += 1
      if count & 0xfff == 0 { try checkpoint() }
    }
    return .end
  }

  /// The next row number in a range, read without its row; nil if a page is unreadable, or there is
  /// none.
  private func probe(_ range: KeyRange, _ direction: Direction) throws(CofferError) -> Int64? {
    switch direction {
    case .upward: try probe(probeUpward, range)
    case .downward: try probe(probeDownward, range)
    }
  }

  private func probe(
    _ statement: borrowing SQLiteStatement, _ range: KeyRange
  ) throws(CofferError) -> Int64? {
    defer { statement.reset() }
    statement.bind(range.first, at: 1)
    statement.bind(range.last, at: 2)
    do {
      return try statement.step() ? statement.int64(0) : nil
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// A row number was shown out of order: rows around it may have been passed over.
  private func noteMisplaced(_ key: Int64) throws(CofferError) {
    let isFirst = !isMisordered
    isMisordered = true
    guard isFirst else { return }
    let (before, after) = try transfer.neighbours(of: key)
    // A repeated row was read where it does not belong: it says nothing about the rows
    // before it.
    let end = try transfer.has(key) ? key : after
    guard let below = before.map({ $0 == .max ? nil : $0 + 1 }) ?? .min,
      let above = end.map({ $0 == .min ? nil : $0 - 1 }) ?? .max,
      let suspect = KeyRange(below, above)
    else { return }
    suspects.append(suspect)
  }

  /// Reads the pages one after another, in any order.
  ///
  /// A page in a wrong place is not found by the numbers of its rows. Rows that were read before stay as
  /// they are.
  private func sweep() throws {
    defer { unordered.reset() }
    // Pages in a circle show the same rows again and again.
    var rest = max(1 << 16, transfer.count &* 4)
    do {
      while rest > 0, try unordered.step() {
        if table.isPlausible(unordered), try !transfer.has(unordered.int64(0)) {
          try transfer.carry(unordered)
        }
        rest -= 1
        if rest & 0xfff == 0 { try checkpoint() }
      }
    } catch let error as CofferError {
      guard error.isDamage else { throw error }
    }
  }

  // MARK: - Between stretches

  /// Looks for readable rows in ranges whose ends are unreadable, and records the rest as gaps.
  private func exploreBetween(_ ranges: [KeyRange]) throws {
    var queue: [(range: KeyRange, depth: Int)] = []
    for range in ranges { queue += Self.pieces(of: range).map { ($0, 0) } }
    var position = 0
    while position < queue.count {
      let (range, depth) = queue[position]
      position += 1
      guard depth < Self.depthLimit, probeCount < Self.probeLimit else {
        gaps.append(range)
        continue
      }
      probeCount += 1
      if probeCount & 0xff == 0 { try checkpoint() }
      for part in try explore(range) { queue.append((part, depth + 1)) }
      if position > 1 << 16 {
        queue.removeFirst(position)
        position = 0
      }
    }
    for range in suspects { gaps.append(range) }
    suspects = []
  }

  /// Tries the middle of a range; returns the remaining ranges.
  private func explore(_ range: KeyRange) throws -> [KeyRange] {
    let middle = range.middle
    guard let upper = KeyRange(middle, range.last) else { return [] }
    let rest = try scan(upper, .upward)
    if rest != upper {
      // Rows were found there, or it is known that there are none.
      let lower = try range.below(middle).flatMap { try scan($0, .downward) }
      return [lower, rest].compactMap(\.self)
    }
    gaps.append(KeyRange(only: middle))
    return [range.below(middle), range.above(middle)].compactMap(\.self)
  }

  /// Splits a range, more finely at its lower end, since row numbers are assigned in ascending order.
  private static func pieces(of range: KeyRange) -> [KeyRange] {
    var pieces: [KeyRange] = []
    var rest: KeyRange? = range
    var width = Int64(firstPiece)
    while let current = rest {
      let (end, overflow) = current.first.addingReportingOverflow(width - 1)
      let last = overflow ? current.last : min(end, current.last)
      if let piece = KeyRange(current.first, last) { pieces.append(piece) }
      rest = current.above(last)
      let (doubled, isTooWide) = width.multipliedReportingOverflow(by: 2)
      width = isTooWide ? .max : doubled
    }
    return pieces
  }

  /// A range without the row numbers that were never assigned.
  private func bounded(_ range: KeyRange) -> KeyRange {
    var result = range
    if range.first == .min, range.last >= 1 { result.first = 1 }
    if range.last == .max, let greatest = table.maxKey, greatest >= result.first {
      result.last = greatest
    }
    return result
  }
}
