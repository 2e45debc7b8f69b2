internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Conditions choose the objects that SQL chooses.
@Suite struct ObjectConditionTests {
  /// Predicates on the to-dos of the sample, each with the same in SQL.
  private static let conditions = [
    ("isDone == NO", "ZISDONE = 0"),
    ("isDone == YES", "ZISDONE = 1"),
    ("priority > 0", "ZPRIORITY > 0"),
    ("priority >= 3 AND isDone == NO", "ZPRIORITY >= 3 AND ZISDONE = 0"),
    ("NOT (priority >= 3)", "NOT ifnull(ZPRIORITY >= 3, 0)"),
    ("priority < 1 OR cost > 2.4", "ZPRIORITY < 1 OR ZCOST > 2.4"),
    ("cost == nil", "ZCOST IS NULL"),
    ("cost != nil", "ZCOST IS NOT NULL"),
    ("cost BETWEEN {0.05, 2.49}", "ZCOST BETWEEN 0.05 AND 2.49"),
    ("title CONTAINS 'milk'", "instr(ZTITLE, 'milk')"),
    ("title CONTAINS[c] 'MILK'", "instr(lower(ZTITLE), 'milk')"),
    ("title BEGINSWITH 'Buy'", "ZTITLE LIKE 'Buy%'"),
    ("title ENDSWITH 'other'", "ZTITLE LIKE '%other'"),
    ("title LIKE 'Buy*'", "ZTITLE GLOB 'Buy*'"),
    ("title LIKE '?uy*'", "ZTITLE GLOB '?uy*'"),
    ("title MATCHES 'B.*'", "ZTITLE GLOB 'B*'"),
    ("title MATCHES 'uy'", "0"),
    ("priority IN {0, 3}", "ZPRIORITY IN (0, 3)"),
    ("createdAt >= '2025-01-01T09:01'", "ZCREATEDAT >= 757414860"),
    ("location == 1", "ZLOCATION = 1"),
    ("location == nil", "ZLOCATION IS NULL"),
    ("parent != nil", "ZPARENT IS NOT NULL"),
    ("SELF == 3", "Z_PK = 3"),
    ("1 == 1", "1"),
    ("title < 'C'", "ZTITLE < 'C'"),
  ]

  @Test func conditionsChooseWhatSQLChooses() throws {
    let sample = try SampleCopy()
    let archive = sample.folder.file("Objects.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    let number = try #require(
      try SampleCopy.rows(
        sample.path, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TodoEntity'"
      ).first?.first)
    guard case .integer(let first) = number else { return }
    // RecurringTodoEntity, its sub-entity, has the number behind it.
    var chosen: Set<Int> = []
    for (condition, sql) in Self.conditions {
      let rows = try SampleCopy.rows(
        sample.path,
        "SELECT Z_PK FROM ZITEMENTITY WHERE Z_ENT IN (\(first), \(first + 1)) AND (\(sql)) ORDER BY 1"
      )
      let expected = rows.compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
      for path in [sample.path, archive] {
        var found: [Int64] = []
        try ObjectBrowser().show(
          path, ObjectQuery(entityName: "TodoEntity", condition: condition)
        ) { found.append($0.id.primaryKey) }
        #expect(found == expected, "\(condition)")
      }
      chosen.insert(expected.count)
    }
    #expect(chosen.count > 2, "the conditions choose all the same")
  }

  @Test func elementsOfCompositeAttributesCanBeCompared() throws {
    let sample = try SampleCopy()
    var names: [Int64] = []
    try ObjectBrowser().show(
      sample.path,
      ObjectQuery(
        entityName: "LocationEntity",
        condition: "place.latitude > 52.5 AND place.address.city == 'Berlin'")
    ) { names.append($0.id.primaryKey) }
    #expect(names == [1])
  }

  /// A to-do refers to a note as its parent; a note has no subtasks.
  @Test func objectsOfAnotherEntityHaveNoDestinations() throws {
    let note =
      "(SELECT min(n.Z_PK) FROM ZITEMENTITY n JOIN Z_PRIMARYKEY p USING (Z_ENT) "
      + "WHERE p.Z_NAME = 'NoteEntity')"
    let sample = try SampleCopy(
      changedBy: "UPDATE ZITEMENTITY SET ZPARENT = \(note) WHERE ZPARENT IS NOT NULL")
    var found: [Int64] = []
    try ObjectBrowser().show(
      sample.path, ObjectQuery(entityName: "ItemEntity", condition: "subtasks.@count > 0")
    ) { found.append($0.id.primaryKey) }
    #expect(found == [])
  }
}
