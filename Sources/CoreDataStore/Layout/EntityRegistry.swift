package import CoreDataModel

/// The entities as the store numbers them: the rows of Z_PRIMARYKEY.
///
/// Source: store-format, section 2.
package struct EntityRegistry: Sendable, Equatable {
  /// The first number reserved for the framework's own entities (store-format, section 2.5).
  package static let firstSystemNumber: Int64 = 16000

  /// One row of Z_PRIMARYKEY.
  package struct Row: Sendable, Equatable {
    /// The number of the entity, which its rows carry in Z_ENT.
    package var number: Int64
    /// The name in the store, possibly an older one; empty if it is not a text.
    package var name: Name
    /// The number of the superentity; 0 for a root entity, nil when it is not an integer.
    package var superentityNumber: Int64?
    /// The last assigned primary key, as stored; 0 for subentities.
    package var maximumPrimaryKey: SQLiteValue

    /// Creates a row for an entity.
    package init(
      number: Int64, name: Name, superentityNumber: Int64? = 0,
      maximumPrimaryKey: SQLiteValue = .integer(0)
    ) {
      self.number = number
      self.name = name
      self.superentityNumber = superentityNumber
      self.maximumPrimaryKey = maximumPrimaryKey
    }
  }

  /// The rows of the app's entities, in ascending order of numbers.
  package var rows: [Row]
  /// The rows of the system's entities, in ascending order of numbers.
  package var systemRows: [Row]

  /// The maximum number of rows to read: more than there are 16-bit numbers.
  private static let maxRows = 70_000
  /// The maximum length of an entity's name.
  private static let longestName = 100_000

  /// Creates a registry from rows in any order.
  package init(rows: [Row]) {
    let sorted = rows.sorted { $0.number < $1.number }
    self.rows = sorted.filter { $0.number < Self.firstSystemNumber }
    systemRows = sorted.filter { $0.number >= Self.firstSystemNumber }
  }

  /// The registry that the rule of numbering gives a model, without counters of primary keys.
  package init(numberedByRule model: ManagedObjectModel, systemRows: [Row]) {
    let numbers = EntityNumbering.computedNumbers(of: model)
    let rows = model.entities.compactMap { entity in
      numbers[entity.name].map { number in
        Row(
          number: number, name: entity.name,
          superentityNumber: entity.superentityName.flatMap { numbers[$0] } ?? 0,
          maximumPrimaryKey: .null)
      }
    }
    self.init(rows: rows + systemRows)
  }

  /// Reads the registry of a store; it is empty when the store has no Z_PRIMARYKEY.
  ///
  /// - Throws: ``CofferError``: `not-a-core-data-store` when Z_PRIMARYKEY lacks a column; what SQLite
  ///   reports otherwise.
  package init(_ database: SQLiteDatabase, catalog: SchemaCatalog) throws(CofferError) {
    guard let table = catalog.table("Z_PRIMARYKEY") else {
      self.init(rows: [])
      return
    }
    for column in ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"] where table.column(column) == nil {
      throw CofferError(
        .notCoreData, path: database.place, detail: "Z_PRIMARYKEY has no column \(column)")
    }
    let found = try database.rows(
      """
      SELECT Z_ENT, CASE typeof(Z_NAME) WHEN 'text' THEN substr(Z_NAME, 1, \(Self.longestName)) END, \
      Z_SUPER, CASE WHEN length(Z_MAX) <= 1000 THEN Z_MAX END FROM main.Z_PRIMARYKEY \
      LIMIT \(Self.maxRows)
      """)
    self.init(
      rows: found.compactMap { values in
        // Z_ENT is the rowid, always an integer; a table made otherwise may hold anything.
        guard let number = values[0].integer else { return nil }
        return Row(
          number: number, name: Name(values[1].string ?? ""), superentityNumber: values[2].integer,
          maximumPrimaryKey: values[3])
      })
  }

  /// Whether the numbers of a model's entities are lost: their place can be empty, or hold rows of
  /// another table.
  package func isForeign(to model: ManagedObjectModel) -> Bool {
    !rows.contains { model[$0.name] != nil }
  }

  /// The row with a number, including the framework's own; nil if there is none.
  package func row(_ number: Int64) -> Row? {
    (number < Self.firstSystemNumber ? rows : systemRows).first { $0.number == number }
  }
}
