package import CoreDataModel
package import CoreDataStore

/// The transfer of the rows of one new table from an old store: one statement that reads them, and
/// the columns that receive them.
package struct TransferStatement: Sendable, Equatable {
  /// The handling of the first byte of a value with external storage (store-format, section 6).
  package enum Marker: Sendable, Equatable {
    /// The value is copied unchanged.
    case unchanged
    /// The value has no such byte and gets one.
    case added
    /// The value had one and loses it, or comes out of its file.
    case removed
  }

  /// The kinds of rows.
  package enum Content: Sendable {
    case objects
    /// Pairs of a many-to-many relationship.
    case pairs
    case history
  }

  /// A column of the new table.
  package struct Column: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The handling of the first byte of its values.
    package var marker = Marker.unchanged
    /// Whether its values may refer to external files of the old store.
    package var mayBeExternal = false
    /// The column of the old table with its values; nil if they are computed.
    var origin: String?
    /// The result column with the size of a skipped value; nil if all values are read.
    var sizeColumn: Int32?
  }

  /// The name of the new table.
  package var table: String
  /// The columns, in the order of the statement's results.
  package var columns: [Column]
  /// The statement; the results after the columns are sizes.
  package var selection: String
  /// The values of the statement's parameters.
  package var arguments: [SQLiteValue]
  /// The old table of the origins, whose rows have the primary key of the first result; nil if no
  /// column has an origin.
  var originTable: String?
  /// The kind of the rows.
  package var content: Content

  /// The maximum size of a value that is read with its row.
  static let largestValue = 1 << 20
}

/// A statement that counts obstacles to a migration; anything above 0 is a problem.
package struct TransferCheck: Sendable, Equatable {
  /// The statement.
  package var sql: String
  /// The values of its parameters.
  package var arguments: [SQLiteValue]
  /// The problem, with the number put before the sentence.
  package var problem: @Sendable (Int64) -> MappingProblem

  /// Whether two checks ask the same.
  package static func == (left: Self, right: Self) -> Bool {
    left.sql == right.sql && left.arguments == right.arguments
  }
}
