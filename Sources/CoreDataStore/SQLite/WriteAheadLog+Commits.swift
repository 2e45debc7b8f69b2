package import CoreDataModel

/// Reading on in a log that grows, without SQLite and without a lock.
extension WriteAheadLog {
  /// How far a log was read: to the end of one of its commits, or of its header.
  package struct Mark: Equatable {
    /// The header, whose salts change when the log restarts.
    package let header: Header
    var frameCount: Int64 = 0
    var checksum: Checksum
  }

  /// The commits to a log since a mark.
  package struct Commits {
    /// Where the newest bytes of each page are in the log, by the number of the page.
    package var pages: [Int: Int64] = [:]
    var count = 0
    /// The number of pages of the database after the last one; nil without commits.
    var pageCount: Int?
    /// How far the log is read now.
    package var mark: Mark
  }

  /// The bytes of a frame before its page.
  private static let frameHeader = Int64(frameHeaderLength)

  /// Reads the frames of all commits since a mark.
  ///
  /// A frame is valid if its salts match the header and its checksum continues the previous one, as
  /// in SQLite (<https://sqlite.org/walformat.html>). Frames after the last commit are left for
  /// later.
  ///
  /// - Parameter mark: how far the log was read; nil for its beginning.
  /// - Returns: the commits; nil if the log has no valid header, or was restarted since the mark.
  /// - Throws: `read-failed`.
  package func commits(since mark: Mark?) throws(CofferError) -> Commits? {
    guard let header = try header(), mark == nil || mark?.header == header else { return nil }
    let frameLength = Self.frameHeaderLength + header.pageSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: frameLength, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var commits = Commits(mark: mark ?? Mark(header: header, checksum: header.checksum))
    let frameCount = (try file.size() - Self.headerLength) / Int64(frameLength)
    var checksum = commits.mark.checksum
    var pages: [Int: Int64] = [:]
    var number = commits.mark.frameCount
    while number < frameCount {
      let offset = Self.headerLength + number * Int64(frameLength)
      unsafe try file.read(at: offset, into: buffer)
      let bytes = UnsafeRawBufferPointer(buffer)
      guard let (page, size) = unsafe Self.frame(bytes, header, &checksum) else { break }
      pages[page] = offset + Self.frameHeader
      number += 1
      if size > 0 {
        commits.pages.merge(pages) { $1 }
        pages.removeAll(keepingCapacity: true)
        commits.count += 1
        commits.pageCount = size
        commits.mark = Mark(header: header, frameCount: number, checksum: checksum)
      }
    }
    return commits
  }

  /// Whether the log still begins as it did when it was read to a mark, so that no frame before the
  /// mark was overwritten.
  ///
  /// A writer that restarts a log writes the header first.
  func stillHas(_ mark: Mark) throws(CofferError) -> Bool { try header() == mark.header }

  /// The header; nil if SQLite would not accept it.
  private func header() throws(CofferError) -> Header? {
    guard try file.size() >= Self.headerLength else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(Self.headerLength), alignment: 8)
    defer { unsafe buffer.deallocate() }
    unsafe try file.read(at: 0, into: buffer)
    return unsafe Header(UnsafeRawBufferPointer(buffer))
  }

  /// The page of a frame and, if it is a commit, the number of pages after it, otherwise 0; nil for a
  /// frame that does not count.
  private static func frame(
    _ bytes: UnsafeRawBufferPointer, _ header: Header, _ checksum: inout Checksum
  ) -> (page: Int, size: Int)? {
    let words = unsafe words(bytes, count: 6)
    guard words[0] != 0, words[2] == header.salts[0], words[3] == header.salts[1] else {
      return nil
    }
    var sum = checksum
    unsafe sum.update(
      UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: header.isBigEndian)
    unsafe sum.update(
      UnsafeRawBufferPointer(rebasing: bytes[frameHeaderLength...]),
      isBigEndian: header.isBigEndian)
    guard sum == Checksum(first: words[4], second: words[5]) else { return nil }
    checksum = sum
    return (Int(words[0]), Int(words[1]))
  }
}
