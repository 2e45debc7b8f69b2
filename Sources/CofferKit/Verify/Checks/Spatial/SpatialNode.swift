/// The bytes of a node of an R-tree, all of them big-endian.
///
/// Two bytes for the depth of the tree, which only the root's tell; two for the number of entries;
/// and the entries: a key of eight bytes, and two numbers of four for each dimension. Source:
/// <https://sqlite.org/src/file/ext/rtree/rtree.c>.
@safe struct SpatialNode {
  private let bytes: UnsafeRawBufferPointer
  private let entrySize: Int
  /// How many entries there are.
  let count: Int

  /// Looks at a node; nil where the bytes are too few for what they say.
  init?(_ bytes: UnsafeRawBufferPointer, dimensions: Int) {
    guard bytes.count >= 4 else { return nil }
    unsafe self.bytes = unsafe bytes
    entrySize = 8 + 8 * dimensions
    count = unsafe Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    guard count <= (bytes.count - 4) / entrySize else { return nil }
  }

  /// The key of an entry: an object's, or another node's number where the node is not a leaf.
  func key(_ entry: Int) -> Int64 {
    unsafe Int64(
      bigEndian: bytes.loadUnaligned(fromByteOffset: 4 + entry * entrySize, as: Int64.self))
  }

  /// The bits of the lower and the upper bound of an entry, the lower ones above.
  func bounds(_ entry: Int, _ dimension: Int) -> Int64 {
    let place = 4 + entry * entrySize + 8 + 8 * dimension
    return unsafe Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
  }
}

/// The bounds of an entry in one dimension.
struct SpatialBounds {
  let lower: Float
  let upper: Float

  /// The bounds that a node holds.
  init(bits: Int64) {
    let bits = UInt64(bitPattern: bits)
    lower = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
    upper = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }

  /// Whether these are the bounds of a coordinate.
  ///
  /// R-trees round the lower bound down and the upper one up, not to the nearest number but by a
  /// factor; anything between the two is taken for the coordinate.
  func hold(_ coordinate: Double) -> Bool {
    let (low, high) = (Self.below(coordinate), Self.above(coordinate))
    return lower >= low && lower <= high && upper >= low && upper <= high
  }

  private static let smaller = 1 - 1 / 8_388_608.0
  private static let larger = 1 + 1 / 8_388_608.0

  private static func below(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) > value ? Float(value * (value < 0 ? larger : smaller)) : nearest
  }

  private static func above(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) < value ? Float(value * (value < 0 ? smaller : larger)) : nearest
  }
}
