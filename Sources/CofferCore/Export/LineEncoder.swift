package import CoreDataArchive
package import CoreDataStore

/// Writes rows as lines, one value after the other, from the store's memory directly to a buffer.
///
/// Nothing is allocated per row: steps and keys are prepared, and bytes are borrowed from the
/// statement.
package struct LineEncoder: ~Copyable {
  /// The lines of the current part.
  package var lines = JSONBuffer(minimumCapacity: Self.usualPart)
  /// The out-of-line values.
  package var blobs = JSONBuffer()
  /// The values of the part that become entries.
  package var outOfLineValues: [OutOfLineContent] = []
  /// The references to files of external binary data.
  package var externalReferences: [ExternalReference] = []
  /// The first values of a range that an import may insert in another storage class.
  var convertedValues: [ConvertedValue] = []
  /// The number of the part, which names its entries.
  package private(set) var part = 0
  /// The number of to-one relationships with a destination so far.
  var toOneCount = 0
  /// The entity number of the current object.
  package var currentEntity: Int64 = 0

  /// The bytes that most parts stay below: all but one in ten.
  private static let usualPart = 1 << 20

  private let entityNames: EntityNames
  /// By column: the place of the size of a blob that was too large to be read; -1 for columns that
  /// are always read.
  private let sizeColumns: ContiguousArray<Int32>
  package var needsComma = false
  /// The beginnings of the line and its blobs, and its number of digits of offsets.
  private(set) var lineStart = 0
  private(set) var blobStart = 0
  var offsetDigits = 0
  /// The texts of the line that depend on the rows before it: offsets of blobs, names of entries.
  var movingTexts: ContiguousArray<Range<Int>> = []

  /// Binary values of this size or more are out of line.
  let outOfLine: Int
  /// Binary values larger than this are entries of their own.
  let ownEntry: Int
  /// Strings larger than this are entries of their own.
  let ownTextEntry: Int

  /// The bytes of lines or blobs from which on further values of a row are separate entries.
  let partSize: Int

  /// Creates an encoder for a table.
  ///
  /// - Parameters:
  ///   - entityNames: the names of the entities.
  ///   - sizeColumns: by column, the place of the size of a blob that was not read.
  ///   - blobsAreEntries: whether every blob gets its own entry, however small.
  ///   - rowsHaveNumbers: whether rows have numbers. A value of a row without one can only be read
  ///     and written with its row, so it is never an entry.
  ///   - partSize: the bytes of lines or blobs at which a part is full.
  package init(
    entityNames: EntityNames, sizeColumns: [Int32], blobsAreEntries: Bool, rowsHaveNumbers: Bool,
    partSize: Int = PartRule.standard.most
  ) {
    self.partSize = partSize
    self.entityNames = entityNames
    outOfLine = blobsAreEntries ? 0 : LineLimits.outOfLine
    ownTextEntry = rowsHaveNumbers ? LineLimits.ownEntry : .max
    ownEntry = blobsAreEntries && rowsHaveNumbers ? -1 : ownTextEntry
    self.sizeColumns = ContiguousArray(sizeColumns)
  }

  /// Empties the buffers for the next part.
  package mutating func nextPart() {
    // Memory beyond the usual part is freed: many threads can have an unusual one.
    lines.removeAll(keeping: Self.usualPart)
    blobs.removeAll(keeping: Self.usualPart)
    outOfLineValues.removeAll()
    part += 1
  }

  /// Empties the buffers for the first part of a range of rows.
  mutating func beginRange() {
    nextPart()
    (part, toOneCount) = (0, 0)
    externalReferences.removeAll()
    convertedValues.removeAll()
  }

  /// Begins a line.
  package mutating func beginLine() {
    startRow()
    lines.append(UInt8(ascii: "{"))
    needsComma = false
  }

  private mutating func startRow() {
    (lineStart, blobStart, offsetDigits) = (lines.count, blobs.count, 0)
    if !movingTexts.isEmpty { movingTexts.removeAll(keepingCapacity: true) }
  }

  /// The bytes of the latest line and its blobs, without the digits of the blobs' offsets.
  package func rowSize(_ lines: Int, _ blobs: Int) -> Int {
    lines - lineStart + blobs - blobStart - offsetDigits
  }

  /// Ends a line.
  package mutating func endLine() { lines.append("}\n") }

  /// Writes a line of another archive unchanged, without its line feed.
  ///
  /// It must not refer to values outside it.
  package mutating func copyLine(_ line: UnsafeRawBufferPointer) {
    startRow()
    unsafe lines.append(line)
    lines.append("\n")
  }

  /// Writes a member that is not part of a plan.
  package mutating func member(_ key: StaticString, _ value: Int64) {
    comma()
    lines.append(key)
    lines.appendInteger(value)
  }

  /// Writes the concrete entity of an object: its name, or its number if the name is unknown.
  package mutating func entityMember(
    _ row: borrowing some RowValues & ~Copyable, _ column: Int32, rowID: Int64
  ) {
    comma()
    appendEntity(row, column, rowID)
  }

  /// Writes the version counter, if there is one.
  package mutating func versionMember(
    _ row: borrowing some RowValues & ~Copyable, _ column: Int32, rowID: Int64
  ) {
    if row.storageClass(column) == .null { return }
    comma()
    lines.append("\"$opt\":")
    appendPlain(row, column, rowID)
  }

  /// Runs a plan for a row.
  package mutating func run(
    _ plan: LinePlan, _ row: borrowing some RowValues & ~Copyable, rowID: Int64
  ) {
    unsafe plan.steps.withUnsafeBufferPointer { steps in
      unsafe plan.keys.withUnsafeBytes { keys in
        unsafe run(steps, keys, row, rowID)
      }
    }
  }

  private mutating func run(
    _ steps: UnsafeBufferPointer<LinePlan.Step>, _ keys: UnsafeRawBufferPointer,
    _ row: borrowing some RowValues & ~Copyable, _ rowID: Int64
  ) {
    var index = 0
    while index < steps.count {
      let step = unsafe steps[index]
      if step.form == .group {
        let count = Int(step.memberCount)
        let members = unsafe UnsafeBufferPointer(rebasing: steps[(index + 1)..<(index + 1 + count)])
        unsafe group(step, members, keys, row, rowID)
        index += count + 1
      } else {
        unsafe value(step, keys, row, rowID)
        index += 1
      }
    }
  }

  /// Writes an object with members, or nothing if no member has a value.
  private mutating func group(
    _ step: LinePlan.Step, _ members: UnsafeBufferPointer<LinePlan.Step>,
    _ keys: UnsafeRawBufferPointer, _ row: borrowing some RowValues & ~Copyable, _ rowID: Int64
  ) {
    let (start, hadComma) = (lines.count, needsComma)
    unsafe key(step, keys)
    lines.append(UInt8(ascii: "{"))
    needsComma = false
    unsafe run(members, keys, row, rowID)
    if needsComma {
      lines.append(UInt8(ascii: "}"))
    } else {
      lines.truncate(to: start)
      needsComma = hadComma
    }
  }

  private mutating func value(
    _ step: LinePlan.Step, _ keys: UnsafeRawBufferPointer,
    _ row: borrowing some RowValues & ~Copyable,
    _ rowID: Int64
  ) {
    let column = step.column
    let storage = row.storageClass(column)
    if storage == .null {
      if step.form == .polymorphicToOne {
        guard row.storageClass(step.entityColumn) != .null else { return }
      } else {
        let size = sizeColumns[Int(column)]
        guard size >= 0, row.storageClass(size) == .integer else { return }
        unsafe key(step, keys)
        appendLargeBlob(row.int64(size), step, row, rowID)
        return
      }
    }
    unsafe key(step, keys)
    append(step, storage, row, rowID)
  }

  /// Writes a value other than NULL.
  package mutating func append(
    _ step: LinePlan.Step, _ storage: StorageClass, _ row: borrowing some RowValues & ~Copyable,
    _ rowID: Int64
  ) {
    let column = step.column
    switch (step.form, storage) {
    case (.integer, .integer), (.number, .integer):
      lines.appendInteger(row.int64(column))
    case (.toOne, .integer):
      toOneCount += 1
      lines.appendInteger(row.int64(column))
    case (.text, .text):
      unsafe appendText(row.textBytes(column), column, rowID, isNatural: true)
    case (.real, .real), (.number, .real):
      appendReal(row.double(column))
    case (.date, .real):
      let seconds = row.double(column)
      if !lines.appendDate(real: seconds) { appendTaggedReal(seconds) }
    case (.date, .integer):
      let seconds = row.int64(column)
      if !lines.appendDate(integer: seconds) { appendTaggedInteger(seconds) }
    case (.boolean, .integer):
      appendBoolean(row.int64(column))
    case (.uuid, .blob):
      unsafe appendUUID(row.blobBytes(column), column, rowID)
    case (.binary, .blob):
      unsafe appendBinary(row.blobBytes(column), column, rowID, isNatural: true)
    case (.externalBinary, .blob):
      unsafe appendExternalBinary(row.blobBytes(column), step, rowID)
    case (.polymorphicToOne, _):
      appendPolymorphic(step, row, rowID)
    case (.plain, .text):
      unsafe appendText(row.textBytes(column), column, rowID, isNatural: true)
    case (.plain, .integer): lines.appendInteger(row.int64(column))
    case (.plain, .real): appendReal(row.double(column))
    default: appendTagged(row, step, storage, rowID)
    }
  }

  /// The text of a value other than NULL, as in a line.
  package mutating func text(
    _ step: LinePlan.Step, of row: borrowing some RowValues & ~Copyable
  ) -> String {
    lines.removeAll()
    movingTexts.removeAll()
    append(step, row.storageClass(step.column), row, 0)
    return unsafe lines.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  package mutating func comma() {
    if needsComma { lines.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  package mutating func key(_ step: LinePlan.Step, _ keys: UnsafeRawBufferPointer) {
    let start = Int(step.keyStart)
    let from = needsComma ? start - 1 : start
    needsComma = true
    unsafe lines.append(
      UnsafeRawBufferPointer(rebasing: keys[from..<(start + Int(step.keyLength))]))
  }

  package mutating func appendEntity(
    _ row: borrowing some RowValues & ~Copyable, _ column: Int32, _ rowID: Int64
  ) {
    let start = lines.count
    lines.append("\"$entity\":")
    if row.storageClass(column) == .integer,
      entityNames.append(row.int64(column), to: &lines)
    {
      return
    }
    lines.truncate(to: start)
    lines.append("\"$number\":")
    appendPlain(row, column, rowID)
  }
}

/// A row whose values are read one by one and borrowed until the next row.
package protocol RowValues: ~Copyable {
  func storageClass(_ column: Int32) -> StorageClass
  func int64(_ column: Int32) -> Int64
  func double(_ column: Int32) -> Double
  func textBytes(_ column: Int32) -> UnsafeRawBufferPointer
  func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer
}

extension SQLiteStatement: RowValues {}

extension Row: RowValues {
  package func storageClass(_ column: Int32) -> StorageClass { storageClass(Int(column)) }
  package func int64(_ column: Int32) -> Int64 { integer(Int(column)) ?? 0 }
  package func double(_ column: Int32) -> Double { number(Int(column)) ?? 0 }
  package func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    unsafe bytes(Int(column)) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
  package func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer { unsafe textBytes(column) }
}
