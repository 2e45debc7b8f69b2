/// The entries of one spatial index, with the coordinates of their objects.
///
/// Records have the key of the object: one for each coordinate, one with the node that contains the
/// entry, and one for each dimension of each entry in any node, with the node's number. Entries of
/// inner nodes have node numbers as keys, and their nodes are not recorded as containing leaf
/// entries. This distinguishes them from leaves without keeping the tree.
final class SpatialEntries: RecordConsumer {
  /// The content of a record.
  ///
  /// The dimension is added to the rank.
  private enum Rank {
    /// The bits of the coordinate, and its kind.
    static let coordinate: UInt32 = 0
    /// The number of the node.
    static let place: UInt32 = 8
    /// The number of the node, and the bounds.
    static let bounds: UInt32 = 16
  }

  /// The kind of an object's stored coordinate.
  private enum Content: Int64 {
    case number, nothing, other
  }

  let index: SpatialIndex
  private let context: VerificationContext
  private var topic: UInt32 = 0
  /// Whether a node is unreadable, so that its entries are unknown.
  private var hasUnreadableNode = false

  private var key: Int64 = 0
  private var node: Int64?
  /// The coordinates by dimension; nil if none was read.
  private var coordinates: [(value: Double, content: Content)?]
  private var bounds: [SpatialBounds?]

  init(_ index: SpatialIndex, _ context: VerificationContext) {
    self.index = index
    self.context = context
    coordinates = index.columns.map { _ in nil }
    bounds = index.columns.map { _ in nil }
    topic = context.topic(self)
  }

  // MARK: Rows

  func takeObject(_ row: Row) throws {
    guard let key = row.primaryKey else { return }
    for (dimension, column) in index.columns.enumerated() {
      let number = row.number(column)
      let content: Content = number != nil ? .number : row.isNull(column) ? .nothing : .other
      let bits = Int64(bitPattern: (number ?? 0).bitPattern)
      try append(
        Rank.coordinate, dimension: dimension, key: key, first: bits, second: content.rawValue)
    }
  }

  func takePlace(_ row: Row) throws {
    guard let key = row.integer(index.places.key), let node = row.integer(index.places.node) else {
      return
    }
    try append(Rank.place, dimension: 0, key: key, first: node, second: 0)
  }

  func takeNode(_ row: Row) throws {
    guard let number = row.integer(index.nodes.number) else { return }
    guard let bytes = unsafe row.bytes(index.nodes.content),
      let node = unsafe SpatialNode(bytes, dimensions: index.columns.count)
    else {
      hasUnreadableNode = true
      return try report(nil, "node \(number) of the index cannot be read")
    }
    for entry in 0..<node.count {
      let key = node.key(entry)
      for dimension in 0..<index.columns.count {
        try append(
          Rank.bounds, dimension: dimension, key: key, first: number,
          second: node.bounds(entry, dimension))
      }
    }
  }

  private func append(
    _ rank: UInt32, dimension: Int, key: Int64, first: Int64, second: Int64
  ) throws {
    let rank = rank &+ UInt32(truncatingIfNeeded: dimension)
    try context.sorter.append(
      SortRecord(topic: topic, rank: rank, key: key, first: first, second: second))
  }

  // MARK: Records

  func take(_ record: SortRecord) throws {
    if record.key != key {
      try compare()
      key = record.key
    }
    switch record.rank {
    case Rank.place: node = record.first
    case Rank.bounds...:
      let dimension = Int(record.rank - Rank.bounds)
      if record.first == node, bounds.indices.contains(dimension) {
        bounds[dimension] = SpatialBounds(bits: record.second)
      }
    default:
      let dimension = Int(record.rank)
      guard coordinates.indices.contains(dimension) else { return }
      coordinates[dimension] = (
        Double(bitPattern: UInt64(bitPattern: record.first)),
        Content(rawValue: record.second) ?? .other
      )
    }
  }

  func topicDone() throws { try compare() }

  /// Compares everything recorded for a key, then discards it.
  private func compare() throws {
    defer {
      node = nil
      for dimension in bounds.indices { (bounds[dimension], coordinates[dimension]) = (nil, nil) }
    }
    let hasObject = coordinates.contains { $0 != nil }
    guard node != nil else {
      // An object without coordinates needs no entry.
      guard hasObject, coordinates.allSatisfy({ $0?.content == .number }) else { return }
      return try report(key, "the object has no entry")
    }
    guard hasObject else { return try report(key, "the entry has no object") }
    guard bounds.allSatisfy({ $0 != nil }) else {
      if hasUnreadableNode { return }
      return try report(key, "the index has contradictory data for the entry")
    }
    for case (let coordinate?, let bounds?) in zip(coordinates, bounds) {
      // The trigger that maintains the index stores missing coordinates as 0.
      if coordinate.content != .other, !bounds.hold(coordinate.value) {
        return try report(key, "the coordinates of the entry and the object differ")
      }
    }
  }

  private func report(_ key: Int64?, _ detail: String) throws {
    let objectID = try key.map { try context.objectID($0, in: index.table) }
    try context.report(
      .spatialIndexMismatch, entityName: objectID == nil ? index.entityName : nil,
      objectID: objectID, propertyName: index.attributeName, detail: detail)
  }
}

/// The big-endian bytes of an R-tree node.
///
/// Two bytes for the depth of the tree, valid only in the root; two for the number of entries; then
/// the entries: a key of eight bytes, and two numbers of four bytes for each dimension. Source:
/// <https://sqlite.org/src/file/ext/rtree/rtree.c>.
@safe struct SpatialNode {
  private let bytes: UnsafeRawBufferPointer
  private let entrySize: Int
  let count: Int

  /// Reads a node; nil if there are too few bytes for its entries.
  init?(_ bytes: UnsafeRawBufferPointer, dimensions: Int) {
    guard bytes.count >= 4 else { return nil }
    unsafe self.bytes = unsafe bytes
    entrySize = 8 + 8 * dimensions
    count = unsafe Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    guard count <= (bytes.count - 4) / entrySize else { return nil }
  }

  /// The key of an entry: of an object in a leaf, otherwise the number of another node.
  func key(_ entry: Int) -> Int64 {
    unsafe Int64(
      bigEndian: bytes.loadUnaligned(fromByteOffset: 4 + entry * entrySize, as: Int64.self))
  }

  /// The bits of the lower and upper bounds of an entry, with the lower bound in the upper half.
  func bounds(_ entry: Int, _ dimension: Int) -> Int64 {
    let place = 4 + entry * entrySize + 8 + 8 * dimension
    return unsafe Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
  }
}

/// The bounds of an entry in one dimension.
struct SpatialBounds {
  let lower: Float
  let upper: Float

  init(bits: Int64) {
    let bits = UInt64(bitPattern: bits)
    lower = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
    upper = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }

  /// Whether these are the bounds of a coordinate.
  ///
  /// R-trees round the lower bound down and the upper bound up by a factor, not to the nearest
  /// number. Anything between the two matches the coordinate.
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
