package import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel

/// The rows of one table of an archive file, one after another.
package final class ArchiveRows: RowCursor {
  package let row: Row
  private let archive: OpenArchive
  private let reader: LineReader
  private let loadsOutOfLineValues: Bool
  /// The beginning of each line, and the column of the number that must ascend; nil if the order is
  /// not checked or the rows have no such number.
  private let order: (beginning: ContiguousArray<UInt8>, column: Int)?
  private var lastKey: Int64?

  private var parts: ArraySlice<OpenArchive.Part>
  private var place = ""
  private var stem = ""
  private var lines = StableBytes()
  private var blobs = StableBytes()
  private var hasValuesElsewhere = false
  private var decoder: LineDecoder
  private var splitter = LineSplitter()
  private var current = 0..<0
  private var isLoaded = false

  /// Starts before the first row.
  ///
  /// Parts without any of the keys are skipped; nil keys are all.
  convenience init(
    _ shape: TableLayout, into row: Row, of archive: OpenArchive, keys: ClosedRange<Int64>?,
    loadsOutOfLineValues: Bool, checksOrder: Bool
  ) {
    self.init(
      shape, into: row, of: archive, archive.parts(of: shape, with: keys)[...],
      loadsOutOfLineValues: loadsOutOfLineValues, checksOrder: checksOrder)
  }

  /// Starts before the first row of some parts of a table.
  package init(
    _ shape: TableLayout, into row: Row? = nil, of archive: OpenArchive,
    _ parts: ArraySlice<OpenArchive.Part>, loadsOutOfLineValues: Bool = false,
    checksOrder: Bool = false
  ) {
    self.row = row ?? Row(columnCount: shape.fields.count)
    self.archive = archive
    self.parts = parts
    self.loadsOutOfLineValues = loadsOutOfLineValues
    reader = LineReader(shape, entities: archive.documents.layout.entities)
    order = checksOrder ? Self.order(shape) : nil
    decoder = unsafe Self.decoder(blobs.bytes, reader, archive)
  }

  private static func order(_ shape: TableLayout) -> (ContiguousArray<UInt8>, Int)? {
    if shape.kind == .entity {
      let column = shape.fields.firstIndex { $0.role == .primaryKey }
      return column.map { ([UInt8(ascii: "{")] + JSONKey("$pk").text, $0) }
    }
    return shape.hasRowNumbers
      ? ([UInt8(ascii: "{")] + JSONKey("$row").text, shape.fields.count) : nil
  }

  private static func decoder(
    _ blobs: UnsafeRawBufferPointer, _ reader: LineReader, _ archive: OpenArchive
  ) -> LineDecoder {
    unsafe LineDecoder(
      blobs: blobs, entityNumbers: reader.entityNumbers, limits: archive.file.limits)
  }

  // MARK: Lines

  package func advance() throws -> Bool {
    isLoaded = false
    while true {
      if let found = unsafe splitter.next(in: lines.bytes) {
        current = found
        if splitter.shortCount > archive.file.limits.shortLines { try endPart() }
        break
      }
      try endPart()
      guard let part = parts.popFirst() else { return false }
      try begin(part)
    }
    if let order { try checkOrder(order.beginning, order.column) }
    return true
  }

  /// Counts the short lines of the part.
  private func endPart() throws {
    let limits = archive.file.limits
    try ArchivePlace(path: archive.path, entry: place, limits: limits)
      .requireFewShortLines(archive.shortLines.add(splitter.shortCount, of: place))
  }

  private func begin(_ part: OpenArchive.Part) throws {
    place = part.lines.name
    stem = part.stem
    // Given up first, so that the memory can be used again.
    lines = StableBytes()
    lines = try StableBytes(part.lines.name, of: archive.file)
    if part.hasBlobs || blobs.count > 0 {
      blobs =
        part.hasBlobs ? try StableBytes(part.stem + ".blobs", of: archive.file) : StableBytes()
      decoder = unsafe Self.decoder(blobs.bytes, reader, archive)
    }
    let firstValue = "\(part.stem).\(ArchiveEntryName.value(0))"
    hasValuesElsewhere = part.hasBlobs || archive.file.index[firstValue] != nil
    splitter = LineSplitter()
  }

  package func load() throws {
    guard !isLoaded else { return }
    isLoaded = true
    do throws(LineError) {
      _ = unsafe try reader.read(lines.mutableBytes(current), &decoder, into: row)
    } catch {
      let place = ArchivePlace(path: archive.path, entry: place, limits: archive.file.limits)
      throw error.archiveError(line: splitter.number, in: place)
    }
    for value in decoder.outOfLineValues {
      let name = entryName(of: value)
      guard let entry = archive.file.index[name] else {
        throw ArchiveDefect(.missingValue(value), of: reader.shape, place: stem)
          .error(path: archive.path)
      }
      guard entry.size == value.length else {
        throw ArchiveDefect(.wrongValueSize(value), of: reader.shape, place: stem)
          .error(path: archive.path)
      }
      if loadsOutOfLineValues { row.keep(try archive.file.read(name, limit: .textSize), of: value) }
    }
  }

  package var line: UnsafeRawBufferPointer? {
    unsafe isLoaded ? nil : UnsafeRawBufferPointer(lines.mutableBytes(current))
  }

  /// A member that is a list refers to a value elsewhere.
  ///
  /// The same bytes inside a text are treated as one too.
  package var mayReferElsewhere: Bool {
    guard hasValuesElsewhere, let line = unsafe line else { return false }
    var place = 2
    while place < line.count {
      if unsafe line[place] == UInt8(ascii: "["), unsafe line[place - 1] == UInt8(ascii: ":"),
        unsafe line[place - 2] == UInt8(ascii: "\"")
      {
        return true
      }
      place += 1
    }
    return false
  }

  // MARK: Order

  /// Checks that the keys of all lines ascend, including lines that are not decoded.
  private func checkOrder(_ beginning: ContiguousArray<UInt8>, _ column: Int) throws {
    var number = leadingInteger(beginning)
    if number == nil {
      try load()
      number = row.integer(column)
    }
    guard let number else { throw damaged("the line has no primary key") }
    if let lastKey, number <= lastKey {
      throw damaged("the line is not in the order of the primary keys")
    }
    lastKey = number
  }

  /// The integer at the start of the line, which is the value of its key member.
  private func leadingInteger(_ beginning: ContiguousArray<UInt8>) -> Int64? {
    guard let line = unsafe line, unsafe line.starts(with: beginning) else { return nil }
    var place = beginning.count
    let isNegative = unsafe place < line.count && line[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var number: Int64 = 0
    let first = place
    while place < line.count, case let digit = unsafe line[place] &- UInt8(ascii: "0"), digit < 10 {
      // Nineteen digits may not fit. The decoder decides.
      guard place - first < 18 else { return nil }
      number = number * 10 + Int64(digit)
      place += 1
    }
    guard place > first, place < line.count,
      unsafe line[place] == UInt8(ascii: ",") || line[place] == UInt8(ascii: "}")
    else { return nil }
    return isNegative ? -number : number
  }

  private func damaged(_ detail: String) -> CofferError {
    CofferError(
      .damagedArchive, path: archive.path, entry: place,
      detail: "line \(splitter.number): \(detail)")
  }

  // MARK: Values out of line

  private func entryName(of value: OutOfLineValue) -> String {
    "\(stem).\(value.name)"
  }

  /// The place of a value of the current, loaded row that has its own entry; nil for any other.
  package func placedValue(_ column: Int) -> PlacedValue? {
    outOfLineValue(column).map { PlacedValue(value: $0, archive: archive, stem: stem) }
  }

  private func outOfLineValue(_ column: Int) -> OutOfLineValue? {
    decoder.outOfLineValues.first { Int($0.parameter) == column + 1 }
  }

  package func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let bytes = unsafe row.bytes(column) { return unsafe try body(bytes) }
    let value = outOfLineValue(column)
    if value?.isMarked ?? (row.firstByte(column) == 1) {
      unsafe try withUnsafeBytes(of: 1 as UInt8) { unsafe try body($0) }
    }
    if let bytes = unsafe row.payload(column) { return unsafe try body(bytes) }
    guard let value else { return }
    try unsafe archive.file.readPieces(of: entryName(of: value), body)
  }

  package func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    if let value = outOfLineValue(column), offset == (value.isMarked ? 1 : 0),
      let entry = archive.file.index[entryName(of: value)]
    {
      return entry.digest
    }
    return try computedDigest(of: column, from: offset)
  }
}

extension ArchiveFile {
  /// Reads an entry in pieces.
  package func readPieces(of name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let stream = try open(name)
    var piece = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
    while true {
      let count = try unsafe piece.withUnsafeMutableBytes { unsafe try stream.read(into: $0) }
      if count == 0 { return }
      try unsafe piece.withUnsafeBytes {
        unsafe try body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }
}
