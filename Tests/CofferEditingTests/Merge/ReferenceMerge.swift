internal import CoreDataModel
internal import LibrarySupport

/// A three-way merge of small stores in memory, by the book and without any care for speed.
///
/// It shares no code with the product. It knows no direction: one side wins where both contradict each
/// other, and the conflicts are the same whichever it is.
struct ReferenceMerge {
  let winner: MergeState
  let loser: MergeState
  let base: MergeState
  /// What is contradictory.
  var conflicts: Set<String> = []
  /// Whether there is a contradiction that no policy settles.
  var isOpen = false
  /// The objects with their values and to-one relationships, and the pairs.
  var result = MergeState()

  /// Objects that the loser deleted, and that stay.
  private var kept: Set<String> = []
  /// Objects that the winner deleted although the loser uses them.
  private var overruled: Set<String> = []
  /// Objects that only the loser has, and that fall with those.
  private var fallen: Set<String> = []

  init(winner: MergeState, loser: MergeState, base: MergeState) {
    self.winner = winner
    self.loser = loser
    self.base = base
    findUses()
    keepOwners()
    carryOutDeletions()
    mergeValues()
    for link in MergeModel.links where !link.isOneToOne { mergeLinks(link.name) }
    for link in MergeModel.links where link.isOneToOne { mergePartners(link.name) }
    mergePairs()
    requireUniqueness()
  }

  // MARK: Which objects are there

  private mutating func findUses() {
    for uid in base.items.keys {
      if winner.items[uid] != nil, loser.items[uid] == nil, uses(winner, uid) {
        conflicts.insert("\(uid) is used and deleted")
        kept.insert(uid)
      }
      if winner.items[uid] == nil, loser.items[uid] != nil, uses(loser, uid) {
        conflicts.insert("\(uid) is deleted and used")
        overruled.insert(uid)
      }
    }
  }

  /// Whether a side changed an object of the base, or let something lead to it that did not.
  private func uses(_ side: MergeState, _ uid: String) -> Bool {
    guard let now = side.items[uid], let old = base.items[uid] else { return false }
    if now.values != old.values { return true }
    for link in MergeModel.links {
      if isChanged(side, uid, link.name) { return true }
      if link.isOneToOne, isPartnerChanged(side, uid, link.name) { return true }
      for holder in side.holders(link.name, of: uid)
      where base.items[holder]?.links[link.name] != uid {
        return true
      }
    }
    return side.pairs.subtracting(base.pairs).contains { $0.contains(uid) }
  }

  /// Whether a side let a relationship lead elsewhere: not because of a deletion, and not because
  /// another object took the destination.
  func isChanged(_ side: MergeState, _ uid: String, _ link: Name) -> Bool {
    let (old, now) = (base.items[uid]?.links[link], side.items[uid]?.links[link])
    if old == now { return false }
    guard now == nil, let old else { return true }
    if side.items[old] == nil { return false }
    return !(MergeModel.link(link).isOneToOne && !side.holders(link, of: old).isEmpty)
  }

  /// The same of the other end of a relationship that is to-one on both sides.
  func isPartnerChanged(_ side: MergeState, _ uid: String, _ link: Name) -> Bool {
    let (old, now) = (base.holders(link, of: uid).first, side.holders(link, of: uid).first)
    if old == now { return false }
    guard now == nil, let old else { return true }
    return side.items[old] != nil && side.items[old]?.links[link] == nil
  }

  /// Keeps what would have to take along what is kept, or denies to be deleted because of it.
  private mutating func keepOwners() {
    var waiting = Array(kept)
    while let uid = waiting.popLast() {
      var owners: [String] = []
      for link in MergeModel.links {
        if let owner = winner.items[uid]?.links[link.name], link.inverseRule != .nullify {
          owners.append(owner)
        }
        if link.rule != .nullify { owners += winner.holders(link.name, of: uid) }
      }
      for owner in owners where base.items[owner] != nil && loser.items[owner] == nil {
        if kept.insert(owner).inserted { waiting.append(owner) }
      }
    }
  }

  private mutating func carryOutDeletions() {
    var waiting = Array(overruled)
    while let uid = waiting.popLast() {
      var taken: [String] = []
      for link in MergeModel.links {
        if link.inverseRule == .cascade { taken += loser.holders(link.name, of: uid) }
        if link.rule == .cascade, let found = loser.items[uid]?.links[link.name] {
          taken.append(found)
        }
      }
      for found in taken where base.items[found] == nil && winner.items[found] == nil {
        conflicts.insert("\(found) falls")
        if fallen.insert(found).inserted { waiting.append(found) }
      }
    }
    for uid in overruled {
      for link in MergeModel.links where link.inverseRule == .deny {
        for holder in loser.holders(link.name, of: uid)
        where base.items[holder]?.links[link.name] != uid && isAlive(holder) {
          conflicts.insert("\(uid) is denied")
          isOpen = true
        }
      }
    }
  }

  func isAlive(_ uid: String) -> Bool {
    switch (winner.items[uid] != nil, loser.items[uid] != nil) {
    case (true, true): true
    case (true, false): base.items[uid] == nil || kept.contains(uid)
    case (false, true): base.items[uid] == nil && !fallen.contains(uid)
    case (false, false): false
    }
  }

  // MARK: What they have

  private mutating func mergeValues() {
    for uid in Set(winner.items.keys).union(loser.items.keys) where isAlive(uid) {
      let (first, second) = (winner.items[uid], loser.items[uid])
      guard let entity = (first ?? second)?.entity else { continue }
      var item = MergeState.Item(entity: entity, key: 0)
      for name in MergeModel.attributes[entity] ?? [] {
        guard let first, let second else {
          item.values[name] = (first ?? second)?.values[name]
          continue
        }
        let (one, other) = (first.values[name], second.values[name])
        if let old = base.items[uid], other == old.values[name] || one == old.values[name] {
          item.values[name] = other == old.values[name] ? one : other
          continue
        }
        if one != other { conflicts.insert("\(uid).\(name)") }
        item.values[name] = one
      }
      result.items[uid] = item
    }
  }

  private mutating func requireUniqueness() {
    let codes = result.items.values.compactMap { $0.values["code"] }
    guard codes.count != Set(codes).count else { return }
    conflicts.insert("codes")
    isOpen = true
  }
}
