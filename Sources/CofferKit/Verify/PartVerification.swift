internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Reads the lines of one part of an archive and shows each as a row.
///
/// A line that cannot be read is a finding, and the next one is read.
struct PartVerification {
  private let name: String
  private let table: TableVerification
  private let lineReader: LineReader
  private let context: VerificationContext
  private let reading: SystemTableReader
  private let limits: ArchiveLimits

  /// The values of the part that are entries of their own.
  private(set) var pendingValues: [PendingValue] = []
  private var rowCount = 0
  private var firstKey: Int64?
  private var lastKey: Int64?
  private var objects: [Int64: Int] = [:]

  init(
    _ name: String, _ table: TableVerification, _ lineReader: LineReader,
    _ context: VerificationContext, _ reading: SystemTableReader, _ limits: ArchiveLimits
  ) {
    self.name = name
    self.table = table
    self.lineReader = lineReader
    self.context = context
    self.reading = reading
    self.limits = limits
  }

  /// What the index should say about the part.
  var attributes: ArchiveEntryAttributes {
    guard lineReader.shape.kind == .entity else { return ArchiveEntryAttributes(rows: rowCount) }
    return ArchiveEntryAttributes(
      objects: objects, context.subject.layout.entities, firstKey: firstKey, lastKey: lastKey)
  }

  /// Reads all lines.
  ///
  /// - Parameters:
  ///   - lines: the lines; they are changed.
  ///   - blobs: the values out of line.
  /// - Throws: what the visitors throw; never for what is wrong with a line.
  mutating func run(lines: UnsafeMutableRawBufferPointer, blobs: UnsafeRawBufferPointer) throws {
    var decoder = unsafe LineDecoder(
      blobs: blobs, entityNumbers: lineReader.entityNumbers, limits: limits)
    var start = 0
    var lineNumber = 0
    while start < lines.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[start...])
      let length = unsafe rest.lineLength
      lineNumber += 1
      let line = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<length])
      if let error = unsafe read(line, &decoder) {
        try context.report(
          Finding(
            .archiveInvalidLine, entityName: lineReader.shape.entityName,
            detail: "\(name): line \(lineNumber), byte \(error.offset): \(error.detail)"))
      } else {
        try table.takeRow()
        try count(lineNumber)
        reading.take(table.cells, of: lineReader.shape, decoder.largeValues)
        if !decoder.largeValues.isEmpty { pendingValues += decoder.largeValues }
      }
      start += length + 1
    }
  }

  private func read(
    _ line: UnsafeMutableRawBufferPointer, _ decoder: inout LineDecoder
  ) -> LineError? {
    do throws(LineError) {
      _ = unsafe try lineReader.read(line, &decoder, into: table.cells)
      return nil
    } catch {
      return error
    }
  }

  /// Counts a row for the comparison with the index.
  private mutating func count(_ lineNumber: Int) throws {
    rowCount += 1
    guard lineReader.shape.kind == .entity else { return }
    objects[table.cells.entityNumber ?? 0, default: 0] += 1
    guard let key = table.cells.primaryKey else { return }
    if let lastKey, key < lastKey {
      try context.report(
        Finding(
          .archiveWrongOrder, objectID: context.objectID(table.cells, in: table.table),
          detail: "\(name): line \(lineNumber)"))
    }
    firstKey = min(firstKey ?? key, key)
    lastKey = max(lastKey ?? key, key)
  }
}
