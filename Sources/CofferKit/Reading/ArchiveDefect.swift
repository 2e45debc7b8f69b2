internal import CoreDataArchive
internal import CoreDataLayout

/// Something in an archive that contradicts its format, after which the rest can still be read.
///
/// An import refuses the archive for it, or loses what it is about; a verification reports it.
struct ArchiveDefect {
  /// What is wrong.
  enum Kind {
    /// A line of that number is not one of its table.
    case invalidLine(Int)
    /// A line refers to a value in an entry of its own that does not come.
    case missingValue(OutOfLineValue)
    /// The entry of a value has another size than its line says.
    case wrongValueSize(OutOfLineValue)
    /// Two lines refer to the same entry.
    case sharedValue
    /// Another table stands between the parts of this one.
    case scatteredParts
  }

  /// What is wrong.
  let kind: Kind
  /// The table that it is about.
  let table: TableLayout
  /// The name of the entry.
  let entry: String
  /// What is wrong, in words.
  let detail: String

  /// A defect of an entry.
  init(_ kind: Kind, of table: TableLayout, entry: String) {
    self.kind = kind
    self.table = table
    self.entry = entry
    detail =
      switch kind {
      case .invalidLine(let number): "line \(number) is not one of this table"
      case .missingValue: "a line refers to this entry, and it is not there"
      case .wrongValueSize: "it has another size than its line says"
      case .sharedValue: "two values are said to be this entry"
      case .scatteredParts: "the parts of a table do not stand together"
      }
  }

  /// The defect of a line.
  ///
  /// - Throws: `archive-limit` where the line is not wrong but too large.
  init(
    _ error: LineError, line number: Int, of table: TableLayout, in place: ArchivePlace
  ) throws(CofferError) {
    guard error.limit == nil else { throw error.archiveError(line: number, in: place) }
    kind = .invalidLine(number)
    self.table = table
    entry = place.entry
    detail = error.text(line: number)
  }

  /// The error of a command that cannot go on, of the code `damaged-archive`.
  func error(path: String) -> CofferError {
    CofferError(.damagedArchive, path: path, entry: entry, detail: detail)
  }

  /// The finding of a verification.
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

/// Where in an archive a line stands, and what the archive may hold.
struct ArchivePlace {
  /// The archive.
  var path: String
  /// The entry of the line.
  var entry: String
  /// What an archive may hold at most.
  var limits: ArchiveLimits
}

extension LineError {
  /// The error of a command that cannot go on after this line.
  ///
  /// - Parameters:
  ///   - number: the number of the line, from 1.
  ///   - place: its entry.
  /// - Returns: `damaged-archive`, or `archive-limit`.
  func archiveError(line number: Int, in place: ArchivePlace) -> CofferError {
    let detail = text(line: number)
    guard let limit else {
      return CofferError(.damagedArchive, path: place.path, entry: place.entry, detail: detail)
    }
    return .exceeding(limit, of: place.limits, path: place.path, entry: place.entry, detail)
  }

  /// Where in the line and what, in words.
  fileprivate func text(line number: Int) -> String {
    "line \(number), byte \(offset): \(detail)"
  }
}
