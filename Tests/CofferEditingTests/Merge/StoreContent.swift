internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator

/// The objects and pairs of a store, and the expected merge of three states.
struct StoreContent {
  /// The tables of a store, and the compared columns.
  struct Tables {
    let schema: EditedSchema
    /// By table: the columns of attributes and references, and the entity.
    let columns: [[Int]]

    init(_ store: PersistentStore) {
      schema = EditedSchema(store.layout)
      columns = schema.tables.map { table in
        table.columns.indices.filter { column in
          switch table.columns[column].role {
          case .attribute(let path, _, _, let entity):
            let attribute = store.model[entity]?.attributes.first { $0.name == path.first }
            return attribute?.isDerived == false
          case .toOne, .owner, .entityNumber: return true
          default: return false
          }
        }
      }
    }
  }

  /// By table and key: the values of the compared columns.
  private(set) var rows: [[Int64: [StoreValue]]] = []
  /// By relationship.
  private(set) var pairs: [Set<[Int64]>] = []
  /// By table: the highest key that was ever given.
  private(set) var highest: [Int64] = []

  private init() {}

  /// Reads a store.
  init(_ path: String, _ tables: Tables) throws {
    let database = try GeneratorDatabase(path: path)
    for (table, columns) in zip(tables.schema.tables, tables.columns) {
      let names = columns.map { "\"\(table.columns[$0].storedName)\"" }
      var found: [Int64: [StoreValue]] = [:]
      for row in try database.rows(
        "SELECT \((["Z_PK"] + names).joined(separator: ", ")) FROM \"\(table.tableName)\"")
      {
        if let key = row[0].integer { found[key] = Array(row.dropFirst()) }
      }
      rows.append(found)
      let counter = try database.integer(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.string(table.rootEntityName.text)])
      highest.append(max(counter ?? 0, found.keys.max() ?? 0))
    }
    for table in tables.schema.pairs {
      let found = try database.rows(
        "SELECT \"\(table.ends[0].column)\", \"\(table.ends[1].column)\" FROM \"\(table.name)\"")
      pairs.append(
        Set(found.map { Self.ordered($0.map { $0.integer ?? 0 }, table) }))
    }
  }

  /// A pair, of which the direction means nothing if its relationship is its own inverse.
  static func ordered(_ pair: [Int64], _ pairs: EditedPairs) -> [Int64] {
    pairs.isReflexive ? pair.sorted() : pair
  }

  // MARK: Objects

  /// The holders and destinations of a reference, by the keys of the holders.
  func links(_ reference: EditedReference, _ tables: Tables) -> [(Int64, Int64)] {
    rows[reference.table].keys.sorted().compactMap { key in
      destination(of: key, in: reference, tables).map { (key, $0) }
    }
  }

  func destination(
    of key: Int64, in reference: EditedReference, _ tables: Tables
  ) -> Int64? {
    let place = tables.columns[reference.table].firstIndex(of: reference.column)
    return place.flatMap { rows[reference.table][key]?[$0].integer }
  }

  /// The number of an object's entity.
  func entity(of key: Int64, in table: Int, _ tables: Tables) -> StoreValue? {
    let columns = tables.schema.tables[table].columns
    let place = tables.columns[table].firstIndex { columns[$0].role == .entityNumber }
    return place.flatMap { rows[table][key]?[$0] }
  }

  /// Whether a value of an object may be in a file.
  func hasFile(_ key: Int64, in table: Int) -> Bool {
    rows[table][key]?.contains {
      if case .blob(let bytes) = $0 { bytes.first == 2 && bytes.count == 38 } else { false }
    } ?? false
  }

  // MARK: Merging

  /// Merges two states that come from a base, property by property.
  ///
  /// - Returns: the objects and pairs, and the number of properties that both changed differently.
  static func merged(
    _ other: StoreContent, into store: StoreContent, base: StoreContent, _ tables: Tables,
    prefersOther: Bool
  ) -> (content: StoreContent, conflictCount: Int) {
    let schema = tables.schema
    let gone = schema.tables.indices.map { table in
      Set(
        base.rows[table].keys.filter {
          store.rows[table][$0] == nil || other.rows[table][$0] == nil
        })
    }
    // What is new in the other store gets the next keys of the store.
    let keys = schema.tables.indices.map { table in
      let new = other.rows[table].keys.filter { $0 > base.highest[table] }.sorted()
      return Dictionary(
        uniqueKeysWithValues: new.enumerated().map {
          ($1, store.highest[table] + 1 + Int64($0))
        })
    }
    func row(_ key: Int64, _ table: Int, of state: StoreContent, mapping: Bool) -> [StoreValue]? {
      guard var row = state.rows[table][key] else { return nil }
      for reference in schema.references where reference.table == table {
        guard let place = tables.columns[table].firstIndex(of: reference.column),
          let key = row[place].integer
        else { continue }
        if gone[reference.destinationTable].contains(key) { row[place] = .null }
        if mapping, let new = keys[reference.destinationTable][key] { row[place] = .integer(new) }
      }
      return row
    }
    var result = StoreContent()
    var conflictCount = 0
    for table in schema.tables.indices {
      var found: [Int64: [StoreValue]] = [:]
      for key in store.rows[table].keys where !gone[table].contains(key) {
        found[key] = row(key, table, of: store, mapping: false)
      }
      for key in other.rows[table].keys where !gone[table].contains(key) {
        guard let theirs = row(key, table, of: other, mapping: true) else { continue }
        guard let before = row(key, table, of: base, mapping: false), let ours = found[key] else {
          found[keys[table][key] ?? key] = theirs
          continue
        }
        for place in theirs.indices where theirs[place] != before[place] {
          let isContested = ours[place] != before[place] && ours[place] != theirs[place]
          if isContested { conflictCount += 1 }
          if !isContested || prefersOther { found[key]?[place] = theirs[place] }
        }
      }
      result.rows.append(found)
      result.highest.append(store.highest[table] + Int64(keys[table].count))
    }
    for (index, pairs) in schema.pairs.enumerated() {
      let added = other.pairs[index].subtracting(base.pairs[index]).map { pair in
        ordered(zip(pairs.ends, pair).map { keys[$0.table][$1] ?? $1 }, pairs)
      }
      let removed = base.pairs[index].subtracting(other.pairs[index])
      let all = store.pairs[index].union(added).subtracting(removed)
      result.pairs.append(
        all.filter { pair in !zip(pairs.ends, pair).contains { gone[$0.table].contains($1) } })
    }
    return (result, conflictCount)
  }

  /// The objects and pairs that differ, in words.
  func differences(from other: StoreContent, _ tables: Tables) -> [String] {
    var found: [String] = []
    for (index, table) in tables.schema.tables.enumerated() {
      for key in Set(rows[index].keys).union(other.rows[index].keys).sorted()
      where rows[index][key] != other.rows[index][key] {
        let values = [rows[index][key], other.rows[index][key]].map { $0 ?? [] }
        let places = zip(values[0], values[1]).enumerated().filter { $1.0 != $1.1 }.map {
          "\(table.columns[tables.columns[index][$0.offset]].storedName): \($0.element)"
        }
        found.append("\(table.tableName) \(key): \(places)")
      }
      if highest[index] != other.highest[index] { found.append("\(table.tableName): counter") }
    }
    for (index, table) in tables.schema.pairs.enumerated() {
      let difference = pairs[index].symmetricDifference(other.pairs[index])
      if !difference.isEmpty { found.append("\(table.name): \(difference)") }
    }
    return found
  }
}
