package import CoreDataModel

/// A compact directory of the primary keys of one table, each with a small payload.
///
/// Keys come in the order of the rows, which is nearly always ascending. They collect in an open
/// block. A full block is packed and appended to the last run of blocks, or starts another run if
/// keys of a damaged file are out of order. There are at most 16 runs: beyond that, runs of similar
/// length are merged, so that each key is moved only a few times in any order.
///
/// After an error, it can only look up keys.
@safe package final class KeyDirectory {
  /// The payload of a key.
  package struct Entry: Sendable, Equatable {
    /// The index of the entity.
    package var entity: UInt16
    /// The version counter.
    package var version: UInt32
  }

  /// The state of the directory, without the runs.
  private struct State: ~Copyable {
    var count = 0
    var greatest = Int64.min
    var open = OpenKeyBlock()
    /// The block of the last key found in a run.
    var hit = KeyBlock.empty
    var rest: (any KeySource)?
    var isFinished = false
  }

  var count: Int { unsafe state.pointee.count }
  /// The highest key; nil if there is none.
  var maximum: Int64? { rest?.maximum ?? (count == 0 ? nil : unsafe state.pointee.greatest) }
  /// All keys of the table, if only some of them are appended; otherwise nil.
  ///
  /// Until ``finish()``, it counts up to the last key that was appended, as if all were.
  var rest: (any KeySource)? {
    get { unsafe state.pointee.rest }
    set { unsafe state.pointee.rest = newValue }
  }
  /// The number of ascending runs of blocks.
  var runCount: Int { runs.count }

  private let storage: KeyStorage
  private var runs: ContiguousArray<KeyRun> = []
  /// In separate memory: each access to a mutable property would be checked for exclusivity, for each key.
  private let state: UnsafeMutablePointer<State>

  private static let runLimit = 16

  /// - Parameter storage: the storage that the directories of one run share.
  package init(storage: KeyStorage) {
    self.storage = storage
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Adds a key.
  ///
  /// - Returns: false, without a change, if the key already exists.
  /// - Throws: `temporary-storage-failed`.
  package func append(key: Int64, entity: UInt16, version: UInt32) throws(CofferError) -> Bool {
    let entry = Entry(entity: entity, version: version)
    if unsafe key > state.pointee.greatest && state.pointee.open.extend(key, entry) {
      unsafe state.pointee.greatest = key
      unsafe state.pointee.count &+= 1
      return true
    }
    return try insert(key, entry)
  }

  /// The payload of a key; nil if the key does not exist.
  ///
  /// - Throws: `temporary-storage-failed` if it cannot be read from the temporary file; errors of ``rest``.
  package func find(_ key: Int64) throws(CofferError) -> Entry? {
    if unsafe state.pointee.hit.covers(key) && state.pointee.hit.isUniform {
      return unsafe Entry(entity: state.pointee.hit.entity, version: state.pointee.hit.version)
    }
    if let found = try findAppended(key) { return found }
    guard let rest, unsafe state.pointee.isFinished || key <= state.pointee.greatest else {
      return nil
    }
    return try rest.find(key)
  }

  /// The payload of a key that was appended; nil if it was not.
  func findAppended(_ key: Int64) throws(CofferError) -> Entry? {
    if let found = unsafe state.pointee.open.find(key) { return found }
    guard unsafe count > 0 && key <= state.pointee.greatest else { return nil }
    return try search(key)
  }

  /// Closes the open block to save memory when no more keys are expected.
  ///
  /// More keys may still follow.
  ///
  /// - Throws: `temporary-storage-failed`.
  package func finish() throws(CofferError) {
    unsafe state.pointee.isFinished = true
    if unsafe state.pointee.open.count > 0 { try closeBlock(isLast: true) }
  }

  /// Iterates over all keys in ascending order.
  ///
  /// The body may look up keys, but not append any.
  ///
  /// - Throws: errors from the body, and `temporary-storage-failed`.
  package func forEach(_ body: (Int64, Entry) throws -> Void) throws {
    try finish()
    var merge = try KeyMerge(runs[...], storage: storage)
    while let next = try merge.next() { try body(next.key, next.entry) }
  }

  private func insert(_ key: Int64, _ entry: Entry) throws(CofferError) -> Bool {
    let isBehind = unsafe key > state.pointee.greatest
    if !isBehind, count > 0, try findAppended(key) != nil { return false }
    if unsafe !state.pointee.open.extend(key, entry) {
      if unsafe !state.pointee.open.hasRoom { try closeBlock() }
      unsafe state.pointee.open.insert(key, entry)
    }
    if isBehind { unsafe state.pointee.greatest = key }
    unsafe state.pointee.count &+= 1
    return true
  }

  /// Looks up a key in the runs.
  ///
  /// The latest is the most likely one.
  private func search(_ key: Int64) throws(CofferError) -> Entry? {
    let hit = unsafe state.pointee.hit
    if hit.covers(key), let found = try look(up: key, in: hit) { return found }
    for run in runs.reversed() {
      if let block = run.block(covering: key), let found = try look(up: key, in: block) {
        unsafe state.pointee.hit = block
        return found
      }
    }
    return nil
  }

  private func look(up key: Int64, in block: KeyBlock) throws(CofferError) -> Entry? {
    unsafe block.find(key, in: try storage.bytes(of: block))
  }

  /// Packs the open block and appends it to the runs.
  private func closeBlock(isLast: Bool = false) throws(CofferError) {
    let block = try unsafe state.pointee.open.close(into: storage, isLast: isLast)
    if let run = runs.last, let end = run.blocks.last, end.last < block.first {
      return run.append(block)
    }
    let run = KeyRun(storage: storage)
    run.append(block)
    runs.append(run)
    if runs.count > Self.runLimit { try mergeRuns() }
  }

  /// Merges at least two of the last runs: runs that are not longer than all later ones together.
  private func mergeRuns() throws(CofferError) {
    var start = runs.count - 2
    var later = 0
    for index in runs.indices.reversed() {
      if index < start, runs[index].count <= later { start = index }
      later += runs[index].count
    }
    var merge = try KeyMerge(runs[start...], storage: storage)
    let result = KeyRun(storage: storage)
    var block = OpenKeyBlock()
    while let next = try merge.next() {
      if block.extend(next.key, next.entry) { continue }
      if !block.hasRoom { result.append(try block.close(into: storage)) }
      block.insert(next.key, next.entry)
    }
    result.append(try block.close(into: storage))
    unsafe state.pointee.hit = .empty
    runs.removeSubrange(start...)
    runs.append(result)
  }
}

/// The keys of a table, looked up one by one.
protocol KeySource: AnyObject {
  /// The highest key; nil if there is none.
  var maximum: Int64? { get }
  /// The payload of a key; nil if the key does not exist.
  func find(_ key: Int64) throws(CofferError) -> KeyDirectory.Entry?
}
