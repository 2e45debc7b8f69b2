package import CoreDataArchive
internal import CoreDataLayout

/// A defect of an archive that does not prevent reading the rest.
///
/// An import refuses the archive or loses the affected data; a verification reports the defect.
struct ArchiveDefect {
  enum Kind {
    /// The line with this number does not belong to its table.
    case invalidLine(Int)
    /// A line refers to a value whose entry is missing.
    case missingValue(OutOfLineValue)
    case wrongValueSize(OutOfLineValue)
    /// Two lines refer to the same entry.
    case sharedValue(OutOfLineValue)
    /// Another table is between the parts of this one.
    case scatteredParts
  }

  let kind: Kind
  let table: TableLayout
  /// The name of the entry; of a value's, the folder and the number of its part.
  private let place: String
  let detail: String

  /// Creates a defect.
  ///
  /// The place is the name of the entry; for the entry of a value, the folder and the number of its part.
  init(_ kind: Kind, of table: TableLayout, place: String) {
    self.kind = kind
    self.table = table
    self.place = place
    detail =
      switch kind {
      case .invalidLine(let number): "line \(number) does not belong to this table"
      case .missingValue: "a line refers to this entry, which is missing"
      case .wrongValueSize: "its size differs from the one in its line"
      case .sharedValue: "two values refer to this entry"
      case .scatteredParts: "the parts of a table are not together"
      }
  }

  /// Creates the defect of a line; throws `archive-limit` if the line is not invalid but exceeds a limit.
  init(
    _ error: LineError, line number: Int, of table: TableLayout, in place: ArchivePlace
  ) throws(CofferError) {
    guard error.limit == nil else { throw error.archiveError(line: number, in: place) }
    kind = .invalidLine(number)
    self.table = table
    self.place = place.entry
    detail = error.text(line: number)
  }

  /// The name of the entry.
  ///
  /// Composed on demand: millions of values can be missing, but only a few are reported.
  var entry: String {
    switch kind {
    case .missingValue(let value), .wrongValueSize(let value), .sharedValue(let value):
      "\(place).\(value.name)"
    case .invalidLine, .scatteredParts: place
    }
  }

  /// The error for a command that cannot continue, with the code `damaged-archive`.
  func error(path: String) -> CofferError {
    CofferError(.damagedArchive, path: path, entry: entry, detail: detail)
  }

  var finding: Finding {
    let text = "\(entry): \(detail)"
    return switch kind {
    case .invalidLine: Finding(.archiveInvalidLine, entityName: table.entityName, detail: text)
    case .missingValue: Finding(.archiveMissingEntry, detail: text)
    case .wrongValueSize, .sharedValue: Finding(.archiveInvalidLine, detail: text)
    case .scatteredParts: Finding(.archiveWrongOrder, entityName: table.entityName, detail: text)
    }
  }
}

/// The entry of a line, and the limits of its archive.
package struct ArchivePlace {
  /// The archive.
  package var path: String
  /// The entry of the line.
  package var entry: String
  /// The limits of the archive.
  package var limits: ArchiveLimits

  package init(path: String, entry: String, limits: ArchiveLimits) {
    self.path = path
    self.entry = entry
    self.limits = limits
  }

  /// Requires that a table of the administration has few rows.
  func requireFewRows(_ count: Int) throws(CofferError) {
    guard count > limits.administrationRows else { return }
    throw .exceeding(
      .administrationRows, of: limits, path: path, entry: entry, "its table has more rows")
  }

  /// Requires that the archive has few short lines.
  func requireFewShortLines(_ count: Int) throws(CofferError) {
    guard count > limits.shortLines else { return }
    throw .exceeding(
      .shortLines, of: limits, path: path, entry: entry,
      "the archive has more lines of fewer than \(ArchiveLimits.shortLineSize) bytes")
  }
}

extension TableLayout {
  /// Whether the table describes a store, and has a few rows in every store.
  var isAdministration: Bool { [.metadata, .primaryKeys, .modelCache].contains(kind) }
}

extension LineError {
  /// The error for a command that cannot continue after this line.
  ///
  /// - Parameters:
  ///   - number: the number of the line, from 1.
  ///   - place: its entry.
  /// - Returns: `damaged-archive`, or `archive-limit`.
  package func archiveError(line number: Int, in place: ArchivePlace) -> CofferError {
    let detail = text(line: number)
    guard let limit else {
      return CofferError(.damagedArchive, path: place.path, entry: place.entry, detail: detail)
    }
    return .exceeding(limit, of: place.limits, path: place.path, entry: place.entry, detail)
  }

  /// The position and the description of the defect.
  fileprivate func text(line number: Int) -> String {
    "line \(number), byte \(offset): \(detail)"
  }
}
