internal import CoreDataStore

extension MergeRun {
  /// Puts the members of ordered relationships in order.
  func mergeOrder() throws {
    try editor.statements.forEachRow(
      "SELECT r, o FROM \(Self.lists) WHERE (r, o) > (?1, ?2) ORDER BY r, o", keys: 2
    ) { row in
      guard let ordered = row[0].integer, let key = row[1].integer else { return }
      let owner = StoredObject(table: editor.schema.ordered[Int(ordered)].ownerTable, key: key)
      guard let present = try identity.present(owner) else { return }
      try mergeOrder(Int(ordered), of: owner, present)
    }
  }

  private func mergeOrder(_ ordered: Int, of owner: StoredObject, _ present: StoredObject) throws {
    let table = editor.schema.ordered[ordered].memberTable
    func mapped(_ keys: [Int64]) throws -> [Int64] {
      try keys.compactMap { try identity.present(StoredObject(table: table, key: $0))?.key }
    }
    let members = try editor.members(ordered, of: present.key)
    var order = MergedOrder(
      members: members.map(\.key),
      store: try store.members(ordered, of: present.key),
      other: try mapped(other.members(ordered, of: owner.key)))
    if try !isSelected(owner) {
      // Only the positions of new members count.
      order.base = order.other
    } else if let base, identity.isOld(owner) {
      order.base = try base.members(ordered, of: owner.key)
    }
    if order.isContested {
      try noteOrder(ordered, of: owner, present)
    }
    let merged = order.merged(prefersOther: policy.prefersOther)
    // Members in their order may have equal positions, which is the store's defect.
    guard merged != order.members || members.contains(where: { $0.position == nil }) else { return }
    try editor.order(merged, ordered, of: present.key)
  }
}

/// The members of an ordered relationship in the orders of the stores of a merge.
struct MergedOrder {
  /// The members after the merge, in any order.
  let members: [Int64]
  /// The members in the order of the store.
  let store: [Int64]
  /// The members in the order of the other store, by their keys in the copy.
  let other: [Int64]
  /// The members in the order of the base; nil without one.
  var base: [Int64]?

  /// The members that both stores have, in the orders of both.
  private var common: (store: [Int64], other: [Int64]) {
    let all = Set(members)
    let shared = all.intersection(store).intersection(other)
    return (store.filter { shared.contains($0) }, other.filter { shared.contains($0) })
  }

  /// Whether the members of the base are in another order.
  private func isMoved(_ list: [Int64]) -> Bool {
    guard let base else { return true }
    let (old, new) = (Set(base), Set(list))
    return list.filter { old.contains($0) } != base.filter { new.contains($0) }
  }

  /// Whether both stores moved members, in different ways.
  var isContested: Bool {
    let (store, other) = common
    return store != other && isMoved(store) && isMoved(other)
  }

  /// The members in their new order.
  ///
  /// One store's order is used; members that only the other store has come after the member that
  /// they follow there.
  func merged(prefersOther: Bool) -> [Int64] {
    let (ofStore, ofOther) = common
    let takesOther = ofStore != ofOther && isMoved(ofOther) && (prefersOther || !isMoved(ofStore))
    let all = Set(members)
    let (first, second) = takesOther ? (other, store) : (store, other)
    let kept = first.filter { all.contains($0) }
    let result = Self.insert(second.filter { all.contains($0) }, into: kept)
    let known = Set(result)
    return result + members.filter { !known.contains($0) }
  }

  /// Inserts members that only the second list has after their predecessor there, and after members
  /// that only the first list has at that position.
  private static func insert(_ second: [Int64], into first: [Int64]) -> [Int64] {
    let (own, theirs) = (Set(first), Set(second))
    // The members that follow each common member, or the start, in the second list.
    var followers: [Int64?: [Int64]] = [:]
    var neighbor: Int64?
    for key in second {
      if own.contains(key) { neighbor = key } else { followers[neighbor, default: []].append(key) }
    }
    var result: [Int64] = []
    var pending: [Int64] = followers[nil] ?? []
    for key in first {
      if theirs.contains(key) {
        result += pending
        pending = followers[key] ?? []
      }
      result.append(key)
    }
    return result + pending
  }
}
