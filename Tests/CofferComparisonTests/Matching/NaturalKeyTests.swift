internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The keys that can identify objects, and the treatment of objects without a key.
@Suite struct NaturalKeyTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  private func summary(
    _ second: String, _ keys: [NaturalKey]
  ) throws -> ComparisonSummary {
    var options = ComparisonOptions()
    options.naturalKeys = keys
    return try StoreComparison(options: options).compare(samples.sample, second)
  }

  private func error(_ entity: Name, _ paths: String...) throws -> CofferError? {
    do {
      _ = try summary(
        samples.sample, [NaturalKey(entityName: entity, keyPaths: paths.map { Name($0) })])
      return nil
    } catch let error as CofferError {
      return error
    }
  }

  @Test func keysThatCannotIdentifyObjectsAreRefused() throws {
    let entity = try #require(try error("TagEntty", "name"))
    #expect(entity.code == .noSuchEntity)
    let attribute = try #require(try error("TagEntity", "nam"))
    #expect(attribute.code == .noSuchProperty)
    #expect(attribute.hint?.contains("Did you mean 'name'?") == true)
    #expect(try error("TodoEntity", "tags")?.detail.contains("leads to many objects") == true)
    #expect(try error("TodoEntity", "tags.name")?.code == .noSuchProperty)
    #expect(try error("AttachmentEntity", "content")?.detail.contains("no column") == true)
    #expect(
      try error("NoteEntity", "author.nobody")?.detail == "PersonEntity has no property nobody")
    #expect(try error("TodoEntity", "title", "parent")?.detail.contains("leads back") == true)
    #expect(try error("TodoEntity", "title", "parent.title") == nil)
    #expect(try error("LocationEntity", "place.address.city") == nil)
  }

  /// As in a store of a configuration of the model that leaves out an entity.
  @Test func anEntityWithoutATableIsToldFromAnUnknownProperty() throws {
    let smaller = try samples.copy(changing: ["DROP TABLE ZVISITENTITY"])
    let key = NaturalKey(entityName: "VisitEntity", keyPaths: ["arrival"])
    var options = ComparisonOptions()
    options.naturalKeys = [key]
    let error = #expect(throws: CofferError.self) {
      try StoreComparison(options: options).compare(smaller, smaller)
    }
    #expect(error?.code == .noSuchEntity)
    #expect(error?.detail == "the store has no table for VisitEntity")
  }

  @Test func objectsWithoutAKeyAndWithTheSameKeyMatchNothing() throws {
    let changed = try samples.copy(changing: [
      "UPDATE ZPERSONENTITY SET ZNAME = 'n' || Z_PK",
      "UPDATE ZPERSONENTITY SET ZNAME = NULL WHERE Z_PK = 1",
      "UPDATE ZPERSONENTITY SET ZNAME = 'double' WHERE Z_PK IN (2, 3)",
    ])
    var options = ComparisonOptions()
    options.naturalKeys = [NaturalKey(entityName: "PersonEntity", keyPaths: ["name"])]
    let summary = try StoreComparison(options: options).compare(changed, changed)
    let person = try #require(summary.matching.first { $0.entityName == "PersonEntity" })
    for side in [person.first, person.second] {
      #expect(side.incompleteCount == 1)
      #expect(side.repeatedCount == 2)
      #expect(Set(side.examples.map(\.primaryKey)) == [1, 2, 3])
    }
    #expect(summary.entities.first { $0.entityName == "PersonEntity" }?.counts.added == 3)
    #expect(summary.entities.first { $0.entityName == "PersonEntity" }?.counts.removed == 3)
  }

  @Test func objectsOfOneStoreAreRecognizedByTheirKeysIfTheirUniqueValuesChange() throws {
    // Two tags exchange their names; a third gets another one.
    let changed = try samples.copy(changing: [
      "UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1",
      "UPDATE ZTAGENTITY SET ZNAME = 'new' WHERE Z_PK = 3",
      "UPDATE ZTAGENTITY SET ZNAME = (SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 4) || '2' "
        + "WHERE Z_PK = 4",
    ])
    let found = try differences(samples.sample, changed).texts
    #expect(
      found == [1, 3, 4].map { "changed TagEntity/p\($0) attribute:name" })
  }

  @Test func aStoreIsTheSameAsItselfWhateverIdentifiesItsObjects() throws {
    for keys in [
      [NaturalKey(entityName: "ItemEntity", keyPaths: ["uuid"])],
      [NaturalKey(entityName: "AttachmentEntity", keyPaths: ["item.uuid", "uuid"])],
      [NaturalKey(entityName: "TagEntity", keyPaths: ["name"])],
    ] {
      let summary = try summary(samples.sample, keys)
      let unmatched = summary.matching.reduce(0) { $0 + $1.first.count }
      #expect(summary.objects.total == 2 * unmatched, "\(keys)")
    }
  }

  @Test func textsThatOnlyLookTheSameAreDifferentKeys() throws {
    let changed = try samples.copy(changing: [
      "UPDATE ZTAGENTITY SET ZNAME = 'caf' || char(233) WHERE Z_PK = 1",
      "UPDATE ZTAGENTITY SET ZNAME = 'cafe' || char(769) WHERE Z_PK = 2",
    ])
    let swapped = try samples.copy(
      of: changed, named: "Swapped",
      changing: [
        "UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1",
        "UPDATE ZTAGENTITY SET ZNAME = 'caf' || char(233) WHERE Z_PK = 2",
        "UPDATE ZTAGENTITY SET ZNAME = 'cafe' || char(769) WHERE Z_PK = 1",
        "UPDATE ZTAGENTITY SET ZCOLOR = 71 WHERE Z_PK = 1",
      ])
    let found = try differences(changed, swapped).texts
    #expect(found.contains { $0.hasPrefix("changed TagEntity/p1 ") && $0.contains("color") })
    #expect(!found.contains { $0.contains("attribute:name") })
  }
}
