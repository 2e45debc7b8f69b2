internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Reads the lines of one part of an archive and passes each to the visitors as a row.
///
/// An unreadable line is a finding, and reading continues with the next one.
struct PartVerification {
  private let part: ArchivePart
  private let table: TableVerification
  private let lineReader: LineReader
  private let context: VerificationContext
  private let limits: ArchiveLimits
  /// The columns of a pair's two keys, in the order of the table.
  private let pairColumns: [Int]

  /// Tries the rows in a table; nil where they need no trial.
  var trial: RowTrial?
  /// Checks where the parts of the table end; nil if that is not to be checked.
  var ends: PartEnds?

  private var rowCount = 0
  /// How many lines could not be read, those of earlier parts included.
  var invalidCount = 0
  /// Whether the rest of a part was given up, here or in an earlier one.
  var gaveUp = false
  /// How many short lines there are, those of earlier parts included.
  var shortLineCount = 0
  private var lastPair: (Int64, Int64)?
  private var firstKey: Int64?
  private var lastKey: Int64?
  /// How many objects of which entity came, by the entity's index; of all others, by their numbers.
  private var known: ContiguousArray<Int>
  private var others: [Int64: Int] = [:]

  init(
    _ part: ArchivePart, into table: TableVerification, lineReader: LineReader,
    context: VerificationContext, limits: ArchiveLimits
  ) {
    self.part = part
    self.table = table
    self.lineReader = lineReader
    self.context = context
    self.limits = limits
    known = ContiguousArray(repeating: 0, count: context.entities.count)
    pairColumns = [FieldRole.source, .destination].compactMap(table.table.column).sorted()
  }

  private var place: ArchivePlace {
    ArchivePlace(path: context.subject.place, entry: part.entry.name, limits: limits)
  }

  /// The attributes that the index should have for the part.
  var attributes: ArchiveEntryAttributes {
    guard part.table.kind == .entity else { return ArchiveEntryAttributes(rows: rowCount) }
    var objects = others
    for (index, count) in known.enumerated() where count > 0 {
      guard let number = context.entities.number(UInt16(clamping: index)) else { continue }
      objects[number, default: 0] += count
    }
    return ArchiveEntryAttributes(
      objects: objects, context.subject.layout.entities, firstKey: firstKey, lastKey: lastKey)
  }

  /// Reads all lines.
  ///
  /// - Parameters:
  ///   - lines: the lines, which decoding changes.
  ///   - body: called for each row, with its values that have their own entries.
  /// - Throws: `archive-limit`, errors from the visitors and the closure; never for an invalid
  ///   line.
  mutating func run(
    _ lines: inout ContiguousArray<UInt8>, _ body: ([OutOfLineValue]) throws -> Void
  ) throws {
    let blobs = part.blobs
    try unsafe lines.withUnsafeMutableBytes { lines in
      try unsafe blobs.bytes.withUnsafeBytes { blobs in
        var lines = unsafe PartLines(lines, blobs: blobs, reader: lineReader, limits: limits)
        let room = lines.blobBytesLeft
        let (shortBefore, place) = (shortLineCount, place)
        try report(ends?.begin(part.entry.name))
        while try next(&lines) {
          shortLineCount = shortBefore &+ lines.splitter.shortCount
          try place.requireFewShortLines(shortLineCount)
          try table.takeRow()
          try count(lines.number)
          if let ends {
            let end = PartEnds.Position(
              lines: lines.splitter.position, blobs: room - lines.blobBytesLeft,
              digits: lines.decoder.offsetDigits)
            try report(ends.take(table.cells, end, line: lines.number))
          }
          if let trial { try attempt(trial, lines.number) }
          try body(lines.decoder.outOfLineValues)
        }
      }
    }
  }

  /// Reads the next line that can be read.
  ///
  /// Mutating, as otherwise all of this value is copied for each line.
  private mutating func next(_ lines: inout PartLines) throws -> Bool {
    while true {
      do throws(LineError) {
        return try lines.next(into: table.cells)
      } catch {
        guard error.limit == nil else { throw error.archiveError(line: lines.number, in: place) }
        ends?.lose()
        invalidCount += 1
        guard invalidCount <= mostInvalid else {
          try giveUp(at: lines.number)
          return false
        }
        try context.report(
          .archiveInvalidLine, of: part.table.entityName,
          try ArchiveDefect(error, line: lines.number, of: part.table, in: place).finding)
      }
    }
  }

  /// Reports that parts end elsewhere than the rule says, if they do.
  private func report(_ unusual: String?) throws {
    guard let unusual else { return }
    try context.report(
      Finding(.archiveUnusualParts, entityName: part.table.entityName, detail: unusual))
  }

  /// The number of lines that are tried in vain: ten times those that are reported.
  private var mostInvalid: Int {
    let most = limits.findings.multipliedReportingOverflow(by: 10)
    return most.overflow ? .max : most.partialValue
  }

  /// Gives up the rest of the part, and says so once.
  private mutating func giveUp(at line: Int) throws {
    guard !gaveUp else { return }
    gaveUp = true
    try context.insist(
      Finding(
        .archiveInvalidLine, entityName: part.table.entityName,
        detail:
          "\(part.entry.name): more than \(mostInvalid) lines cannot be read; from line \(line) "
          + "on, parts are read only up to their first such line"))
  }

  /// Counts a row for the comparison with the index.
  private mutating func count(_ lineNumber: Int) throws {
    rowCount += 1
    if part.table.isAdministration { try place.requireFewRows(rowCount) }
    guard part.table.kind == .entity else {
      if part.table.kind == .relationship { try comparePair(lineNumber) }
      return
    }
    let entity = Int(table.cells.entity)
    if entity < known.count {
      known[entity] &+= 1
    } else {
      others[table.cells.entityNumber ?? 0, default: 0] += 1
    }
    guard let key = table.cells.primaryKey else { return }
    if let lastKey, key < lastKey {
      try context.report(
        Finding(
          .archiveWrongOrder, objectID: context.objectID(table.cells, in: table.table),
          detail: "\(part.entry.name): line \(lineNumber)"))
    }
    firstKey = min(firstKey ?? key, key)
    lastKey = max(lastKey ?? key, key)
  }

  /// Compares a pair with the one before: pairs ascend, and none comes twice.
  private mutating func comparePair(_ lineNumber: Int) throws {
    guard let first = pairColumns.first, let second = pairColumns.last,
      let pair = table.cells.integer(first).flatMap({ first in
        table.cells.integer(second).map { (first, $0) }
      })
    else { return }
    if let lastPair, pair <= lastPair {
      let isSame = pair == lastPair
      try context.report(
        Finding(
          isSame ? .archiveInvalidLine : .archiveWrongOrder, entityName: part.table.entityName,
          detail: "\(part.entry.name): line \(lineNumber)\(isSame ? ": the pair comes twice" : "")")
      )
    }
    lastPair = pair
  }

  /// Tries a row in a table with the rows before it.
  private func attempt(_ trial: RowTrial, _ lineNumber: Int) throws {
    guard let objection = try trial.objection(to: table.cells) else { return }
    try context.report(
      .archiveInvalidLine, of: part.table.entityName,
      Finding(
        .archiveInvalidLine, entityName: part.table.entityName,
        objectID: context.objectID(table.cells, in: table.table),
        detail: "\(part.entry.name): line \(lineNumber): \(objection)"))
  }
}
