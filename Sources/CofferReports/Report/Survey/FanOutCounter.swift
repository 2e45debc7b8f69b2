internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// Counts the destinations of each object of a to-many relationship.
///
/// The key of a record is the owner. Consecutive references of one owner are one record with a
/// count, unless the destination matters.
final class FanOutCounter: RecordConsumer {
  private enum Rank {
    static let run: UInt32 = 0
    static let pair: UInt32 = 1
  }

  private unowned let context: VerificationContext
  private let owners: VerifiedTable
  private let allowed: EntitySet
  private var topic: UInt32 = 0
  private var run: SortRecord

  private var current: Int64?
  private var count = 0
  private var lastDestination: Int64?
  /// The number of objects by number of destinations.
  ///
  /// There are at most as many different numbers as the square root of twice the number of
  /// destinations.
  private var ownersByCount: [Int: Int] = [:]
  private var hubs: [(count: Int, key: Int64, entity: UInt16)] = []

  private static let hubLimit = 5

  /// Prepares to count; nil if the owners have no table.
  init?(ofOwners entity: Name, _ context: VerificationContext) {
    guard let owners = context.table(ofEntity: entity) else { return nil }
    self.context = context
    self.owners = owners
    allowed = context.tree(of: entity)
    run = SortRecord(topic: 0, rank: Rank.run, key: 0, first: 0, second: 0)
    topic = context.topic(self)
    run.topic = topic
  }

  /// Adds a reference to an owner.
  func add(_ owner: Int64) throws {
    if run.key != owner {
      try endRun()
      run.key = owner
    }
    run.first &+= 1
  }

  /// Adds a reference to an owner that counts once per destination.
  func add(_ owner: Int64, to destination: Int64) throws {
    try context.sorter.append(
      SortRecord(topic: topic, rank: Rank.pair, key: owner, first: destination, second: 0))
  }

  /// Writes the pending record.
  func endRun() throws {
    if run.first > 0 { try context.sorter.append(run) }
    run.first = 0
  }

  func take(_ record: SortRecord) throws {
    if record.key != current {
      try endOwner()
      current = record.key
    }
    if record.rank == Rank.run {
      count += Int(clamping: record.first)
    } else if record.first != lastDestination {
      lastDestination = record.first
      count += 1
    }
  }

  func topicDone() throws { try endOwner() }

  private func endOwner() throws {
    defer { (current, count, lastDestination) = (nil, 0, nil) }
    // A reference to no object, or to one without such a relationship, is a finding.
    guard let current, count > 0, let found = try context.keys(of: owners)?.find(current),
      allowed.contains(found.entity)
    else { return }
    ownersByCount[count, default: 0] += 1
    if hubs.count < Self.hubLimit || count > (hubs.last?.count ?? 0) {
      let place = hubs.firstIndex { $0.count < count } ?? hubs.count
      hubs.insert((count, current, found.entity), at: place)
      if hubs.count > Self.hubLimit { hubs.removeLast() }
    }
  }

  /// The result, after all records.
  func fanOut(
    of relationship: RelationshipDescription, _ entity: Name, ownerCount: Int
  ) -> RelationshipFanOut {
    let filled = ownersByCount.values.reduce(0, +)
    let empty = max(0, ownerCount - filled)
    var all = ownersByCount.map { (destinations: $0.key, owners: $0.value) }
    if empty > 0 { all.append((0, empty)) }
    all.sort { $0.destinations < $1.destinations }
    return RelationshipFanOut(
      entityName: entity, relationship: relationship, ownerCount: ownerCount, filledCount: filled,
      destinationCount: all.reduce(0) { $0 + $1.destinations * $1.owners },
      median: Self.median(all), least: all.first?.destinations ?? 0,
      greatest: all.last?.destinations ?? 0, steps: Self.steps(all),
      hubs: hubs.map { hub in
        let name = context.entities.name(hub.entity) ?? entity
        return .init(
          objectID: ManagedObjectID(entityName: name, primaryKey: hub.key), count: hub.count)
      })
  }

  /// The median number of destinations: the mean of the two in the middle of an even number.
  ///
  /// - Parameter all: the numbers of destinations in ascending order, with their numbers of owners.
  /// - Returns: the median; 0 without owners.
  static func median(_ all: [(destinations: Int, owners: Int)]) -> Double {
    let count = all.reduce(0) { $0 + $1.owners }
    guard count > 0 else { return 0 }
    func number(at place: Int) -> Int {
      var before = 0
      for (destinations, owners) in all {
        before += owners
        if place < before { return destinations }
      }
      return 0
    }
    return (Double(number(at: (count - 1) / 2)) + Double(number(at: count / 2))) / 2
  }

  /// The numbers in steps: 0, 1, 2 to 3, 4 to 7, and so on.
  private static func steps(
    _ all: [(destinations: Int, owners: Int)]
  ) -> [RelationshipFanOut.Step] {
    var steps: [RelationshipFanOut.Step] = []
    for (destinations, owners) in all {
      let width = destinations == 0 ? 0 : Int.bitWidth - destinations.leadingZeroBitCount
      let least = width == 0 ? 0 : 1 << (width - 1)
      if steps.last?.least == least {
        steps[steps.count - 1].ownerCount += owners
      } else {
        let greatest = width == 0 ? 0 : least + (least - 1)
        steps.append(.init(least: least, greatest: greatest, ownerCount: owners))
      }
    }
    return steps
  }
}
