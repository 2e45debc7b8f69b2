internal import CoreDataArchive
internal import Foundation

/// A value that does not stand in its line, as the line refers to it.
struct StoredContent {
  /// What holds the value.
  private enum Place {
    case blobs(Range<Int>)
    case entry(String)
  }

  /// What the value is: the key of the reference, such as `$bytes`.
  let tag: String
  /// How many bytes it has.
  let count: Int
  private let place: Place

  /// The content that a value of a line refers to; nil where it refers to none.
  ///
  /// - Throws: `damaged-archive` where the reference leads nowhere.
  init?(_ value: JSONValue, _ cursor: LineCursor) throws(ArchiveError) {
    guard case .object(let object) = value, object.members.count == 1,
      let member = object.members.first, member.key.hasPrefix("$"),
      case .array(let reference) = member.value
    else { return nil }
    guard reference.count == 2, case .integer(let size) = reference[1],
      let count = Int(exactly: size), count >= 0
    else { throw cursor.damaged("a reference that is none") }
    tag = member.key
    self.count = count
    switch reference[0] {
    case .string(let name):
      guard cursor.hasValue(named: name) else {
        throw cursor.damaged("a reference to an entry that is not there")
      }
      place = .entry(name)
    case .integer(let start):
      guard let start = Int(exactly: start), start >= 0, start <= cursor.blobs.count,
        count <= cursor.blobs.count - start
      else { throw cursor.damaged("a reference beyond the part's values") }
      place = .blobs(start..<start + count)
    default: throw cursor.damaged("a reference that is none")
    }
  }

  /// Whether two values have the same bytes.
  func isSame(
    _ cursor: LineCursor, as other: StoredContent, _ otherCursor: LineCursor
  ) throws -> Bool {
    guard tag == other.tag, count == other.count else { return false }
    if case .blobs(let range) = place, case .blobs(let otherRange) = other.place {
      return unsafe cursor.blobs.withUnsafeBytes { bytes in
        unsafe otherCursor.blobs.withUnsafeBytes { other in
          guard let first = bytes.baseAddress, let second = other.baseAddress else {
            return range.isEmpty
          }
          return unsafe memcmp(
            first + range.lowerBound, second + otherRange.lowerBound, range.count) == 0
        }
      }
    }
    return try digest(cursor) == other.digest(otherCursor)
  }

  private func digest(_ cursor: LineCursor) throws -> ArchiveDigest {
    switch place {
    case .entry(let name): return try cursor.digest(ofValue: name)
    case .blobs(let range):
      var hasher = ContentHasher()
      unsafe cursor.blobs.withUnsafeBytes {
        unsafe hasher.update(UnsafeRawBufferPointer(rebasing: $0[range]))
      }
      return hasher.digest
    }
  }
}
