internal import CofferCore
internal import CoreDataArchive

/// How an object becomes a line of text: CSV or NDJSON.
protocol DataLine {
  /// The file extension, without the dot.
  static var ending: String { get }

  /// The names of entities by number, as values of a line.
  static func entityNames(_ names: [Int64: String]) -> EntityNames

  /// Plans the lines of a part.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - entityNames: the result of ``entityNames(_:)`` for all parts.
  init(_ part: DataPart, entityNames: EntityNames)

  /// Appends the text before all lines.
  func appendHeader(to text: inout JSONBuffer)

  /// Appends the line of a row, including its end.
  func append(_ row: Row, _ values: DataValues, to text: inout JSONBuffer)
}
