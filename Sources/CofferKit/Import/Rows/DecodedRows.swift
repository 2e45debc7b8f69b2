/// Rows decoded from lines, with the bytes of their texts and blobs.
struct DecodedRows: Sendable {
  /// A row.
  struct Row: Sendable {
    /// The end of its cells, which begin at the end of the previous row's.
    var cellEnd: Int32
    /// The number of to-one relationships that are not nil.
    var toOneCount: Int32
  }

  /// Extras that few rows have.
  struct Extras: Sendable {
    /// The index of the row.
    var row: Int
    /// The entity number of the object.
    var entity: Int64?
    /// The values that have their own entries.
    var outOfLineValues: [OutOfLineValue]
    /// The references to external files.
    var externalReferences: [ExternalReference]
    /// The columns whose values were lost.
    var lostColumns: [Int]
  }

  /// An invalid line.
  struct Failure: Sendable {
    /// The index of the next row.
    var row: Int
    /// What is wrong.
    var error: LineError
  }

  /// The lines, which contain the bytes that cells refer to.
  var lines: ContiguousArray<UInt8> = []
  /// The out-of-line values of the part.
  var blobs = PartBlobs.empty
  /// The values of all rows.
  var cells: ContiguousArray<DecodedValue> = []
  /// The rows in the order of their lines.
  var rows: ContiguousArray<Row> = []
  /// The extras, in the order of the rows.
  var extras: [Extras] = []
  /// How many of the lines are short.
  var shortLineCount = 0
  /// The invalid lines, in order.
  var failures: [Failure] = []

  /// Removes the rows and keeps the lines.
  mutating func removeRows() {
    rows.removeAll(keepingCapacity: true)
    if !extras.isEmpty { extras.removeAll() }
    if !failures.isEmpty { failures.removeAll() }
  }
}
