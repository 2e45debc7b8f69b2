internal import CoreDataModel

/// The conditions that a schema sets for the rows of a table, besides a row number.
struct RowConditions {
  /// A unique index of plain columns.
  struct Unique {
    var index: String
    var columns: [String]
    /// The columns with their collations, as terms of a query.
    var terms: [String]

    /// Whether two rows of a table have the same key.
    ///
    /// The index is not asked: it may be damaged itself.
    func isViolated(_ source: SQLiteDatabase, table: String) throws(CofferError) -> Bool {
      try source.value(
        """
        SELECT 1 FROM \(quotedIdentifier(table)) NOT INDEXED \
        WHERE \(columns.map { "\(quotedIdentifier($0)) IS NOT NULL" }.joined(separator: " AND ")) \
        GROUP BY \(terms.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1
        """) != nil
    }
  }

  /// Whether only inserting the rows shows that they are allowed: something is computed, or a column has a
  /// condition.
  private(set) var needRows: Bool
  /// The unique indexes, including those that constraints create.
  private(set) var unique: [Unique] = []

  init(
    of table: SchemaStatement, _ indexes: [SchemaStatement], _ database: SQLiteDatabase
  ) throws(CofferError) {
    let name = SQLiteValue.string(table.name)
    let isConditional = try database.value(
      """
      SELECT 1 FROM pragma_table_xinfo(?1, 'main') WHERE hidden > 1 OR "notnull" <> 0 \
      UNION ALL SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ?1 \
      AND (wr <> 0 OR "strict" <> 0) LIMIT 1
      """, [name])
    needRows =
      isConditional != nil || SQLToken.all(in: table.sql).contains { $0.keyword == "CHECK" }
      || indexes.contains(where: \.computes)
    guard !needRows else { return }
    for row in try database.rows(
      "SELECT name, partial FROM pragma_index_list(?, 'main') WHERE \"unique\" <> 0", [name])
    {
      guard let index = row[0].string else { continue }
      let keys = try database.rows(
        "SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key <> 0 ORDER BY seqno",
        [row[0]])
      let columns = keys.compactMap(\.first?.string)
      guard columns.count == keys.count, row[1] == .integer(0) else {
        // An expression, or part of the rows.
        needRows = true
        return
      }
      unique.append(
        Unique(
          index: index, columns: columns,
          terms: keys.map {
            "\(quotedIdentifier($0[0].string ?? "")) COLLATE "
              + quotedIdentifier($0[1].string ?? "BINARY")
          }))
    }
  }
}

extension SchemaStatement {
  var isUnique: Bool {
    var reader = SQLTokenReader(sql)
    return reader.take("CREATE") && reader.take("UNIQUE")
  }

  /// Whether an index computes something for a row that can fail: a call, or a pattern.
  var computes: Bool {
    var reader = SQLTokenReader(sql)
    guard reader.takeUpTo("ON") != nil, reader.takeName() != nil else { return true }
    let patterns: Set<String> = ["LIKE", "GLOB", "MATCH", "REGEXP"]
    if reader.rest.contains(where: { patterns.contains($0.keyword) || $0.isSign("->") }) {
      return true
    }
    var scan = SchemaExpressionScan(functions: [], tables: [])
    return scan.objection(to: reader.rest) != nil
  }
}
