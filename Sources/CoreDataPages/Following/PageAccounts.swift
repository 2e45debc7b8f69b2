internal import CoreDataModel
package import CoreDataStore

extension PersistentStore {
  /// Checks that the pages of all tables have the rows that they had when they were written.
  ///
  /// SQLite reads as many cells of a page as its header states. If that number is damaged, the other rows are missing
  /// without an error. So the bytes of each page are counted, as SQLite's own check does; only if they do not add up,
  /// that check decides. It takes a tenth of the time of a scan, and four bytes of memory for each page.
  ///
  /// - Throws: ``CofferError``: `damaged-store`; `read-failed`; `store-busy` if a store that is read in place was
  ///   changed; `CancellationError`.
  package func requireSoundPages() throws {
    guard try pagesAddUp() == false else { return }
    let messages = try use { database throws(CofferError) in
      try DatabaseAudit(database).messages(isDeep: false)
    }
    // Values that a column does not allow are not damage.
    let isDamaged = messages.contains {
      !$0.contains(" value in ") && !$0.hasPrefix("CHECK constraint failed")
    }
    guard isDamaged else { return }
    throw foreignLogError()
      ?? CofferError(
        .damagedStore, path: path, detail: CofferError.pageDamage, advice: .salvageStore)
  }

  /// Whether the bytes of all pages of tables add up; nil if the pages of the state are not known.
  package func pagesAddUp() throws -> Bool? {
    let roots = try use { database throws(CofferError) in
      try database.rows("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    }
    let tables = [1] + roots.compactMap { $0.first?.integer.map { Int(clamping: $0) } }
    return try pages { try $0.addUp(tables: tables) }
  }
}

extension SnapshotPages {
  /// Whether the bytes of all pages of tables add up; tables without row numbers, given by their first pages like the
  /// others, are not examined.
  fileprivate func addUp(tables roots: [Int]) throws -> Bool {
    guard let single = try single(), let owners = try LeafOwners(single, roots: roots) else {
      return false
    }
    var isSound = true
    let hasRows = { owners.part($0).table != nil }
    unsafe try forEach(where: hasRows) { chunk, first in
      try Task<Never, Never>.checkCancellation()
      for index in 0..<chunk.count / pageSize where hasRows(first + index) {
        let start = index * pageSize
        let bytes = unsafe UnsafeRawBufferPointer(
          rebasing: chunk[start..<start + single.usableSize])
        if unsafe !TreeBytes(bytes, number: first + index).addUp() { isSound = false }
      }
    }
    return isSound
  }
}

extension TreePage {
  /// Whether the bytes of a page of a table add up, as ``CoreDataStore/PersistentStore/requireSoundPages()`` demands.
  static func addsUp(_ bytes: [UInt8], number: Int) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe TreeBytes($0, number: number).addUp() }
  }
}

/// The bytes of a page of a table that SQLite uses (<https://sqlite.org/fileformat2.html#b_tree_pages>).
@safe private struct TreeBytes {
  private let bytes: UnsafeRawBufferPointer
  private let size: Int
  /// Where the header begins.
  private let start: Int

  init(_ bytes: UnsafeRawBufferPointer, number: Int) {
    unsafe self.bytes = bytes
    size = bytes.count
    start = number == 1 ? DatabaseHeader.length : 0
  }

  /// Whether the cells, the free blocks and the fragments fill the page behind the offsets of the cells.
  func addUp() -> Bool {
    let isLeaf = unsafe bytes[start] == 13
    let (count, first) = (word(start + 3), start + (isLeaf ? 8 : 12))
    let stated = word(start + 5)
    let content = stated == 0 ? 65_536 : stated
    guard first + 2 * count <= content, content <= size else { return false }
    var used = unsafe Int(bytes[start + 7])
    var block = word(start + 1)
    while block != 0 {
      guard block >= content, block + 4 <= size else { return false }
      let next = word(block)
      used += word(block + 2)
      guard next == 0 || next > block else { return false }
      block = next
    }
    for index in 0..<count {
      let place = word(first + 2 * index)
      guard place >= content, let cell = isLeaf ? leafCellSize(at: place) : cellSize(at: place)
      else { return false }
      used += cell
    }
    return used == size - content
  }

  private func word(_ offset: Int) -> Int {
    unsafe Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The size of a cell with a page number and a row number; nil if it is not within the page.
  private func cellSize(at place: Int) -> Int? {
    var offset = place + 4
    return unsafe bytes.variable(&offset) == nil ? nil : offset - place
  }

  /// The size of a row on a leaf; nil if it is not within the page.
  private func leafCellSize(at place: Int) -> Int? {
    var offset = place
    guard let stored = unsafe bytes.variable(&offset), unsafe bytes.variable(&offset) != nil,
      let record = Int32(exactly: stored).map(Int.init)
    else { return nil }
    let local = LeafPage.localSize(of: record, usable: size)
    let end = offset + local + (local < record ? 4 : 0)
    return end <= size ? max(4, end - place) : nil
  }
}
