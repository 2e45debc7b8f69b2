/// A binary property list (`bplist00`) as a table of objects that refer to each other by number.
///
/// Layout of the bytes:
///
///     "bplist00" | objects, each with a marker byte | offset table | trailer of 32 bytes
///     trailer: 6 bytes unused | width of an offset | width of a reference
///              | object count (8) | number of the top object (8) | position of the offset table (8)
///
/// All numbers are big-endian. Containers hold the numbers of other objects, so an object can occur
/// in many places. Nothing is expanded until you call ``value()``.
///
/// Protection against hostile bytes: objects may not overlap, so the table is never larger than a
/// constant times the bytes. ``value()`` limits the depth (which also ends cycles) and the number
/// of nodes.
package struct BinaryPlistReader: Sendable {
  /// The maximum size of a property list in bytes.
  package static let maximumSize = 256 << 20
  /// The maximum number of objects in a property list.
  package static let maximumObjectCount = 1 << 22
  /// The maximum number of levels that ``value()`` expands.
  package static let maximumDepth = 128
  /// The maximum number of values that ``value()`` expands; shared values count each time.
  package static let maximumNodeCount = 1 << 20

  /// An object of the table; containers hold the numbers of their parts.
  package enum Object: Sendable, Equatable {
    /// A value without parts.
    case scalar(PropertyListValue)
    case array([Int])
    case set([Int])
    /// A dictionary: its keys, and its values in the same order.
    case dictionary(keys: [Int], values: [Int])
  }

  /// The objects; every reference in them is a valid object number.
  package let objects: [Object]
  /// The number of the top object.
  package let top: Int

  /// Reads the table of objects in linear time.
  ///
  /// - Throws: ``CofferError`` with `notAModel` for bytes that are not a binary property list,
  ///   `damaged` for contradictions, `limit` for too many bytes or objects.
  package init(_ bytes: [UInt8]) throws(CofferError) {
    guard bytes.starts(with: "bplist0".utf8) else {
      throw CofferError(.notAModel, detail: "not a binary property list")
    }
    guard bytes.count <= Self.maximumSize else {
      throw CofferError(.modelLimit, detail: "a property list of \(bytes.count) bytes")
    }
    let trailer = try BinaryPlistTrailer(bytes)
    var parser = BinaryPlistObjectParser(bytes: bytes, trailer: trailer)
    var objects: [Object] = []
    objects.reserveCapacity(trailer.objectCount)
    for number in 0..<trailer.objectCount {
      objects.append(try parser.object(number))
    }
    self.objects = objects
    self.top = trailer.top
  }

  /// The top object, expanded to a tree.
  ///
  /// - Throws: ``CofferError`` with `limit` for more levels than ``maximumDepth`` (including cycles)
  ///   or more values than ``maximumNodeCount``, `damaged` for a key that is not a string.
  package func value() throws(CofferError) -> PropertyListValue {
    var remaining = Self.maximumNodeCount
    return try value(top, depth: 0, remaining: &remaining)
  }

  private func value(
    _ number: Int, depth: Int, remaining: inout Int
  ) throws(CofferError) -> PropertyListValue {
    remaining -= 1
    guard remaining > 0 else {
      throw CofferError(.modelLimit, detail: "a property list of too many values")
    }
    guard depth <= Self.maximumDepth else {
      throw CofferError(
        .modelLimit, detail: "a property list that is nested too deeply or contains itself")
    }
    switch objects[number] {
    case .scalar(let value): return value
    case .array(let parts):
      return .array(try values(parts, depth: depth, remaining: &remaining))
    case .set(let parts):
      return .set(try values(parts, depth: depth, remaining: &remaining))
    case .dictionary(let keys, let parts):
      var entries: [PropertyListValue.Entry] = []
      entries.reserveCapacity(min(keys.count, remaining))
      for (key, part) in zip(keys, parts) {
        guard case .scalar(.string(let name)) = objects[key] else {
          throw CofferError(
            .damagedModel, detail: "a property list with a key that is not a string")
        }
        entries.append(.init(name, try value(part, depth: depth + 1, remaining: &remaining)))
      }
      return .dictionary(entries)
    }
  }

  private func values(
    _ parts: [Int], depth: Int, remaining: inout Int
  ) throws(CofferError) -> [PropertyListValue] {
    var values: [PropertyListValue] = []
    values.reserveCapacity(min(parts.count, remaining))
    for part in parts {
      values.append(try value(part, depth: depth + 1, remaining: &remaining))
    }
    return values
  }
}

/// The last 32 bytes of a binary property list, checked against its length.
struct BinaryPlistTrailer {
  /// The length of the trailer in bytes.
  static let length = 32

  /// The width in bytes of an entry of the offset table, 1 to 8.
  let offsetWidth: Int
  /// The width in bytes of a reference to an object, 1 to 8.
  let referenceWidth: Int
  /// The number of objects, at least 1.
  let objectCount: Int
  /// The number of the top object.
  let top: Int
  /// Where the offset table begins; the objects are before it.
  let tablePosition: Int

  /// Reads the trailer of a whole property list.
  init(_ bytes: [UInt8]) throws(CofferError) {
    guard bytes.count >= 8 + 1 + Self.length else { throw Self.damaged("too short") }
    let start = bytes.count - Self.length
    offsetWidth = Int(bytes[start + 6])
    referenceWidth = Int(bytes[start + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw Self.damaged("offsets or references of an impossible width")
    }
    guard
      let count = Int(exactly: bytes.bigEndianUnsigned(at: start + 8, width: 8)),
      let top = Int(exactly: bytes.bigEndianUnsigned(at: start + 16, width: 8)),
      let position = Int(exactly: bytes.bigEndianUnsigned(at: start + 24, width: 8)),
      count >= 1, top < count, position > 8, position <= start,
      count <= (start - position) / offsetWidth
    else { throw Self.damaged("a trailer that contradicts the length") }
    guard count <= BinaryPlistReader.maximumObjectCount else {
      throw CofferError(.modelLimit, detail: "a property list of \(count) objects")
    }
    objectCount = count
    self.top = top
    tablePosition = position
  }

  static func damaged(_ detail: String) -> CofferError {
    CofferError(.damagedModel, detail: "a binary property list with \(detail)")
  }
}

extension [UInt8] {
  /// The unsigned number of 1 to 8 bytes at a position, most significant byte first.
  func bigEndianUnsigned(at position: Int, width: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[position..<position + width] { number = number << 8 | UInt64(byte) }
    return number
  }
}
