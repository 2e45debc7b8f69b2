/// A binary property list (`bplist00`) as a table of objects that refer to each other by number.
///
/// Layout of the bytes:
///
///     "bplist00" | objects, each with a marker byte | offset table | trailer of 32 bytes
///     trailer: 6 bytes unused | width of an offset | width of a reference
///              | object count (8) | number of the top object (8) | position of the offset table (8)
///
/// All numbers are big-endian. Containers hold the numbers of other objects, so that an object can
/// stand in many places; nothing is expanded until ``value()`` is called.
///
/// Bounds on hostile bytes: objects may not overlap, so that the table is never larger than a
/// constant times the bytes; ``value()`` has a limit of depth (which also ends cycles) and of nodes.
package struct BinaryPlistReader: Sendable {
  /// The most bytes of a property list.
  package static let maximumSize = 256 << 20
  /// The most objects of a property list.
  package static let maximumObjectCount = 1 << 22
  /// The most levels of containers that ``value()`` expands.
  package static let maximumDepth = 128
  /// The most values that ``value()`` expands, shared ones counted as often as they stand somewhere.
  package static let maximumNodeCount = 1 << 20

  /// An object of the table; containers hold the numbers of their parts.
  package enum Object: Sendable, Equatable {
    /// A value without parts.
    case scalar(PropertyListValue)
    /// A list.
    case array([Int])
    /// A set.
    case set([Int])
    /// A dictionary: its keys, and its values in the same order.
    case dictionary(keys: [Int], values: [Int])
  }

  /// The objects; every reference in them is the number of an object.
  package let objects: [Object]
  /// The number of the top object.
  package let top: Int

  /// Reads the table of objects, in a time linear in the number of bytes.
  ///
  /// - Throws: ``CofferError`` with `notAModel` for bytes that are no binary property list,
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

  /// The top object with everything in it, expanded to a tree.
  ///
  /// - Throws: ``CofferError`` with `limit` for more levels than ``maximumDepth`` (a cycle among
  ///   them) or more values than ``maximumNodeCount``, `damaged` for a key that is not a text.
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
      throw CofferError(.modelLimit, detail: "a property list nested too deeply, or in itself")
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
          throw CofferError(.damagedModel, detail: "a property list with a key that is not a text")
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
