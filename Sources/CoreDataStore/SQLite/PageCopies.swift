internal import CoreDataModel
internal import POSIX

/// The pages of a database that differ between two states, by their numbers.
package struct PageChanges {
  /// Whether each page differs, by its number; index 0 is unused.
  package private(set) var isChanged: [Bool]
  /// The number of pages that differ.
  package private(set) var count = 0
  /// The size of a page in bytes.
  let pageSize: Int

  /// No differences.
  package init(pageSize: Int) {
    isChanged = [false]
    self.pageSize = pageSize
  }

  /// Whether a page differs.
  package func contains(_ page: Int) -> Bool { page < isChanged.count && isChanged[page] }

  /// Records that a page differs; page numbers begin with 1.
  package mutating func insert(_ page: Int) {
    if page >= isChanged.count {
      isChanged += repeatElement(false, count: page + 1 - isChanged.count)
    }
    if !isChanged[page] { count += 1 }
    isChanged[page] = true
  }
}

/// Two private copies of a store: of the state at the last look, and of the state now.
///
/// They are files in a private folder, and are removed with this object.
@safe final class PageCopies {
  /// The copy of the state at the last look.
  let before: String
  /// The copy of the state now.
  let after: String

  private let folder: TemporaryFolder
  private let place: String
  private let old: Int32
  private let new: Int32
  /// A buffer for the pages to compare with.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)

  /// The number of bytes that are read at once: whole pages of every size.
  static let chunkSize = 1 << 20

  /// Begins with two empty copies.
  init(in parent: String?, place: String) throws(CofferError) {
    folder = try TemporaryFolder(in: parent, place: place)
    self.place = place
    (before, after) = (folder.path + "/before.sqlite", folder.store.main)
    do throws(SystemError) {
      old = try FileIO.create(before, mode: 0o600)
    } catch {
      throw TemporaryFolder.cannotCopy(error.text, to: folder.path, place: place)
    }
    do throws(SystemError) {
      new = try FileIO.create(after, mode: 0o600)
    } catch {
      FileIO.close(old)
      unsafe unlink(before)
      throw TemporaryFolder.cannotCopy(error.text, to: folder.path, place: place)
    }
  }

  deinit {
    FileIO.close(old)
    FileIO.close(new)
    unsafe unlink(before)
    unsafe buffer.deallocate()
  }

  /// Writes pages of the new state that its copy does not have yet.
  func take(
    _ bytes: UnsafeRawBufferPointer, from first: Int, _ changes: inout PageChanges
  ) throws(CofferError) {
    let size = changes.pageSize
    let offset = (first - 1) * size
    let known = try unsafe read(new, at: offset, count: bytes.count)
    if unsafe Self.isSame(bytes, known) { return }
    if unsafe known.isEmpty {
      unsafe try write(bytes, to: new, at: offset)
      for page in first..<first + bytes.count / size { changes.insert(page) }
      return
    }
    for start in stride(from: 0, to: bytes.count, by: size) {
      let page = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + size])
      let other = unsafe UnsafeRawBufferPointer(
        rebasing: known[min(start, known.count)..<min(start + size, known.count)])
      if unsafe Self.isSame(page, other) { continue }
      unsafe try write(page, to: new, at: offset + start)
      changes.insert(first + start / size)
    }
  }

  /// Gives the copy of the new state its number of pages.
  func end(pageCount: Int, pageSize: Int) throws(CofferError) {
    try resize(new, to: pageCount * pageSize)
  }

  /// Makes the new state the last state.
  func accept(_ changes: PageChanges) throws(CofferError) {
    let most = Self.chunkSize / max(1, changes.pageSize)
    var page = 1
    while page < changes.isChanged.count {
      guard changes.isChanged[page] else {
        page += 1
        continue
      }
      let limit = min(page + most, changes.isChanged.count)
      let end = changes.isChanged[page..<limit].firstIndex(of: false) ?? limit
      let offset = (page - 1) * changes.pageSize
      let bytes = try unsafe read(new, at: offset, count: (end - page) * changes.pageSize)
      unsafe try write(bytes, to: old, at: offset)
      page = end
    }
    try resize(old, to: FileIO.size(of: new) ?? 0)
  }

  // MARK: Files

  /// The bytes at an offset, valid until the next call; fewer at the end.
  private func read(
    _ descriptor: Int32, at offset: Int, count: Int
  ) throws(CofferError) -> UnsafeRawBufferPointer {
    try unsafe copying { () throws(SystemError) in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let filled = try unsafe FileIO.fill(room, from: descriptor, at: offset)
      return unsafe UnsafeRawBufferPointer(rebasing: room[..<filled])
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) throws(CofferError) {
    try copying { () throws(SystemError) in
      unsafe try FileIO.writeAll(descriptor, at: offset, bytes)
    }
  }

  private func resize(_ descriptor: Int32, to size: Int) throws(CofferError) {
    try copying { () throws(SystemError) in try FileIO.resize(descriptor, to: size) }
  }

  private func copying<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(CofferError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw TemporaryFolder.cannotCopy(error.text, to: folder.path, place: place)
    }
  }

  private static func isSame(
    _ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer
  ) -> Bool {
    guard bytes.count == others.count else { return false }
    guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
    return unsafe memcmp(start, other, bytes.count) == 0
  }
}
