internal import Foundation
internal import StoreGenerator

/// What every page of a database is for, found by walking its trees; for a sound file without a `-wal`.
///
/// Written from <https://sqlite.org/fileformat2.html> alone.
package struct PageMap {
  /// What a page is.
  package enum Kind: String, Sendable {
    case tableInterior, tableLeaf, indexInterior, indexLeaf, overflow, other
  }

  /// One page.
  package struct Page: Sendable {
    /// The number, from 1.
    package var number: Int
    /// What it is.
    package var kind: Kind
    /// The table or index; empty for pages of none.
    package var object: String
    /// Whether it is the root of its tree.
    package var isRoot: Bool
    /// Of a leaf of a table, the row numbers on it; of an overflow page, the row that it belongs to.
    package var rows: [Int64]
    /// Of an overflow page, whether it is the last one of its chain.
    package var isLast: Bool
  }

  /// The size of a page in bytes.
  package let pageSize: Int
  /// All pages in ascending order; the first is the schema's.
  package private(set) var pages: [Page]
  private let bytes: [UInt8]

  /// Reads the map of a database.
  package init(_ path: String) throws {
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    pages = (1...(bytes.count / pageSize)).map {
      Page(number: $0, kind: .other, object: "", isRoot: false, rows: [], isLast: false)
    }
    let database = try GeneratorDatabase(path: path)
    let roots = try database.rows("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
    walk(1, object: "sqlite_schema", isRoot: true)
    for row in roots {
      guard case .text(let name) = row[0], case .integer(let root) = row[1] else { continue }
      walk(Int(root), object: String(decoding: name, as: UTF8.self), isRoot: true)
    }
  }

  /// The pages of a table or index of one kind, in the order of the tree's keys for leaves of tables.
  package func pages(of object: String, _ kind: Kind) -> [Page] {
    pages.filter { $0.object == object && $0.kind == kind }
      .sorted { ($0.rows.first ?? 0, $0.number) < ($1.rows.first ?? 0, $1.number) }
  }

  private mutating func walk(_ number: Int, object: String, isRoot: Bool) {
    let start = (number - 1) * pageSize
    let header = start + (number == 1 ? 100 : 0)
    let kinds: [UInt8: Kind] = [
      5: .tableInterior, 13: .tableLeaf, 2: .indexInterior, 10: .indexLeaf,
    ]
    guard let kind = kinds[bytes[header]] else { return }
    let isInterior = kind == .tableInterior || kind == .indexInterior
    var page = Page(
      number: number, kind: kind, object: object, isRoot: isRoot, rows: [], isLast: false)
    for cell in 0..<word(header + 3) {
      var place = start + word(header + (isInterior ? 12 : 8) + cell * 2)
      if isInterior {
        walk(long(place), object: object, isRoot: false)
        place += 4
        if kind == .tableInterior { continue }
      }
      let payload = Int(varint(&place))
      let row = kind == .tableLeaf ? varint(&place) : 0
      if kind == .tableLeaf { page.rows.append(row) }
      let local = localSize(payload, isTable: kind == .tableLeaf)
      if local < payload { follow(long(place + local), object, row) }
    }
    if isInterior { walk(long(header + 8), object: object, isRoot: false) }
    pages[number - 1] = page
  }

  private mutating func follow(_ first: Int, _ object: String, _ row: Int64) {
    var number = first
    while number > 0 {
      let next = long((number - 1) * pageSize)
      pages[number - 1] = Page(
        number: number, kind: .overflow, object: object, isRoot: false, rows: [row],
        isLast: next == 0)
      number = next
    }
  }

  /// The number of bytes of a payload on its leaf.
  private func localSize(_ payload: Int, isTable: Bool) -> Int {
    let usable = pageSize - Int(bytes[20])
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    if payload <= most { return payload }
    let least = (usable - 12) * 32 / 255 - 23
    let size = least + (payload - least) % (usable - 4)
    return size <= most ? size : least
  }

  private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
  private func long(_ place: Int) -> Int { word(place) << 16 | word(place + 2) }

  private func varint(_ place: inout Int) -> Int64 {
    var value: UInt64 = 0
    for count in 0..<9 {
      let byte = bytes[place]
      place += 1
      if count == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }
}
