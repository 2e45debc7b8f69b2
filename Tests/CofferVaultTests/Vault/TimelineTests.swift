internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// Any moment of a known timeline can be restored, whatever was forgotten, and the history of objects equals
/// the writer's changes.
///
/// A tenth of the commits are the moments that are restored.
@Suite struct TimelineTests {
  private static let commitCount = Effort.tries(60)

  /// The forgotten backups, one after another; nil for none.
  private static let policies: [RetentionPolicy?] = {
    var (some, few, last) = (RetentionPolicy(), RetentionPolicy(), RetentionPolicy())
    (some.within, some.daily) = (10 * 86_400, 20)
    (few.daily, few.weekly) = (7, 3)
    (last.last, last.monthly) = (3, 1)
    return [nil, some, few, last]
  }()

  @Test func everyMomentComesBackAndTheHistoryIsThatOfTheWriter() throws {
    let seed: UInt64 = 17
    let timeline = try Timeline(seed: seed)
    try timeline.write(Self.commitCount, backups: min(300, Self.commitCount / 5))
    var random = SeededGenerator(seed: seed + 1)
    print("timeline of seed \(seed): \(timeline.moments.count) backups")
    for (round, policy) in Self.policies.enumerated() {
      if let policy {
        let later = Instant.now.secondsSince1970 + Int64(round) * 7_200
        _ = try timeline.trial.vault.forget(
          policy, of: nil, isDryRun: false, now: Instant(secondsSince1970: later))
      }
      let ids = Set(try timeline.trial.vault.backups().map(\.id))
      let moments = timeline.moments.filter { ids.contains($0.backup.id) }
      #expect(moments.count == ids.count)
      #expect(moments.last?.backup.id == timeline.moments.last?.backup.id)
      #expect(policy == nil || moments.count < timeline.moments.count)
      for _ in 0..<max(2, Self.commitCount / 10 / Self.policies.count) {
        try requireMoment(random.below(Timeline.minutes), timeline, moments)
      }
      let keys = Set(timeline.commits.map(\.tag)).sorted()
      for _ in 0..<4 {
        try requireHistory(of: keys[random.below(keys.count)], timeline, moments)
      }
    }
  }

  /// Restores the store as it was at a minute, and compares it with the copy of then.
  private func requireMoment(
    _ minute: Int, _ timeline: Timeline, _ moments: [Timeline.Moment]
  ) throws {
    let time = VaultTrial.time(minute)
    let selection = BackupSelection(.until(time))
    guard let truth = moments.last(where: { $0.backup.moment <= time }) else {
      let error = #expect(throws: CofferError.self) {
        try timeline.trial.vault.find(selection)
      }
      #expect(error?.code == .noSuchBackup)
      return
    }
    let folder = try TemporaryDirectory()
    try timeline.trial.vault.restore(selection, to: folder.file("Restored.sqlite"))
    let differences = try StoreComparer.differences(truth.copy, folder.file("Restored.sqlite"))
    #expect(differences == [], "minute \(minute)")
  }

  /// Replays the history of a tag, and compares it with the writer's state at each backup.
  private func requireHistory(
    of key: Int64, _ timeline: Timeline, _ moments: [Timeline.Moment]
  ) throws {
    var events: [String: ObjectEvent] = [:]
    var (state, before) = (Timeline.Tag?.none, 0)
    guard moments.contains(where: { $0.tags[key] != nil }) else {
      #expect(throws: CofferError.self) {
        try timeline.trial.vault.history(of: "TagEntity", primaryKey: key) { _ in }
      }
      return
    }
    try timeline.trial.vault.history(of: "TagEntity", primaryKey: key) { event in
      #expect(events.updateValue(event, forKey: event.backup.id) == nil)
    }
    for moment in moments {
      let event = events.removeValue(forKey: moment.backup.id)
      #expect((event == nil) == (state == moment.tags[key]), "tag \(key)")
      if let event {
        state = try self.state(after: event, state)
        var authors: [String] = []
        for commit in timeline.commits[before..<moment.commitCount]
        where commit.tag == key && !authors.contains(commit.author) {
          authors.append(commit.author)
        }
        #expect(event.authors == (event.previous == nil ? [] : authors), "tag \(key)")
      }
      #expect(state == moment.tags[key], "tag \(key)")
      before = moment.commitCount
    }
    #expect(events.isEmpty)
  }

  private func state(after event: ObjectEvent, _ old: Timeline.Tag?) throws -> Timeline.Tag? {
    #expect((event.kind == .added) == (old == nil))
    guard event.kind != .removed else { return nil }
    var tag = old ?? Timeline.Tag(color: 0, name: "")
    for property in event.properties {
      let value = Data((property.newValue ?? "").utf8)
      let before = property.oldValue.map { Data($0.utf8) }
      switch property.name {
      case "color":
        #expect(try old?.color == before.map { try JSONDecoder().decode(Int64.self, from: $0) })
        tag.color = try JSONDecoder().decode(Int64.self, from: value)
      case "name":
        #expect(try old?.name == before.map { try JSONDecoder().decode(String.self, from: $0) })
        tag.name = try JSONDecoder().decode(String.self, from: value)
      default: Issue.record("\(property.name) was not changed")
      }
    }
    for relationship in event.relationships {
      #expect(relationship.name == "todos")
      let removed = relationship.removed.map(\.primaryKey)
      #expect(tag.todos.isSuperset(of: removed))
      tag.todos.subtract(removed)
      tag.todos.formUnion(relationship.added.map(\.primaryKey))
    }
    return tag
  }
}
