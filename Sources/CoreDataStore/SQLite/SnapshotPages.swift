package import CoreDataModel
internal import POSIX

/// The pages of the state that a snapshot reads, as bytes: the newer pages in the log, and the other pages
/// in the main file.
package final class SnapshotPages {
  /// The size of a page in bytes.
  package let pageSize: Int
  /// The number of pages; the first has the number 1.
  package let pageCount: Int

  /// The part of a log that belongs to a state.
  enum LogPart: Equatable {
    /// Nothing: it came later.
    case nothing
    /// This number of frames, which must be all committed frames.
    case frames(Int64)
    /// All committed frames.
    case all
  }

  private let main: SourceFile
  private let log: WriteAheadLog?
  /// The offset of the newest bytes of a page in the log, by its number.
  private let places: [Int: Int64]

  /// The number of bytes that are read at once: whole pages of every size.
  private static let chunkSize = 1 << 20
  /// The number of bytes between needed pages that take less time to read than another call does.
  private static let longestGap = 1 << 14

  /// Reads the files of an unchanging state; nil if the files do not determine the state.
  ///
  /// - Throws: `read-failed`; `not-sqlite` for a file that is not a database.
  init?(_ files: DatabaseFiles, log part: LogPart) throws(CofferError) {
    guard RollbackJournal.saysNothing(files) else { return nil }
    main = try SourceFile(path: files.main, kind: .main)
    let size = part == .nothing ? nil : try files.state().wal?.size
    log = size ?? 0 > 0 ? try WriteAheadLog(path: files.wal) : nil
    let commits = try log?.commits(since: nil)
    if case .frames(let count) = part, commits?.mark.frameCount ?? 0 != count { return nil }
    places = commits?.pages ?? [:]
    var bytes = try main.bytes(at: 0, count: DatabaseHeader.length)
    if let log, let place = places[1] {
      bytes = try log.file.bytes(at: place, count: DatabaseHeader.length)
    }
    let header = try DatabaseHeader(bytes, place: files.main)
    guard let pageSize = header.pageSize,
      let count = commits?.pageCount ?? header.byteCount.map({ Int(clamping: $0) / pageSize }),
      places.isEmpty || commits?.mark.header.pageSize == pageSize
    else { return nil }
    let stored = Int(clamping: try main.size()) / pageSize
    guard count > 0, count - stored <= places.count else { return nil }
    (self.pageSize, pageCount) = (pageSize, count)
  }

  /// The bytes at an offset, all of one page; fewer only at the end.
  ///
  /// - Throws: `read-failed`.
  package func bytes(at offset: Int, count: Int) throws(CofferError) -> [UInt8] {
    guard let log, let place = places[offset / pageSize + 1] else {
      return try main.bytes(at: Int64(offset), count: count)
    }
    return try log.file.bytes(at: place + Int64(offset % pageSize), count: min(count, pageSize))
  }

  /// Passes pages to a closure, in their order, as many at once as can be read at once.
  ///
  /// - Parameters:
  ///   - isNeeded: whether the closure needs a page, by its number; by default, it needs all pages.
  ///   - body: takes whole consecutive pages, and the number of the first; pages between needed ones are among them
  ///     if skipping them would take longer.
  /// - Throws: `read-failed`; errors from the closure.
  package func forEach(
    where isNeeded: (Int) -> Bool = { _ in true },
    _ body: (UnsafeRawBufferPointer, Int) throws -> Void
  ) throws {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 4096)
    defer { unsafe room.deallocate() }
    var first = 1
    while first <= pageCount {
      var last = first - 1
      for page in first...min(first + Self.chunkSize / pageSize - 1, pageCount) {
        if isNeeded(page) {
          last = page
        } else if (page - last) * pageSize > Self.longestGap || last < first {
          break
        }
      }
      if last >= first { unsafe try body(read(last - first + 1, from: first, into: room), first) }
      first = max(first, last) + 1
    }
  }

  /// The pages with other bytes than in another state with the same page size, and the pages that only
  /// one of the states has.
  ///
  /// - Throws: `read-failed`; `CancellationError`.
  package func changes(since old: SnapshotPages) throws -> PageChanges {
    var changes = PageChanges(pageSize: pageSize)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 4096)
    defer { unsafe room.deallocate() }
    unsafe try forEach { chunk, first in
      try Task<Never, Never>.checkCancellation()
      let count = chunk.count / pageSize
      let known = min(count, max(0, old.pageCount - first + 1))
      let before = unsafe try old.read(known, from: first, into: room)
      if known == count, unsafe Self.isSame(chunk, before) { return }
      for index in 0..<count {
        let range = index * pageSize..<(index + 1) * pageSize
        if index < known,
          unsafe Self.isSame(
            UnsafeRawBufferPointer(rebasing: chunk[range]),
            UnsafeRawBufferPointer(rebasing: before[range]))
        {
          continue
        }
        changes.insert(first + index)
      }
    }
    if pageCount < old.pageCount {
      for page in pageCount + 1...old.pageCount { changes.insert(page) }
    }
    return changes
  }

  /// Reads pages, and returns the part of the memory that has them.
  private func read(
    _ count: Int, from first: Int, into room: UnsafeMutableRawBufferPointer
  ) throws(CofferError) -> UnsafeRawBufferPointer {
    let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<(count * pageSize)])
    unsafe try main.read(at: Int64(first - 1) * Int64(pageSize), into: chunk)
    if let log, !places.isEmpty {
      for page in first..<first + count {
        guard let place = places[page] else { continue }
        let start = (page - first) * pageSize
        unsafe try log.file.read(
          at: place,
          into: UnsafeMutableRawBufferPointer(rebasing: chunk[start..<start + pageSize]))
      }
    }
    return UnsafeRawBufferPointer(chunk)
  }

  private static func isSame(
    _ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer
  ) -> Bool {
    guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
    return unsafe memcmp(start, other, bytes.count) == 0
  }
}
