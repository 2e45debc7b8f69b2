internal import CoreDataArchive
package import CoreDataLayout
internal import POSIX

/// Reads the lines of one table: the identity of a row, then the members of its plan.
package struct LineReader: Sendable {
  private static let primaryKey: StaticString = "\"$pk\":"
  private static let version: StaticString = "\"$opt\":"
  private static let entity: StaticString = "\"$entity\":"
  private static let number: StaticString = "\"$number\":"
  private static let row: StaticString = "\"$row\":"
  private static let change: StaticString = "\"$change\":"

  let shape: TableLayout
  /// The numbers of the entities by name.
  package let entityNumbers: EntityNumbers
  private var plans: TablePlans
  private let primaryKeyParameter: Int32?
  private let entityParameter: Int32?
  private let versionParameter: Int32?
  /// The parameter of the row number, after the parameters of the columns.
  private let rowParameter: Int32

  /// Prepares to read the lines of a table.
  package init(_ shape: TableLayout, entities: NumberedEntities) {
    self.shape = shape
    plans = TablePlans(shape, entities)
    entityNumbers = EntityNumbers(entities, expected: plans.numbers)
    func parameter(_ role: FieldRole) -> Int32? {
      shape.fields.firstIndex { $0.role == role }.map { Int32(clamping: $0 + 1) }
    }
    primaryKeyParameter = parameter(.primaryKey)
    entityParameter = parameter(.entityNumber)
    versionParameter = parameter(.version)
    rowParameter = Int32(clamping: shape.fields.count + 1)
  }

  /// A reader of the same lines for another thread, which shares nothing that both would change.
  func copied() -> LineReader {
    var copy = self
    copy.plans = plans.copied()
    return copy
  }

  /// The maximum number of values in a line.
  ///
  /// Each member occurs once and is at most two values (a destination), plus the values that
  /// identify the row.
  var maxValues: Int { 2 * plans.maxSteps + 8 }

  /// Decodes a line and passes its values to a sink.
  ///
  /// - Parameters:
  ///   - line: the text without the line feed, which is changed.
  ///   - decoder: decodes the values.
  ///   - sink: receives the values.
  /// - Returns: the entity number of the object, if known.
  /// - Throws: ``LineError`` if the line does not belong to this table.
  package func read(
    _ line: UnsafeMutableRawBufferPointer, _ decoder: inout LineDecoder,
    into sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) -> Int64? {
    sink.clearBindings()
    unsafe try decoder.begin(line)
    return try readRow(&decoder, into: sink)
  }

  /// Decodes a line of changes up to the values of the row.
  ///
  /// - Returns: the word for the change.
  /// - Throws: ``LineError`` if there is none.
  package func beginChange(
    _ line: UnsafeMutableRawBufferPointer, _ decoder: inout LineDecoder
  ) throws(LineError) -> String {
    unsafe try decoder.begin(line)
    guard decoder.scanner.takeKey(Self.change), case .string(let name) = try decoder.token() else {
      throw decoder.failure("the line does not begin with $change")
    }
    return decoder.scanner.string(of: name)
  }

  /// Decodes the members of a line and passes their values to a sink.
  ///
  /// - Returns: the entity number of the object, if known.
  /// - Throws: ``LineError`` if the line does not belong to this table.
  package func readRow(
    _ decoder: inout LineDecoder, into sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) -> Int64? {
    var entity: Int64?
    if shape.kind == .entity {
      entity = try readIdentity(&decoder, into: sink)
    } else if shape.hasRowNumbers {
      guard decoder.scanner.takeKey(Self.row) else {
        throw decoder.failure("the line does not begin with $row")
      }
      try decoder.number(rowParameter, sink)
    }
    let plan = plans.plan(for: entity)
    try decoder.members(plan, 0..<plan.steps.count, sink)
    try decoder.end()
    return entity
  }

  /// Reads the members that identify the row, which precede all others.
  private func readIdentity(
    _ decoder: inout LineDecoder, into sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) -> Int64? {
    guard let primaryKeyParameter, decoder.scanner.takeKey(Self.primaryKey) else {
      throw decoder.failure("the line does not begin with $pk")
    }
    try decoder.number(primaryKeyParameter, sink)
    if let versionParameter, decoder.scanner.takeKey(Self.version) {
      try decoder.version(versionParameter, sink)
    }
    guard let entityParameter else { return nil }
    var number = plans.rootNumber
    if decoder.scanner.takeKey(Self.entity) {
      guard case .string(let name) = try decoder.token(),
        let found = entityNumbers.number(of: name, in: decoder.scanner)
      else { throw decoder.failure("unknown entity name") }
      number = found
    } else if decoder.scanner.takeKey(Self.number) {
      try decoder.plain(entityParameter, sink)
      return nil
    }
    if let number { sink.bind(number, at: entityParameter) }
    return number
  }
}

/// The sizes at which values are written out of line.
///
/// They belong to the format only because the same store must always give the same bytes.
package enum LineLimits {
  /// Binary values of at least this many bytes are stored in the part's blobs.
  package static let outOfLine = 1 << 10
  /// Values of more than this many bytes get their own entries.
  package static let ownEntry = 4 << 20
}

/// Finds the lines of a part, one after another.
///
/// The last one may lack its line feed.
package struct LineSplitter: Sendable {
  /// The number of the last line found, from 1; 0 before the first.
  package private(set) var number = 0
  /// The number of short lines so far, as ``ArchiveLimits/shortLines`` counts them.
  private(set) var shortCount = 0
  /// The offset of the next line.
  private(set) var position = 0

  package init() {}

  /// Finds the next line.
  ///
  /// - Parameter bytes: the part, which must be the same in each call.
  /// - Returns: the range of the line without its line feed; nil after the last.
  package mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    guard position < bytes.count, let base = bytes.baseAddress else { return nil }
    let start = position
    var end = bytes.count
    if let found = unsafe memchr(base + start, 0x0A, end - start) {
      end = unsafe UnsafeRawPointer(found) - base
    }
    position = end + 1
    number += 1
    shortCount &+= position &- start < ArchiveLimits.shortLineSize ? 1 : 0
    return start..<end
  }
}
