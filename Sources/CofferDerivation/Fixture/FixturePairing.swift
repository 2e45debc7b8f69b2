internal import CofferCore

/// The members and owners that a relationship connects, by their positions from 0.
struct FixturePairing {
  /// By member, in a relationship with at most one owner: the owner; -1 for none.
  private(set) var owners: [Int] = []
  /// By member: its position among the members of its owner, from 0.
  private(set) var ranks: [Int] = []
  /// By member, in a many-to-many relationship: the owners in order.
  private(set) var lists: [[Int]] = []

  private let memberCount: Int
  private let ownerCount: Int
  private let members: FixtureBounds
  private let ownersOfAll: FixtureBounds
  /// The owner that is the first member; nil if no object is both.
  private let overlap: Int?
  /// By owner: the number of its members.
  private var degrees: [Int]
  private var random: SeededRandom

  /// Connects objects.
  ///
  /// The overlap is the place of the first member among the owners, which may be negative; nil if no object can
  /// be both. The share is that of members with an optional owner; in a many-to-many relationship, the average
  /// number of owners.
  init(
    _ link: FixtureLink, memberCount: Int, ownerCount: Int, overlap: Int?, share: Double,
    seed: UInt64
  ) {
    self.memberCount = memberCount
    self.ownerCount = ownerCount
    self.overlap = overlap
    (members, ownersOfAll) = (link.memberBounds, link.ownerBounds)
    degrees = Array(repeating: 0, count: ownerCount)
    random = SeededRandom(seed)
    if case .pairs = link.place {
      lists = Array(repeating: [], count: memberCount)
      if ownerCount > 0 { connectMany(isReflexive: link.isReflexive, share) }
      return
    }
    owners = Array(repeating: -1, count: memberCount)
    ranks = Array(repeating: 0, count: memberCount)
    if ownerCount == 0 { return }
    if link.isReflexive {
      connectPartners(share)
    } else if overlap != nil, members.mayBeEmpty, ownersOfAll.mayBeEmpty, ownersOfAll.least <= 1 {
      connectHierarchy(share)
    } else {
      connectEach(share)
    }
  }

  private mutating func attach(_ member: Int, to owner: Int) {
    owners[member] = owner
    ranks[member] = degrees[owner]
    degrees[owner] += 1
  }

  private func hasRoom(_ owner: Int) -> Bool { degrees[owner] < ownersOfAll.most }

  private mutating func shuffledMembers() -> [Int] {
    var order = Array(0..<memberCount)
    random.shuffle(&order)
    return order
  }

  // MARK: One owner

  /// Connects objects with each other, each with one other.
  private mutating func connectPartners(_ share: Double) {
    let order = shuffledMembers()
    for index in stride(from: 0, to: memberCount - 1, by: 2)
    where !members.mayBeEmpty || random.chance(share) {
      attach(order[index], to: order[index + 1])
      attach(order[index + 1], to: order[index])
    }
  }

  /// Connects members with owners that come before them, so that there are no cycles.
  private mutating func connectHierarchy(_ share: Double) {
    for member in 0..<memberCount {
      let before = max(0, min(ownerCount, member + (overlap ?? 0)))
      guard before > 0, random.chance(share) else { continue }
      // Often one of the latest, so that there are several levels.
      let owner =
        random.chance(0.5) ? before - 1 - random.below(min(before, 4)) : random.below(before)
      if hasRoom(owner) { attach(member, to: owner) }
    }
  }

  private mutating func connectEach(_ share: Double) {
    var rest = shuffledMembers()[...]
    let isGrouped = ownersOfAll.least > 1 || !ownersOfAll.mayBeEmpty
    for owner in 0..<ownerCount where isGrouped && rest.count >= ownersOfAll.least {
      let isLeftOut = ownersOfAll.mayBeEmpty && members.mayBeEmpty && owner > 0
      if isLeftOut && random.chance(0.5) { continue }
      for _ in 0..<ownersOfAll.least { attach(rest.removeFirst(), to: owner) }
    }
    var open = (0..<ownerCount).filter { hasRoom($0) && (!isGrouped || degrees[$0] > 0) }
    while let member = rest.popFirst() {
      if open.isEmpty { return }
      if members.mayBeEmpty && !random.chance(share) { continue }
      // A few have many; most have few.
      let place = Int(random.unit() * random.unit() * Double(open.count))
      attach(member, to: open[place])
      if hasRoom(open[place]) { continue }
      open.swapAt(place, open.count - 1)
      open.removeLast()
    }
  }

  // MARK: Many owners

  private mutating func connect(_ member: Int, _ owner: Int) -> Bool {
    guard overlap.map({ member + $0 != owner }) ?? true, !lists[member].contains(owner),
      lists[member].count < members.most, hasRoom(owner)
    else { return false }
    lists[member].append(owner)
    degrees[owner] += 1
    return true
  }

  private mutating func connectMany(isReflexive: Bool, _ share: Double) {
    if isReflexive { return connectRing(share) }
    var next = 0
    for member in 0..<memberCount where !members.mayBeEmpty || random.chance(min(1, share)) {
      for _ in 0..<ownerCount where lists[member].count < members.least {
        _ = connect(member, next % ownerCount)
        next += 1
      }
    }
    for owner in 0..<ownerCount
    where degrees[owner] < ownersOfAll.least && (!ownersOfAll.mayBeEmpty || degrees[owner] > 0) {
      for _ in 0..<memberCount where degrees[owner] < ownersOfAll.least {
        // An object that would have too few gets none, if it may have none.
        if members.least == 1 || !lists[next % memberCount].isEmpty {
          _ = connect(next % memberCount, owner)
        }
        next += 1
      }
    }
    let surplus = share * Double(memberCount) - Double(degrees.reduce(0, +))
    for _ in 0..<max(0, Int(surplus)) {
      let (member, owner) = (random.below(memberCount), random.below(ownerCount))
      let isAllowed =
        (members.least == 1 || !lists[member].isEmpty)
        && (ownersOfAll.least == 1 || degrees[owner] > 0)
      if isAllowed { _ = connect(member, owner) }
    }
    for member in 0..<memberCount { random.shuffle(&lists[member]) }
  }

  /// Connects objects of one kind with each other; a pair counts for both.
  private mutating func connectRing(_ share: Double) {
    let least = members.mayBeEmpty ? 0 : members.least
    for step in 0..<((least + 1) / 2) {
      for member in 0..<memberCount {
        let other = (member + step + 1) % memberCount
        if !lists[other].contains(member) { _ = connect(member, other) }
      }
    }
    guard members.least == 1, members.most > 2 * ((least + 1) / 2) + 1 else { return }
    for member in 1..<max(1, memberCount) where random.chance(min(1, share / 2)) {
      let other = random.below(member)
      let count = lists[member].count + degrees[member]
      if count < members.most, lists[other].count + degrees[other] < members.most,
        !lists[other].contains(member)
      {
        _ = connect(member, other)
      }
    }
  }
}
