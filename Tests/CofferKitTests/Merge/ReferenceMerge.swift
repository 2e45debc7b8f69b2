internal import StoreGenerator

/// A three-way merge of small stores in memory, by the book and without any care for speed.
///
/// It shares no code with the product.
struct ReferenceMerge {
  let store: MergeState
  let other: MergeState
  let base: MergeState
  /// Whether the other store wins where both contradict each other.
  let prefersOther: Bool
  /// What is contradictory.
  private(set) var conflicts: Set<String> = []
  private(set) var result: MergeState

  init(_ store: MergeState, _ other: MergeState, base: MergeState, prefersOther: Bool) {
    self.store = store
    self.other = other
    self.base = base
    self.prefersOther = prefersOther
    result = store
    mergeObjects()
    mergePairs()
    mergeDeletions()
  }

  private mutating func mergeObjects() {
    var wanted: [(object: String, link: String, destination: String?)] = []
    for (uid, theirs) in other.items.sorted(by: { $0.key < $1.key }) {
      guard let old = base.items[uid] else {
        insert(uid, theirs, &wanted)
        continue
      }
      guard let ours = store.items[uid] else {
        if theirs.values != old.values || theirs.links != old.links {
          conflicts.insert("\(uid) deleted here")
          if prefersOther { insert(uid, theirs, &wanted) }
        }
        continue
      }
      for name in Set(old.values.keys).union(theirs.values.keys)
      where theirs.values[name] != old.values[name] && theirs.values[name] != ours.values[name] {
        if ours.values[name] != old.values[name] {
          conflicts.insert("\(uid).\(name)")
          if !prefersOther { continue }
        }
        result.items[uid]?.values[name] = theirs.values[name]
      }
      for name in Set(old.links.keys).union(theirs.links.keys)
      where theirs.links[name] != old.links[name] && theirs.links[name] != ours.links[name] {
        // The deletion of the destination speaks for itself.
        if theirs.links[name] == nil, let gone = old.links[name], other.items[gone] == nil {
          continue
        }
        if ours.links[name] != old.links[name] {
          conflicts.insert("\(uid).\(name)")
          if !prefersOther { continue }
        }
        wanted.append((uid, name, theirs.links[name]))
      }
    }
    for (object, link, destination) in wanted {
      if let destination, result.items[destination] == nil {
        conflicts.insert("\(object).\(link) to nothing")
        continue
      }
      set(object, link, destination)
    }
  }

  private mutating func set(_ object: String, _ link: String, _ destination: String?) {
    if link == "folder" {
      result.move(object, to: destination)
    } else {
      result.items[object]?.links[link] = destination
    }
  }

  private mutating func insert(
    _ uid: String, _ item: MergeState.Item,
    _ wanted: inout [(object: String, link: String, destination: String?)]
  ) {
    result.items[uid] = MergeState.Item(entity: item.entity, key: 0, values: item.values)
    if item.entity == "Folder" { result.lists[uid] = [] }
    for (name, destination) in item.links { wanted.append((uid, name, destination)) }
  }

  private mutating func mergePairs() {
    for pair in other.pairs.subtracting(base.pairs) {
      if pair.allSatisfy({ result.items[$0] != nil }) {
        result.pairs.insert(pair)
      } else {
        conflicts.insert("\(pair) to nothing")
      }
    }
    for pair in base.pairs.subtracting(other.pairs)
    where pair.allSatisfy({ other.items[$0] != nil }) {
      result.pairs.remove(pair)
    }
  }

  private func isGone(_ uid: String) -> Bool {
    base.items[uid] != nil && other.items[uid] == nil
  }

  private func isChanged(_ uid: String) -> Bool {
    guard let ours = store.items[uid], let old = base.items[uid] else { return true }
    return ours.values != old.values || ours.links != old.links
  }

  /// Whether the store has a reference or a pair with an object that the base does not have.
  private func hasNewReferences(_ uid: String) -> Bool {
    store.pairs.subtracting(base.pairs).contains { $0.contains(uid) }
      || store.items.contains { name, item in
        item.links.contains { $0.value == uid && base.items[name]?.links[$0.key] != uid }
      }
  }

  private mutating func mergeDeletions() {
    let gone = base.items.filter { isGone($0.key) }
      .sorted { ($0.value.entity, $0.value.key) < ($1.value.entity, $1.value.key) }
    for (uid, _) in gone where result.items[uid] != nil {
      if isChanged(uid) || hasNewReferences(uid) {
        conflicts.insert("\(uid) changed here")
        if !prefersOther { continue }
      }
      var mayDelete = true
      for note in result.lists[uid] ?? [] where !isGone(note) || isChanged(note) {
        conflicts.insert("\(note) with \(uid)")
        if !prefersOther { mayDelete = false }
      }
      if mayDelete { result.delete(uid) }
    }
  }
}
