internal import CofferKit
internal import CoreDataModel
internal import TestSupport
internal import Testing

/// What is known of an object from all backups of its store.
@Suite struct VaultHistoryTests {
  private static func events(
    _ trial: VaultTrial, _ entity: Name, _ key: Int64
  ) throws -> (events: [ObjectEvent], summary: ObjectHistorySummary) {
    var events: [ObjectEvent] = []
    let summary = try trial.vault.history(of: entity, primaryKey: key) { events.append($0) }
    #expect(summary.eventCount == events.count)
    return (events, summary)
  }

  /// The properties of an event with their values.
  private static func texts(_ event: ObjectEvent) -> [String] {
    event.properties.map { "\($0.name): \($0.oldValue ?? "-") → \($0.newValue ?? "-")" }
  }

  /// Backs up the sample, then after each of some statements.
  private static func trial(_ statements: [String]) throws -> (VaultTrial, [Backup]) {
    let trial = try VaultTrial()
    var backups = [try trial.backup(at: 0).backup]
    for (index, statement) in statements.enumerated() {
      if !statement.isEmpty { try trial.edit(statement) }
      backups.append(try trial.backup(at: index + 1).backup)
    }
    return (trial, backups)
  }

  @Test func anObjectIsFollowedFromItsFirstBackupToItsDeletion() throws {
    let (trial, backups) = try Self.trial([
      "INSERT INTO ZTAGENTITY VALUES (20, 9, 1, 3, 'new')",
      "UPDATE ZTAGENTITY SET ZNAME = 'newer', Z_OPT = 2 WHERE Z_PK = 20",
      "",
      "UPDATE ZTAGENTITY SET ZNAME = 'another' WHERE Z_PK = 1",
      "INSERT INTO Z_4TAGS VALUES (2, 20), (3, 20)",
      "DELETE FROM Z_4TAGS WHERE Z_4TODOS = 2 AND Z_9TAGS = 20",
      "DELETE FROM Z_4TAGS WHERE Z_9TAGS = 20; DELETE FROM ZTAGENTITY WHERE Z_PK = 20",
    ])
    let (events, summary) = try Self.events(trial, "TagEntity", 20)
    #expect(events.map(\.kind) == [.added, .changed, .changed, .changed, .removed])
    #expect(events.map(\.backup.id) == [1, 2, 5, 6, 7].map { backups[$0].id })
    #expect(events.map(\.previous?.id) == [0, 1, 4, 5, 6].map { backups[$0].id })
    #expect(events.allSatisfy { $0.objectID.description == "TagEntity/p20" })
    #expect(Self.texts(events[0]) == ["color: - → 3", "name: - → \"new\""])
    #expect(Self.texts(events[1]) == ["name: \"new\" → \"newer\""])
    #expect(events[1].relationships == [])
    let todos = ["TodoEntity/p2", "TodoEntity/p3"]
    #expect(events[2].relationships.map(\.name) == ["todos"])
    #expect(events[2].relationships[0].added.map(\.description) == todos)
    #expect(events[2].properties == [])
    #expect(events[3].relationships[0].removed.map(\.description) == [todos[0]])
    #expect(events[3].relationships[0].added == [])
    // The third statement changes nothing, and the fourth concerns another tag, so these backups are not read.
    #expect(summary.backupCount == 8)
    #expect(summary.readCount == 6)
  }

  @Test func toOneRelationshipsAndTheirOtherSidesAreFollowed() throws {
    let (trial, backups) = try Self.trial([
      "UPDATE ZITEMENTITY SET ZLOCATION = 2 WHERE Z_PK = 1"
    ])
    let todo = try Self.events(trial, "ItemEntity", 1).events
    #expect(todo.map(\.objectID.entityName) == ["TodoEntity", "TodoEntity"])
    let location = try #require(todo.last?.properties.first { $0.name == "location" })
    #expect(location.subject == .relationship)
    #expect(location.oldValue == "1" && location.newValue == "2")
    let left = try Self.events(trial, "LocationEntity", 1).events
    #expect(left.last?.backup.id == backups[1].id)
    #expect(left.last?.relationships.map(\.name) == ["todos"])
    #expect(left.last?.relationships.first?.removed.map(\.description) == ["TodoEntity/p1"])
    let entered = try Self.events(trial, "LocationEntity", 2).events
    #expect(entered.last?.relationships.first?.added.map(\.description) == ["TodoEntity/p1"])
  }

  @Test func anotherOrderIsAChange() throws {
    let (trial, _) = try Self.trial([
      "UPDATE Z_4ASSIGNEES SET Z_FOK_7ASSIGNEES = 1024 WHERE Z_4ASSIGNMENTS = 1 AND Z_7ASSIGNEES = 1"
    ])
    let last = try #require(try Self.events(trial, "TodoEntity", 1).events.last)
    #expect(last.kind == .changed)
    #expect(last.relationships.map(\.name) == ["assignees"])
    #expect(last.relationships[0].isReordered)
    #expect(last.relationships[0].added.isEmpty && last.relationships[0].removed.isEmpty)
  }

  @Test func changesThatAreNotAboutTheObjectArePassedOver() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    for (minute, statement) in [
      "UPDATE ZTAGENTITY SET ZNAME = 'another' WHERE Z_PK = 2",
      "UPDATE ZTAGENTITY SET ZNAME = 'house' WHERE Z_PK = 1",
      "UPDATE ZPERSONENTITY SET ZNAME = 'Ada'",
      "INSERT INTO Z_4TAGS VALUES (3, 1)",
      "UPDATE ZITEMENTITY SET ZLOCATION = NULL WHERE Z_PK = 1",
    ].enumerated() {
      try trial.edit(statement)
      try trial.increment(at: minute + 1)
    }
    let tag = try Self.events(trial, "TagEntity", 1)
    #expect(tag.events.map(\.backup.moment) == [0, 2, 4].map(VaultTrial.time))
    #expect(tag.events.map(\.previous?.moment) == [nil, VaultTrial.time(1), VaultTrial.time(3)])
    #expect(tag.events.last?.relationships.map(\.name) == ["todos"])
    #expect(tag.summary.readCount == 3)
    // A todo that leaves a location says so only in its own row.
    let location = try Self.events(trial, "LocationEntity", 1)
    #expect(location.events.map(\.backup.moment) == [0, 5].map(VaultTrial.time))
  }

  @Test func bytesOfTheSameNumberAreAChange() throws {
    let (trial, _) = try Self.trial([
      "UPDATE ZPERSONENTITY SET ZAVATAR = x'01020304' WHERE Z_PK = 6",
      "UPDATE ZPERSONENTITY SET ZAVATAR = zeroblob(200000) WHERE Z_PK = 6",
      "UPDATE ZPERSONENTITY SET ZAVATAR = randomblob(200000) WHERE Z_PK = 6",
    ])
    let events = try Self.events(trial, "PersonEntity", 6).events
    #expect(events.count == 4)
    #expect(events.dropFirst().allSatisfy { $0.properties.map(\.name) == ["avatar"] })
  }

  @Test func authorsAreNamedByTheHistory() throws {
    let (trial, _) = try Self.trial([
      """
      UPDATE ZTAGENTITY SET ZNAME = 'house' WHERE Z_PK = 1;
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZTIMESTAMP)
        VALUES (6, 16002, 1, 5, 757500000.0), (7, 16002, 1, 1, 757500001.0);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (22, 16001, 1, 9, 1, 6), (23, 16001, 1, 9, 2, 7);
      """
    ])
    let events = try Self.events(trial, "TagEntity", 1).events
    #expect(events.map(\.authors) == [[], ["widget"]])
  }

  @Test func whatIsNowhereIsAnError() throws {
    let (trial, _) = try Self.trial(["DELETE FROM ZTAGENTITY WHERE Z_PK = 7"])
    let unknown = #expect(throws: CofferError.self) {
      try trial.vault.history(of: "TagEntities", primaryKey: 1) { _ in }
    }
    #expect(unknown?.code == .noSuchEntity)
    for (entity, key) in [("TagEntity", Int64(99)), ("NoteEntity", 1)] {
      let missing = #expect(throws: CofferError.self) {
        try trial.vault.history(of: Name(entity), primaryKey: key) { _ in }
      }
      #expect(missing?.code == .noSuchObject, "\(entity)")
    }
    #expect(try Self.events(trial, "TagEntity", 7).events.map(\.kind) == [.added, .removed])
  }
}
