/// Up to 1,024 packed primary keys with their payloads, or any number if nothing must be stored.
///
/// The bytes are three columns, one after another, and eight bytes of padding:
///
///     key − first      count × keyWidth bytes       no bytes where the keys have no holes
///     entity − least   count × entityWidth bytes    no bytes where all keys are of one entity
///     version − least  count × versionWidth bytes   no bytes where all versions are the same
///
/// Numbers are little-endian, with as many bytes as the largest of the column needs. A block
/// without columns has no bytes, and a long run of rows that differ only in the key is one such
/// block.
@safe struct KeyBlock {
  /// Where the bytes are.
  @safe enum Place {
    /// There are none.
    case nowhere
    case memory(UnsafeMutableRawPointer)
    case file(Int)
  }

  /// The maximum number of keys in a block with bytes.
  static let capacity = 1024
  /// The maximum size of a block in bytes.
  static let largestSize = capacity * (8 + 2 + 4) + padding
  /// Padding after the columns, so that eight bytes can be read and written at each number.
  private static let padding = 8
  /// A block without keys.
  static var empty: KeyBlock {
    KeyBlock(
      first: .max, last: .min, count: 0, place: .nowhere, version: 0, entity: 0, keyWidth: 0,
      entityWidth: 0, versionWidth: 0)
  }

  var first: Int64
  var last: Int64
  var count: Int
  /// Where the bytes are.
  var place: Place
  var version: UInt32
  /// The lowest entity index.
  var entity: UInt16
  /// The number of bytes per key.
  var keyWidth: UInt8
  var entityWidth: UInt8
  var versionWidth: UInt8

  /// Whether the block is only a range of keys.
  var isUniform: Bool { keyWidth | entityWidth | versionWidth == 0 }

  /// The size of the columns and the padding in bytes.
  var size: Int {
    isUniform ? 0 : count * Int(keyWidth + entityWidth + versionWidth) + Self.padding
  }

  /// Whether a key is between the first and the last key, inclusive.
  func covers(_ key: Int64) -> Bool { key >= first && key <= last }

  static func width(of number: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: (71 - number.leadingZeroBitCount) / 8)
  }

  /// The distance of a key from the first one, which must not be higher.
  func distance(to key: Int64) -> UInt64 { UInt64(bitPattern: key &- first) }

  /// Finds the payload of a key; returns nil if the block does not contain the key.
  func find(_ key: Int64, in bytes: UnsafeRawPointer?) -> KeyDirectory.Entry? {
    let distance = distance(to: key)
    guard let bytes = unsafe bytes, keyWidth > 0 else {
      return unsafe entry(at: Int(truncatingIfNeeded: distance), in: bytes)
    }
    // Keys are usually evenly distributed: start at the expected position and widen the search from
    // there.
    let share = Double(distance) / Double(self.distance(to: last))
    var low = min(count - 1, Int(share * Double(count - 1)))
    var high = low &+ 1
    var step = 4
    while low > 0, unsafe Self.number(at: low, width: keyWidth, in: bytes) > distance {
      high = low
      low = max(0, low &- step)
      step &*= 2
    }
    while high < count, unsafe Self.number(at: high, width: keyWidth, in: bytes) <= distance {
      low = high
      high = min(count, high &+ step)
      step &*= 2
    }
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      if unsafe Self.number(at: middle, width: keyWidth, in: bytes) <= distance {
        low = middle
      } else {
        high = middle
      }
    }
    guard unsafe Self.number(at: low, width: keyWidth, in: bytes) == distance else { return nil }
    return unsafe entry(at: low, in: bytes)
  }

  func key(at index: Int, in bytes: UnsafeRawPointer?) -> Int64 {
    guard let bytes = unsafe bytes, keyWidth > 0 else {
      return first &+ Int64(truncatingIfNeeded: index)
    }
    let distance = unsafe Self.number(at: index, width: keyWidth, in: bytes)
    return first &+ Int64(bitPattern: distance)
  }

  func entry(at index: Int, in bytes: UnsafeRawPointer?) -> KeyDirectory.Entry {
    var entry = KeyDirectory.Entry(entity: entity, version: version)
    guard let bytes = unsafe bytes else { return entry }
    var column = unsafe bytes + count &* Int(keyWidth)
    if entityWidth > 0 {
      let more = unsafe Self.number(at: index, width: entityWidth, in: column)
      entry.entity &+= UInt16(truncatingIfNeeded: more)
      unsafe column += count &* Int(entityWidth)
    }
    if versionWidth > 0 {
      let more = unsafe Self.number(at: index, width: versionWidth, in: column)
      entry.version &+= UInt32(truncatingIfNeeded: more)
    }
    return entry
  }

  /// Writes a number of a column.
  ///
  /// The columns must be written in order, because each number overwrites some bytes after itself.
  static func write(
    _ number: UInt64, at index: Int, width: UInt8, in column: UnsafeMutableRawPointer
  ) {
    unsafe column.storeBytes(
      of: number.littleEndian, toByteOffset: index &* Int(width), as: UInt64.self)
  }

  private static func number(at index: Int, width: UInt8, in column: UnsafeRawPointer) -> UInt64 {
    let word = unsafe column.loadUnaligned(fromByteOffset: index &* Int(width), as: UInt64.self)
    return UInt64(littleEndian: word) & (UInt64.max &>> (64 &- 8 &* UInt64(width)))
  }
}
