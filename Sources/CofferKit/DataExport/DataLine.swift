internal import CoreDataArchive

/// How one object becomes one line of a text: CSV and NDJSON.
protocol DataLine {
  /// What the names of the files end with, without the dot.
  static var ending: String { get }

  /// The names of entities by their numbers, as values of a line.
  static func entityNames(_ names: [Int64: String]) -> EntityNames

  /// Plans the lines of a part.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - entityNames: what ``entityNames(_:)`` gave for all parts.
  init(_ part: DataPart, entityNames: EntityNames)

  /// Appends what comes before all lines.
  func appendHeader(to text: inout JSONBuffer)

  /// Appends the line of a row, and its end.
  func append(_ row: Row, _ values: DataValues, to text: inout JSONBuffer)
}
