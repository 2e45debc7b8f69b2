/// Rows that were decoded from lines, with the bytes that their texts and blobs stand in.
struct DecodedRows: Sendable {
  /// A row.
  struct Row: Sendable {
    /// Where its cells end; they begin where those of the row before end.
    var cellEnd: Int32
    /// How many to-one relationships are set.
    var toOneCount: Int32
  }

  /// What few rows have.
  struct Extras: Sendable {
    /// The index of the row.
    var row: Int
    /// The number of the object's entity.
    var entity: Int64?
    /// The values that are entries of their own.
    var outOfLineValues: [OutOfLineValue]
    /// The references to external files.
    var externalReferences: [ExternalReference]
    /// The columns whose values were left out.
    var lostColumns: [Int]
  }

  /// A line that is none.
  struct Failure: Sendable {
    /// The index of the row that comes next.
    var row: Int
    /// What is wrong.
    var error: LineError
  }

  /// The lines; what cells refer to stands in them.
  var lines: ContiguousArray<UInt8> = []
  /// The values of the part that stand out of line.
  var blobs = PartBlobs.empty
  /// The values of all rows.
  var cells: ContiguousArray<DecodedValue> = []
  /// The rows in the order of their lines.
  var rows: ContiguousArray<Row> = []
  /// What few rows have, in the order of the rows.
  var extras: [Extras] = []
  /// The lines that are none, in their order.
  var failures: [Failure] = []

  /// Forgets the rows; the lines stay.
  mutating func removeRows() {
    rows.removeAll(keepingCapacity: true)
    if !extras.isEmpty { extras.removeAll() }
    if !failures.isEmpty { failures.removeAll() }
  }
}
