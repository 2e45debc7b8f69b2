internal import CoreDataModel

/// The block that keys are added to.
///
/// As long as keys are consecutive with equal payloads, it is only a range and needs no memory.
/// Otherwise the keys are in columns, in order.
@safe struct OpenKeyBlock: ~Copyable {
  /// The lowest key, if there is one.
  private(set) var first: Int64 = 0
  /// The highest key, if there is one.
  private(set) var last: Int64 = 0
  private(set) var count = 0

  /// The payload of a range.
  private var entry = KeyDirectory.Entry(entity: 0, version: 0)
  private var isRange = true
  private var keys: UnsafeMutablePointer<Int64>?
  private var entries: UnsafeMutablePointer<KeyDirectory.Entry>?
  private var capacity = 0

  /// A range shorter than this continues in columns, so that there are never many tiny blocks.
  private static let rangeLength = KeyBlock.capacity / 2

  deinit {
    unsafe keys?.deallocate()
    unsafe entries?.deallocate()
  }

  /// Whether there is space for a key that does not extend a range.
  var hasRoom: Bool { count < (isRange ? Self.rangeLength : KeyBlock.capacity) }

  /// Adds a key to the end of a range; returns false if it does not extend one.
  mutating func extend(_ key: Int64, _ entry: KeyDirectory.Entry) -> Bool {
    guard isRange, count > 0, key > last, UInt64(bitPattern: key &- last) == 1,
      entry.entity == self.entry.entity, entry.version == self.entry.version
    else { return false }
    last = key
    count &+= 1
    return true
  }

  /// Inserts a new key that does not extend a range.
  ///
  /// There must be room.
  mutating func insert(_ key: Int64, _ entry: KeyDirectory.Entry) {
    if count == 0 {
      (first, last, count) = (key, key, 1)
      self.entry = entry
      isRange = true
      return
    }
    if isRange { spread() }
    if count == capacity { grow() }
    guard let keys = unsafe keys, let entries = unsafe entries else { return }
    let place = key > last ? count : unsafe lowerBound(of: key, in: keys)
    let behind = count - place
    if behind > 0 {
      unsafe (keys + place + 1).update(from: keys + place, count: behind)
      unsafe (entries + place + 1).update(from: entries + place, count: behind)
    }
    unsafe keys[place] = key
    unsafe entries[place] = entry
    count &+= 1
    first = min(first, key)
    last = max(last, key)
  }

  /// The payload of a key; nil if the block does not contain it.
  func find(_ key: Int64) -> KeyDirectory.Entry? {
    guard count > 0, key >= first, key <= last else { return nil }
    if isRange { return entry }
    guard let keys = unsafe keys, let entries = unsafe entries else { return nil }
    let place = unsafe lowerBound(of: key, in: keys)
    guard place < count, unsafe keys[place] == key else { return nil }
    return unsafe entries[place]
  }

  private func lowerBound(of key: Int64, in keys: UnsafeMutablePointer<Int64>) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if unsafe keys[middle] < key { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Writes the keys of a range to the columns.
  private mutating func spread() {
    isRange = false
    while capacity < count { grow() }
    guard let keys = unsafe keys, let entries = unsafe entries else { return }
    for index in 0..<count {
      unsafe keys[index] = first &+ Int64(truncatingIfNeeded: index)
      unsafe entries[index] = entry
    }
  }

  private mutating func grow() {
    let larger = min(KeyBlock.capacity, max(64, capacity * 2))
    let newKeys = UnsafeMutablePointer<Int64>.allocate(capacity: larger)
    let newEntries = UnsafeMutablePointer<KeyDirectory.Entry>.allocate(capacity: larger)
    unsafe newKeys.initialize(repeating: 0, count: larger)
    unsafe newEntries.initialize(repeating: entry, count: larger)
    if let keys = unsafe keys, let entries = unsafe entries {
      unsafe newKeys.update(from: keys, count: capacity)
      unsafe newEntries.update(from: entries, count: capacity)
    }
    freeColumns()
    unsafe keys = newKeys
    unsafe entries = newEntries
    capacity = larger
  }

  private mutating func freeColumns() {
    unsafe keys?.deallocate()
    unsafe entries?.deallocate()
    unsafe keys = nil
    unsafe entries = nil
    capacity = 0
  }

  /// Packs the keys (at least one), and starts again.
  ///
  /// The last block frees the memory of the columns.
  ///
  /// - Throws: `temporary-storage-failed`, with the block unchanged.
  mutating func close(
    into storage: KeyStorage, isLast: Bool = false
  ) throws(CofferError) -> KeyBlock {
    var block = KeyBlock.empty
    (block.first, block.last, block.count) = (first, last, count)
    (block.entity, block.version) = (entry.entity, entry.version)
    if !isRange, let keys = unsafe keys, let entries = unsafe entries {
      unsafe measure(&block, entries)
      block.place = try unsafe storage.keep(block.size) { bytes in
        unsafe Self.pack(block, keys, entries, into: bytes)
      }
    }
    count = 0
    isRange = true
    if isLast { freeColumns() }
    return block
  }

  /// Determines the widths of a block's columns.
  private func measure(
    _ block: inout KeyBlock, _ entries: UnsafeMutablePointer<KeyDirectory.Entry>
  ) {
    var least = unsafe entries[0]
    var greatest = least
    for index in 0..<count {
      let entry = unsafe entries[index]
      least.entity = min(least.entity, entry.entity)
      least.version = min(least.version, entry.version)
      greatest.entity = max(greatest.entity, entry.entity)
      greatest.version = max(greatest.version, entry.version)
    }
    (block.entity, block.version) = (least.entity, least.version)
    block.entityWidth = KeyBlock.width(of: UInt64(greatest.entity - least.entity))
    block.versionWidth = KeyBlock.width(of: UInt64(greatest.version - least.version))
    let distance = block.distance(to: last)
    block.keyWidth = distance == UInt64(count - 1) ? 0 : KeyBlock.width(of: distance)
  }

  private static func pack(
    _ block: KeyBlock, _ keys: UnsafeMutablePointer<Int64>,
    _ entries: UnsafeMutablePointer<KeyDirectory.Entry>, into bytes: UnsafeMutableRawPointer
  ) {
    var column = unsafe bytes
    if block.keyWidth > 0 {
      for index in 0..<block.count {
        let number = block.distance(to: unsafe keys[index])
        unsafe KeyBlock.write(number, at: index, width: block.keyWidth, in: column)
      }
      unsafe column += block.count * Int(block.keyWidth)
    }
    if block.entityWidth > 0 {
      for index in 0..<block.count {
        let number = UInt64(unsafe entries[index].entity - block.entity)
        unsafe KeyBlock.write(number, at: index, width: block.entityWidth, in: column)
      }
      unsafe column += block.count * Int(block.entityWidth)
    }
    if block.versionWidth > 0 {
      for index in 0..<block.count {
        let number = UInt64(unsafe entries[index].version - block.version)
        unsafe KeyBlock.write(number, at: index, width: block.versionWidth, in: column)
      }
    }
  }
}
