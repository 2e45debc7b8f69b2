package import CofferComparison
package import CoreDataModel
package import CoreDataStore

/// The store into which tables are merged, while they are read.
///
/// Tables state only some values of an object, and may refer to objects that only the store has. Therefore,
/// the stated values are recorded along with the objects, and objects that only the store has are added
/// without stated values.
package final class SheetTarget {
  /// The name of the store's schema in the database.
  let source: String
  /// The keys for matching objects.
  let naturalKeys: [NaturalKey]
  /// Whether equal primary keys are equal objects.
  let matchesByObjectID: Bool
  /// The orders of relationships that tables state.
  package var orders = StatedOrders()
  private(set) var tablesWithRecords: Set<Int> = []
  /// The join tables with records, by their indexes in the schema.
  private(set) var pairsWithRecords: Set<Int> = []
  private let insertion: SQLiteStatement

  /// Prepares to record the values that tables state.
  ///
  /// - Parameters:
  ///   - database: the database, which becomes the store of the tables.
  ///   - source: the name of the schema of the store into which they are merged.
  ///   - naturalKeys: the keys for matching objects.
  ///   - matchesByObjectID: whether equal primary keys are equal objects.
  /// - Throws: `CofferError` mapped from SQLite's result code.
  package init(
    _ database: SQLiteDatabase, source: String, naturalKeys: [NaturalKey],
    matchesByObjectID: Bool
  ) throws(CofferError) {
    self.source = source
    self.naturalKeys = naturalKeys
    self.matchesByObjectID = matchesByObjectID
    try database.run(
      "CREATE TABLE main.\(StatedValues.stated) (t INTEGER, k INTEGER, w INTEGER, m INTEGER, "
        + "e INTEGER, PRIMARY KEY (t, k, w))")
    try database.run(
      "CREATE TABLE main.\(StatedValues.known) (t INTEGER, k INTEGER, s INTEGER, "
        + "PRIMARY KEY (t, k))")
    insertion = try database.prepare(
      "INSERT INTO main.\(StatedValues.stated) VALUES (?, ?, ?, ?, ?)")
  }

  func noteUse(of pairs: Int) { pairsWithRecords.insert(pairs) }

  /// Records, by column of its table, for which the record of an object states a value, which may be none.
  func note(
    _ object: StoredObject, of entity: Int64, _ isStated: some Collection<Bool>
  ) throws(CofferError) {
    tablesWithRecords.insert(object.table)
    var (word, mask, bit): (Int64, Int64, Int64) = (0, 0, 1)
    func insert() throws(CofferError) {
      for (place, value) in [Int64(object.table), object.key, word, mask, entity].enumerated() {
        insertion.bind(value, at: Int32(clamping: place + 1))
      }
      try insertion.run()
    }
    for (column, isStated) in isStated.enumerated() {
      if column > 0, column % StatedValues.wordSize == 0 {
        try insert()
        (word, mask, bit) = (word + 1, 0, 1)
      }
      if isStated { mask |= bit }
      bit <<= 1
    }
    try insert()
  }
}

/// The orders of relationships that tables state; all other orders follow from the order of records.
package struct StatedOrders {
  /// The references whose positions come from lists.
  package var references: Set<Int> = []
  /// The join tables, with the end of the owners.
  package var pairs: Set<[Int]> = []
}

/// The values that tables state for the objects of the store that was made from them.
package final class StatedValues {
  /// The columns of each object whose values its record states, as bits of several numbers.
  static let stated = "coffer_stated"
  /// The objects that tables only refer to, with their keys in the store into which they are merged.
  static let known = "coffer_known"
  /// The number of columns in one number.
  static let wordSize = 60

  /// The orders that are stated.
  package let orders: StatedOrders
  private let statements: EditStatements
  /// The stated columns of the last requested object, in one of its numbers.
  private var last: (object: StoredObject, word: Int, mask: Int64)?

  /// Prepares to read the recorded values of a store.
  package init(_ orders: StatedOrders, _ statements: EditStatements) {
    self.orders = orders
    self.statements = statements
  }

  /// Whether a record states a value of an object, which may be none.
  package func isStated(_ column: Int, of object: StoredObject) throws(CofferError) -> Bool {
    let (word, bit) = column.quotientAndRemainder(dividingBy: Self.wordSize)
    return try mask(word, of: object) & (1 << Int64(bit)) != 0
  }

  /// One of the numbers of an object, which is read once for all columns in turn.
  private func mask(_ word: Int, of object: StoredObject) throws(CofferError) -> Int64 {
    if let last, last.object == object, last.word == word { return last.mask }
    let mask =
      try statements.row(
        "SELECT m FROM \(Self.stated) WHERE t = ? AND k = ? AND w = ?",
        .integer(Int64(object.table)), .integer(object.key), .integer(Int64(word)))?[0].integer ?? 0
    last = (object, word, mask)
    return mask
  }

  /// The object of the other store that tables only refer to; nil for objects with records.
  package func known(_ object: StoredObject) throws(CofferError) -> StoredObject? {
    try statements.row(
      "SELECT s FROM \(Self.known) WHERE t = ? AND k = ?", .integer(Int64(object.table)),
      .integer(object.key))?[0].integer.map { StoredObject(table: object.table, key: $0) }
  }

  /// Whether there are records of objects of exactly this entity.
  package func hasObjects(of entity: Int64, in table: Int) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(Self.stated) WHERE t = ? AND e = ? LIMIT 1", .integer(Int64(table)),
      .integer(entity)) != nil
  }
}
