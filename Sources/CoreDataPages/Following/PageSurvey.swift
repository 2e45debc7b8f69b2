package import CoreDataModel
package import CoreDataStore

/// A digest of 16 bytes.
package struct PageDigest: Sendable, Hashable {
  /// The bytes as two big-endian numbers.
  package var high, low: UInt64

  /// Creates a digest from its bytes.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// A record of a state of a database, which shows the rows that may differ in a later state: a digest of
/// each page, and the pages of each table.
package struct PageSurvey: Sendable, Equatable {
  /// The pages of a table.
  package struct Table: Sendable, Equatable {
    /// The name of the table.
    package var name: Name
    /// Whether its rows have numbers.
    package var hasRowNumbers: Bool
    /// The leaves in the order of their rows; all pages for a table whose rows have no numbers.
    package var pages: [UInt32]

    /// Gives the pages of a table.
    package init(name: Name, hasRowNumbers: Bool, pages: [UInt32]) {
      (self.name, self.hasRowNumbers, self.pages) = (name, hasRowNumbers, pages)
    }
  }

  /// Computes the digest of bytes.
  package typealias Hashing = (UnsafeRawBufferPointer) throws -> PageDigest

  /// The size of a page in bytes.
  package var pageSize: Int
  /// The digests of all pages, beginning with page 1.
  package var digests: [PageDigest]
  /// The digest of the schema, with the first page of each table.
  package var schema: PageDigest
  /// The tables of the schema that have pages.
  package var tables: [Table]

  /// Creates a survey from its record.
  package init(pageSize: Int, digests: [PageDigest], schema: PageDigest, tables: [Table]) {
    (self.pageSize, self.digests) = (pageSize, digests)
    (self.schema, self.tables) = (schema, tables)
  }

  /// Reads all pages of a state; nil if a page does not fit an intact database.
  ///
  /// - Parameters:
  ///   - pages: the pages.
  ///   - rows: the rows of `sqlite_schema` with the columns of ``schemaStatement``.
  ///   - hash: computes the digest of a page.
  /// - Throws: ``CofferError`` with `read-failed`; `CancellationError`; errors of the closure.
  package init?(_ pages: SnapshotPages, schema rows: [[SQLiteValue]], _ hash: Hashing) throws {
    guard let single = try pages.single() else { return nil }
    let roots = rows.compactMap { row -> (name: String, root: Int)? in
      guard row.count == 5, row[0].string == "table", let name = row[1].string,
        let root = row[3].integer, root > 0
      else { return nil }
      return (name, Int(clamping: root))
    }
    guard
      let owners = try LeafOwners(single, roots: roots.map(\.root), followsIndexTrees: true)
    else { return nil }
    tables = zip(roots, owners.trees).map {
      Table(name: Name($0.name), hasRowNumbers: !$1.isOfIndex, pages: $1.pages)
    }
    guard Set(tables.map(\.name)).count == tables.count else { return nil }
    pageSize = pages.pageSize
    schema = try unsafe Self.bytes(of: rows).withUnsafeBytes { unsafe try hash($0) }
    digests = []
    digests.reserveCapacity(pages.pageCount)
    unsafe try pages.forEach { chunk, _ in
      try Task<Never, Never>.checkCancellation()
      for start in stride(from: 0, to: chunk.count, by: pages.pageSize) {
        unsafe try digests.append(
          hash(UnsafeRawBufferPointer(rebasing: chunk[start..<start + pages.pageSize])))
      }
    }
    guard digests.count == pages.pageCount else { return nil }
  }

  /// The statement that reads the schema.
  package static let schemaStatement =
    "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid"

  /// Rows as bytes, each value with its kind and its length.
  private static func bytes(of rows: [[SQLiteValue]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in rows.joined() {
      let (kind, content): (UInt8, [UInt8]) =
        switch value {
        case .null: (0, [])
        case .integer(let number): (1, Array("\(number)".utf8))
        case .real(let number): (2, Array("\(number)".utf8))
        case .text(let text): (3, text)
        case .blob(let blob): (4, blob)
        }
      bytes.append(kind)
      bytes += "\(content.count):".utf8
      bytes += content
    }
    return bytes
  }
}

extension SnapshotPages {
  /// The pages, to be read one by one; nil if they do not begin like a database.
  ///
  /// - Throws: ``CofferError`` with `read-failed`.
  package func single() throws(CofferError) -> DatabasePages? {
    try DatabasePages(byteCount: pageCount * pageSize) { offset, count throws(CofferError) in
      try self.bytes(at: offset, count: count)
    }
  }
}
