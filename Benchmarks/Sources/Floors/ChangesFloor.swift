#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads the least that tells the content digest of a store in which scattered rows have changed.
///
/// A change shows only in the pages, so all of them are read. The digest of a part covers its lines in order, so
/// at least the rows from the first changed one to the end of the part are read, even if the state of the hash
/// was kept for each row. Nothing is encoded or hashed.
struct ChangesFloor {
  /// The number of rows of a part.
  private static let partSize: Int64 = 1000

  let path: String
  /// The number of changed rows.
  let count: Int

  /// Reads all pages.
  func readPages() throws(FloorError) {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { throw FloorError(text: "floors: \(path): cannot be opened") }
    defer { close(file) }
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(file, $0.baseAddress, $0.count)
      }
      guard count >= 0 else { throw FloorError(text: "floors: \(path): cannot be read") }
      if count == 0 { return }
    }
  }

  /// Reads the rows from the first changed one of each part on.
  ///
  /// - Returns: the share of all rows.
  func readRows() throws(FloorError) -> Double {
    let database = try CheckedDatabase(path)
    var tables: [(name: String, rows: Int64)] = []
    for name in try database.tables() {
      guard let last = try? database.firstText("SELECT max(rowid) FROM \(name)"),
        let rows = Int64(last), rows > Self.partSize
      else { continue }
      tables.append((name, rows))
    }
    let total = tables.reduce(0) { $0 + $1.rows }
    guard total > 0 else { throw FloorError(text: "floors: \(path): has no large table") }
    var starts = [[Int64: Int64]](repeating: [:], count: tables.count)
    var state: UInt64 = 1
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var row = Int64(state >> 33) % total
      guard
        let table = tables.firstIndex(where: { table in
          if row < table.rows { return true }
          row -= table.rows
          return false
        })
      else { continue }
      let part = row / Self.partSize
      starts[table][part] = min(starts[table][part] ?? .max, row + 1)
    }
    var readCount: Int64 = 0
    for (table, firsts) in zip(tables, starts) {
      for (part, first) in firsts.sorted(by: { $0.key < $1.key }) {
        let last = min((part + 1) * Self.partSize, table.rows)
        try unsafe database.read(table.name, where: "rowid BETWEEN \(first) AND \(last)")
        readCount += last - first + 1
      }
    }
    return Double(readCount) / Double(total)
  }
}
