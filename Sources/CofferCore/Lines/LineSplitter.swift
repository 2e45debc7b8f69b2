internal import CoreDataArchive
internal import POSIX

/// Finds the lines of a part, one after another.
///
/// The last one may lack its line feed.
package struct LineSplitter: Sendable {
  /// The number of the last line found, from 1; 0 before the first.
  package private(set) var number = 0
  /// How many of the lines found are short, as ``ArchiveLimits/shortLines`` counts them.
  private(set) var shortCount = 0
  /// The offset of the next line.
  private(set) var position = 0

  package init() {}

  /// Finds the next line.
  ///
  /// - Parameter bytes: the part, which must be the same in each call.
  /// - Returns: the range of the line without its line feed; nil after the last.
  package mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    guard position < bytes.count, let base = bytes.baseAddress else { return nil }
    let start = position
    var end = bytes.count
    if let found = unsafe memchr(base + start, 0x0A, end - start) {
      end = unsafe UnsafeRawPointer(found) - base
    }
    position = end + 1
    number += 1
    shortCount &+= position &- start < ArchiveLimits.shortLineSize ? 1 : 0
    return start..<end
  }
}
