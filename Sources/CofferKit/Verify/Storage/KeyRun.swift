/// Blocks of a key directory whose keys ascend from block to block.
final class KeyRun {
  /// The blocks, ascending.
  private(set) var blocks: ContiguousArray<KeyBlock> = []
  /// How many keys the blocks have.
  private(set) var count = 0

  private let storage: KeyStorage

  init(storage: KeyStorage) { self.storage = storage }

  deinit {
    for block in blocks { storage.release(block) }
  }

  /// Appends a block whose keys are greater than all before.
  func append(_ block: KeyBlock) {
    count += block.count
    if let end = blocks.last, end.isUniform, block.isUniform,
      end.distance(to: block.first) == UInt64(end.count),
      end.entity == block.entity, end.version == block.version
    {
      // Both are nothing but ranges, and one goes on where the other ends.
      blocks[blocks.count - 1].last = block.last
      blocks[blocks.count - 1].count += block.count
    } else {
      blocks.append(block)
      storage.countIndexed(block)
    }
  }

  /// The block whose range of keys a key is in; nil where there is none.
  func block(covering key: Int64) -> KeyBlock? {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low &+ high) &>> 1
      if blocks[middle].last < key { low = middle &+ 1 } else { high = middle }
    }
    guard low < blocks.count, blocks[low].first <= key else { return nil }
    return blocks[low]
  }
}
