internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Writes a file of lines for each entity and for each many-to-many relationship.
final class LineFileWriter<Line: DataLine>: DataWriter {
  private let folder: OutputFolder
  private let values: DataValues
  private let entityNames: EntityNames
  private var names = DataFileNames()
  private var outputs: [Output] = []

  /// The file of a part and the format of its lines; nil for an excluded part.
  private struct Output {
    var file: LineFile
    var line: Line?
    var isNeeded: Bool
  }

  init(_ folder: OutputFolder, _ values: DataValues, entityNames: [Int64: Name]) {
    self.folder = folder
    self.values = values
    self.entityNames = Line.entityNames(entityNames)
  }

  func begin(_ table: ExportedTable) throws {
    outputs = table.parts.map { part in
      let name = names.take(part, ending: Line.ending)
      return Output(
        file: LineFile(name, in: folder),
        line: part.isChosen ? Line(part, entityNames: entityNames) : nil,
        isNeeded: part.isWritten(0))
    }
    for output in outputs {
      try output.file.append { text in output.line?.appendHeader(to: &text) }
    }
  }

  func write(_ row: Row, part: Int) throws {
    outputs[part].isNeeded = true
    guard let line = outputs[part].line else { return }
    try outputs[part].file.append { text in line.append(row, values, to: &text) }
  }

  func end() throws {
    for output in outputs where output.isNeeded { try output.file.flush() }
  }

  func fileName(part: Int) -> String { outputs[part].file.name }
}

/// A file of lines, written in pieces.
final class LineFile {
  /// The number of bytes to collect before writing.
  private static let pieceSize = 128 << 10

  let name: String
  private let folder: OutputFolder
  private var text = JSONBuffer(minimumCapacity: 1 << 10)
  private var isCreated = false

  init(_ name: String, in folder: OutputFolder) {
    self.name = name
    self.folder = folder
  }

  /// Appends to the buffer, and writes it if it is full enough.
  func append(_ body: (inout JSONBuffer) -> Void) throws(CofferError) {
    body(&text)
    if text.count >= Self.pieceSize { try flush() }
  }

  /// Creates the file if necessary, and writes the collected bytes.
  func flush() throws(CofferError) {
    if !isCreated {
      try folder.create(name)
      isCreated = true
    }
    try unsafe text.withUnsafeBytes { bytes throws(CofferError) in
      if bytes.count > 0 { try unsafe folder.append(bytes, to: name) }
    }
    text.removeAll()
  }
}

/// The format of an object as a line of text: CSV or NDJSON.
protocol DataLine {
  /// The file extension, without the dot.
  static var ending: String { get }

  /// The names of entities by number, as values of a line.
  static func entityNames(_ names: [Int64: Name]) -> EntityNames

  /// Plans the lines of a part.
  init(_ part: DataPart, entityNames: EntityNames)

  /// Appends the text before all lines.
  func appendHeader(to text: inout JSONBuffer)

  /// Appends the line of a row, including its end.
  func append(_ row: Row, _ values: DataValues, to text: inout JSONBuffer)
}
