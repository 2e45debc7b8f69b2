internal import CoreDataModel
internal import LibrarySupport

extension ReferenceMerge {
  mutating func mergeLinks(_ link: Name) {
    for uid in Array(result.items.keys) {
      let destination = merged(uid, link)
      if let destination, result.items[destination] != nil {
        result.items[uid]?.links[link] = destination
      }
    }
  }

  private mutating func merged(_ uid: String, _ link: Name) -> String? {
    guard let first = winner.items[uid], let second = loser.items[uid] else {
      return (winner.items[uid] ?? loser.items[uid])?.links[link]
    }
    let (one, other) = (first.links[link], second.links[link])
    guard let old = base.items[uid] else {
      if one != other { conflicts.insert("\(uid).\(link)") }
      return one
    }
    let ours = isChanged(winner, uid, link) ? one : old.links[link]
    guard isChanged(loser, uid, link), one != other else { return ours }
    if isChanged(winner, uid, link) {
      conflicts.insert("\(uid).\(link)")
      return ours
    }
    // What leads to something that is deleted stays as it is.
    if let other, result.items[other] == nil { return ours }
    return other
  }

  /// Merges a relationship that is to-one on both sides, as a set of pairs of which no object has two.
  mutating func mergePartners(_ link: Name) {
    func partners(_ state: MergeState) -> Set<[String]> {
      Set(state.items.compactMap { uid, item in item.links[link].map { [uid, $0] } })
    }
    let (first, second, old) = (partners(winner), partners(loser), partners(base))
    var merged = first
    for pair in old.subtracting(second).sorted(by: { $0[0] < $1[0] })
    where loser.items[pair[0]] != nil && loser.items[pair[1]] != nil
      && loser.items[pair[0]]?.links[link] == nil && loser.holders(link, of: pair[1]).isEmpty
    {
      if !first.contains(pair) {
        let isElsewhere =
          winner.items[pair[0]]?.links[link] != nil || !winner.holders(link, of: pair[1]).isEmpty
        if isElsewhere { conflicts.insert("\(pair) is undone and changed") }
      }
      merged.remove(pair)
    }
    for pair in second.subtracting(first).sorted(by: { $0[0] < $1[0] }) {
      let isNew = !old.contains(pair)
      guard isNew, pair.allSatisfy({ isAlive($0) }) else { continue }
      if isContested(pair, link) {
        conflicts.insert("\(pair) has others")
        continue
      }
      merged = merged.filter { $0[0] != pair[0] && $0[1] != pair[1] }
      merged.insert(pair)
    }
    for pair in merged where pair.allSatisfy({ result.items[$0] != nil }) {
      result.items[pair[0]]?.links[link] = pair[1]
    }
    // Objects that both sides added have no old state: any difference is a contradiction.
    for uid in result.items.keys where base.items[uid] == nil {
      guard let one = winner.items[uid], let other = loser.items[uid] else { continue }
      if one.links[link] != other.links[link]
        || winner.holders(link, of: uid) != loser.holders(link, of: uid)
      {
        conflicts.insert("\(uid).\(link)")
      }
    }
  }

  /// Whether the winner has a different value for one of both.
  private func isContested(_ pair: [String], _ link: Name) -> Bool {
    let isFirst =
      winner.items[pair[0]] != nil
      && (base.items[pair[0]] == nil || isChanged(winner, pair[0], link))
    let isSecond =
      winner.items[pair[1]] != nil
      && (base.items[pair[1]] == nil || isPartnerChanged(winner, pair[1], link))
    return isFirst || isSecond
  }

  mutating func mergePairs() {
    result.pairs = winner.pairs.union(loser.pairs.subtracting(base.pairs))
    for pair in base.pairs.subtracting(loser.pairs)
    where pair.allSatisfy({ loser.items[$0] != nil }) {
      result.pairs.remove(pair)
    }
    result.pairs = result.pairs.filter { $0.allSatisfy { result.items[$0] != nil } }
  }
}
