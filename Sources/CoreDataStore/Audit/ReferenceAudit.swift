package import CoreDataModel

/// Looks for references that lead nowhere, to the wrong kind of object, or not back.
///
/// Core Data declares no foreign keys, so SQLite's own checks see none of this. Each reference costs
/// one pass over its table; the keys that it looks up come in about the order of the rows.
package struct ReferenceAudit {
  private let database: SQLiteDatabase

  /// An audit of a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Reports the defects of one reference in ascending order of primary keys.
  package func defects(
    of reference: StoredReference, report: (ReferenceDefect) -> Void
  ) throws(CofferError) {
    let statement = try database.prepare(Self.sql(for: reference))
    while try statement.step() {
      let key = statement.int64(0)
      let entity = statement.int64(1)
      for (column, kind) in Self.kinds.enumerated()
      where statement.int64(Int32(clamping: column + 2)) != 0 {
        report(ReferenceDefect(kind: kind, primaryKey: key, entity: entity))
      }
    }
  }

  private static let kinds: [ReferenceDefect.Kind] = [
    .dangling, .wrongEntity, .wrongEntityColumn, .inverseMissing, .inverseMismatch,
  ]

  /// One row for each object with a defect: its key, its entity, and a flag for each kind of defect.
  static func sql(for reference: StoredReference) -> String {
    let source = reference.source
    let destination = reference.destination
    let value = "s.\(quotedIdentifier(reference.column))"
    let key = "d.\(quotedIdentifier(destination.primaryKey))"
    let entity = "d.\(quotedIdentifier(destination.entity))"
    let numbers = reference.allowedEntities.map(String.init).joined(separator: ", ")
    let isThere = "\(key) IS NOT NULL"
    let dangling = "(\(value) IS NOT NULL AND \(key) IS NULL)"
    let wrong = "(\(isThere) AND \(entity) NOT IN (\(numbers)))"
    var column = "0"
    if let name = reference.entityColumn {
      let noted = "s.\(quotedIdentifier(name))"
      column =
        "((\(isThere) AND \(noted) IS NOT \(entity)) OR (\(value) IS NULL AND \(noted) IS NOT NULL))"
    }
    var missing = "0"
    var mismatch = "0"
    if let name = reference.inverseColumn {
      let back = "d.\(quotedIdentifier(name))"
      missing = "(\(isThere) AND \(back) IS NULL)"
      mismatch = "(\(isThere) AND \(back) <> s.\(quotedIdentifier(source.primaryKey)))"
    }
    let flags = [dangling, wrong, column, missing, mismatch]
    let owners = reference.sourceEntities.map(String.init).joined(separator: ", ")
    // The table in its own order: its index on the column would make the look-ups random.
    return """
      SELECT s.\(quotedIdentifier(source.primaryKey)), s.\(quotedIdentifier(source.entity)), \
      \(flags.map { "coalesce(\($0), 0)" }.joined(separator: ", ")) \
      FROM \(quotedIdentifier(source.name)) AS s NOT INDEXED \
      LEFT JOIN \(quotedIdentifier(destination.name)) AS d ON \(key) = \(value) \
      WHERE s.\(quotedIdentifier(source.entity)) IN (\(owners)) \
      AND (\(flags.joined(separator: " OR "))) ORDER BY 1
      """
  }
}
