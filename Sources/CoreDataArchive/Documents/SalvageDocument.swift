/// What was lost when a damaged store was exported: `salvage.json`, after all rows and files.
///
/// Only an archive that lacks something has it.
package struct SalvageDocument: Sendable, Equatable {
  /// The maximum number of elements in each list; the rest is only counted.
  package static let listLimit = 10_000

  /// Rows that were lost.
  package struct Rows: Sendable, Equatable {
    /// The lowest key.
    package var first: Int64
    /// The highest key; nil if it is unknown.
    package var last: Int64?
    /// Whether there was a row of each key.
    package var isExact: Bool

    /// Creates rows.
    package init(first: Int64, last: Int64?, isExact: Bool) {
      self.first = first
      self.last = last
      self.isExact = isExact
    }
  }

  /// A value that was lost from a row.
  package struct Value: Sendable, Equatable {
    /// The key of the row.
    package var key: Int64
    /// The property, or the column if it belongs to none.
    package var property: String

    /// Creates a lost value.
    package init(key: Int64, property: String) {
      self.key = key
      self.property = property
    }
  }

  /// A table that lost something.
  package struct Table: Sendable, Equatable {
    /// The folder of its entries.
    package var folder: String
    /// The entity of its objects, or the one of its relationship; nil for others.
    package var entityName: String?
    /// The number of readable rows.
    package var readCount: Int
    /// The number of lost rows: exact, or an upper bound.
    package var lostCount: Int
    /// Whether ``lostCount`` is exact.
    package var isExact: Bool
    /// The rows that were lost.
    package var rows: [Rows]
    /// The number of values lost from readable rows.
    package var lostValueCount: Int
    /// The values that were lost.
    package var values: [Value]

    /// Creates a table with losses.
    package init(
      folder: String, entityName: String?, readCount: Int, lostCount: Int, isExact: Bool,
      rows: [Rows], lostValueCount: Int, values: [Value]
    ) {
      self.folder = folder
      self.entityName = entityName
      self.readCount = readCount
      self.lostCount = lostCount
      self.isExact = isExact
      self.rows = rows
      self.lostValueCount = lostValueCount
      self.values = values
    }
  }

  /// A reference to an object that was lost.
  package struct Reference: Sendable, Equatable {
    /// The entity of the object that refers, or the one of the relationship.
    package var entityName: String
    /// Its primary key; nil if it has none.
    package var key: Int64?
    /// The relationship.
    package var relationship: String
    /// The primary key of the lost object.
    package var destination: Int64

    /// Creates a reference to a lost object.
    package init(entityName: String, key: Int64?, relationship: String, destination: Int64) {
      self.entityName = entityName
      self.key = key
      self.relationship = relationship
      self.destination = destination
    }
  }

  /// The tables that lost something, in the order of the archive.
  package var tables: [Table] = []
  /// The number of references to lost objects.
  package var danglingCount = 0
  /// The references to lost objects.
  package var dangling: [Reference] = []
  /// The files of external binary data that could not be read.
  package var files: [String] = []
  /// Whether the whole schema is readable.
  ///
  /// Otherwise, entire tables may be missing.
  package var isSchemaWhole = true
  /// The tables of the model that are missing for that reason: the root entity, or entity and
  /// relationship separated by a dot.
  package var missingTables: [String] = []
  /// The number of missing bytes of the write-ahead log.
  package var missingLogBytes = 0

  /// A document without losses.
  package init() {}

  /// Whether nothing was lost.
  package var isEmpty: Bool {
    tables.isEmpty && files.isEmpty && missingLogBytes == 0 && isSchemaWhole
  }
  /// The number of lost rows, exact or an upper bound.
  package var lostRowCount: Int { Self.sum(tables.map(\.lostCount)) }
  /// Whether ``lostRowCount`` is exact.
  package var isExact: Bool { isSchemaWhole && tables.allSatisfy(\.isExact) }
  /// The number of values lost from readable rows.
  package var lostValueCount: Int { Self.sum(tables.map(\.lostValueCount)) }
  /// The number of tables that lost all their rows or are missing entirely.
  package var lostTableCount: Int {
    tables.count { $0.readCount == 0 && $0.hasLostRows } + missingTables.count
  }

  /// Adds up what may come from a file.
  private static func sum(_ numbers: [Int]) -> Int {
    numbers.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
  }
}

extension SalvageDocument.Table {
  /// Whether rows were lost.
  package var hasLostRows: Bool { lostCount > 0 || !isExact }
}
