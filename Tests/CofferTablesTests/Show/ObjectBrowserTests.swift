internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Objects that are looked at without restoring them.
@Suite struct ObjectBrowserTests {
  private func objects(
    _ path: String, _ entity: Name, key: Int64? = nil, where condition: String? = nil,
    limit: Int? = nil, following names: [Name] = []
  ) throws -> [ShownObject] {
    var found: [ShownObject] = []
    var query = ObjectQuery(
      entityName: entity, primaryKey: key, condition: condition, limit: limit,
      followedRelationships: names)
    query.followLimit = .max
    let count = try ObjectBrowser().show(path, query) { found.append($0) }
    #expect(count == found.count)
    return found
  }

  private func archive(of store: String, in folder: TemporaryDirectory) throws -> String {
    let archive = folder.file("Objects.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
    return archive
  }

  /// Every object of every entity, with everything followed, is the same from a store and from an
  /// archive of it, there are as many as are counted, and relationships lead back where they lead to.
  private func checkAll(_ store: String) throws {
    let folder = try TemporaryDirectory()
    let archive = try archive(of: store, in: folder)
    let inspection = try StoreInspector().inspect(store)
    let model = inspection.model
    var links: Set<[String]> = []
    for root in model.rootEntities {
      let names = Set(
        model.tree(of: root.name).flatMap(\.relationships).filter { !$0.isTransient }.map(\.name)
      ).sorted()
      let found = try objects(store, root.name, following: names)
      #expect(try objects(archive, root.name, following: names) == found)
      let expected = inspection.entities.filter { model.isEntity($0.name, kindOf: root.name) }
      #expect(found.count == expected.reduce(0) { $0 + $1.objectCount }, "\(root.name)")
      for object in found {
        for relationship in object.relationships {
          for destination in relationship.destinations {
            links.insert([object.id.description, relationship.name.text, destination.description])
          }
        }
      }
    }
    try checkInverses(links, model)
  }

  private func checkInverses(_ links: Set<[String]>, _ model: ManagedObjectModel) throws {
    for link in links {
      let entity = String(link[0].prefix { $0 != "/" })
      let found = try #require(model.relationship(Name(link[1]), of: Name(entity)))
      guard let inverse = model.inverse(of: found.relationship) else { continue }
      let isBack = links.contains([link[2], inverse.relationship.name.text, link[0]])
      #expect(isBack, "\(link) has no way back")
    }
  }

  @Test func theSampleIsTheSameFromItsArchive() throws {
    let sample = try SampleCopy()
    try checkAll(sample.path)
  }

  /// Those without defects in their references.
  @Test(
    .enabled(if: RealStores.isAvailable, "needs COFFER_REAL_STORES"),
    arguments: [
      "Moody.moody", "Bookmarks_V5.sqlite", "SampleModel2_V2.sqlite",
      "XCServerCoreData_1.2.0.sqlite",
      "SyncMetadata_V3.sqlite", "voice4youData.store",
    ])
  func realStoresAreTheSameFromTheirArchives(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let store = try #require(RealStores.named(name))
    try checkAll(try RealStores.copy(store, to: folder))
  }

  @Test func valuesAreThoseOfTheTable() throws {
    let sample = try SampleCopy()
    let rows = try SampleCopy.rows(
      sample.path, "SELECT Z_PK, ZNAME, ZCOLOR, Z_OPT FROM ZTAGENTITY ORDER BY Z_PK")
    let tags = try objects(sample.path, "TagEntity")
    #expect(tags.count == rows.count)
    for (tag, row) in zip(tags, rows) {
      #expect(row[0] == .integer(tag.id.primaryKey))
      #expect(row[3] == tag.version.map { .integer($0) })
      let values = Dictionary(uniqueKeysWithValues: tag.attributes.map { ($0.name, $0.value) })
      if case .text(let name) = row[1] {
        #expect(values["name"] == .text(String(decoding: name, as: UTF8.self)))
      }
      if case .integer(let color) = row[2] { #expect(values["color"] == .integer(color)) }
    }
  }

  @Test func numbersOfSinglePrecisionHaveTheirFewestDigits() throws {
    let sample = try SampleCopy()
    for path in [sample.path, try archive(of: sample.path, in: sample.folder)] {
      let volumes = try objects(path, "SettingsEntity").compactMap { object in
        object.attributes.first { $0.name == "volume" }?.value
      }
      #expect(volumes.contains(.real(0.7)))
    }
  }

  @Test func oneObjectIsFoundByItsKey() throws {
    let sample = try SampleCopy()
    let archive = try archive(of: sample.path, in: sample.folder)
    for path in [sample.path, archive] {
      #expect(try objects(path, "TagEntity", key: 3).map(\.id.primaryKey) == [3])
      #expect(errorCode { _ = try objects(path, "TagEntity", key: 999) } == "no-such-object")
      // An object of another entity of the same table.
      let other = try #require(
        try objects(path, "ItemEntity").first { $0.id.entityName == "NoteEntity" })
      let key = other.id.primaryKey
      #expect(errorCode { _ = try objects(path, "TodoEntity", key: key) } == "no-such-object")
      #expect(try objects(path, "ItemEntity", key: key) == [other])
    }
  }

  @Test func aLimitEndsTheSearch() throws {
    let sample = try SampleCopy()
    #expect(try objects(sample.path, "TagEntity", limit: 2).map(\.id.primaryKey) == [1, 2])
    #expect(try objects(sample.path, "TagEntity", limit: 0).isEmpty)
  }

  @Test func inferredRelationshipsAreFollowed() throws {
    let sample = try SampleCopy(changedBy: "DELETE FROM Z_MODELCACHE")
    try checkAll(sample.path)
    let found = try objects(
      sample.path, "TodoEntity", key: 5, following: ["location", "tags"])
    let destinations = found.first?.relationships.map { $0.destinations.map(\.entityName) }
    // The parent is shown without being followed.
    #expect(destinations == [["LocationEntity"], ["RecurringTodoEntity"], []])
  }

  @Test func anOrderedRelationshipKeepsItsOrder() throws {
    let sample = try SampleCopy()
    let home = try objects(sample.path, "LocationEntity", key: 1, following: ["visits"])
    let visits = try #require(home.first?.relationships.first { $0.name == "visits" })
    let names = try SampleCopy.rows(
      sample.path, "SELECT name FROM pragma_table_info('ZVISITENTITY') WHERE name LIKE '%VISITS'"
    ).compactMap {
      if case .text(let name) = $0[0] { String(decoding: name, as: UTF8.self) } else { nil }
    }
    let owner = try #require(names.first { !$0.hasPrefix("Z_FOK") })
    let order = try #require(names.first { $0.hasPrefix("Z_FOK") })
    let rows = try SampleCopy.rows(
      sample.path, "SELECT Z_PK FROM ZVISITENTITY WHERE \(owner) = 1 ORDER BY \(order)")
    #expect(visits.destinations.map { .integer($0.primaryKey) } == rows.map { $0[0] })
    #expect(visits.objects?.map(\.id) == visits.destinations)
  }

  @Test func whatIsNotThereIsNamed() throws {
    let sample = try SampleCopy()
    func code(_ entity: Name, _ condition: String?, _ names: [Name] = []) -> String? {
      errorCode { _ = try objects(sample.path, entity, where: condition, following: names) }
    }
    #expect(code("Nobody", nil) == "no-such-entity")
    #expect(code("TagEntity", nil, ["nothing"]) == "no-such-property")
    #expect(code("TagEntity", "nothing == 1") == "no-such-property")
    #expect(code("TagEntity", "name ==") == "invalid-condition")
    #expect(code("TagEntity", "ANY todos.title == 5") == "invalid-condition")
    #expect(code("TagEntity", "name == $NAME") == "invalid-condition")
  }

  /// A large value of a transformable attribute is not loaded to be shown.
  @Test func binaryDataAreShownByTheirSize() throws {
    let sample = try SampleCopy()
    let sizes = try SampleCopy.rows(
      sample.path, "SELECT Z_PK, length(ZAVATAR) FROM ZPERSONENTITY WHERE ZAVATAR IS NOT NULL")
    for row in sizes {
      guard case .integer(let key) = row[0], case .integer(let size) = row[1] else { continue }
      let person = try #require(try objects(sample.path, "PersonEntity", key: key).first)
      let avatar = person.attributes.first { $0.name == "avatar" }?.value
      if case .file = avatar { continue }
      #expect(avatar == .data(count: Int(size)))
    }
  }
}
