internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// How relationships that are to-many on both sides find their tables.
@Suite struct LayoutJoinTests {
  /// Two entities, 1 and 2, with one relationship between them.
  private func pair(
    isOrdered: Bool = false, inverseIsOrdered: Bool = false
  ) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Post", relationships: [toMany("tags", "Tag", inverse: "posts", isOrdered: isOrdered)]
      ),
      EntityDescription(
        name: "Tag",
        relationships: [toMany("posts", "Post", inverse: "tags", isOrdered: inverseIsOrdered)]),
    ]
  }

  private let objects = [entityTable("ZPOST"), entityTable("ZTAG")]

  private func join(_ name: String, _ columns: String...) -> String {
    "CREATE TABLE \(quotedIdentifier(name)) (\(columns.map { $0 + " INTEGER" }.joined(separator: ", ")))"
  }

  @Test(arguments: ["Z_1TAGS", "Z_2POSTS"])
  func eitherSideMayNameTheTable(name: String) throws {
    let store = try HandMadeStore(pair(), objects + [join(name, "Z_1POSTS", "Z_2TAGS")])
    #expect(store.joins == ["\(name) Post tags Z_1POSTS", "\(name) Tag posts Z_2TAGS"])
    #expect(store.missing == [])
    let table = try #require(store.layout.joinTables.first)
    #expect(table.source.entity == (name == "Z_1TAGS" ? "Post" : "Tag"))
    #expect(table.sourceColumn == (name == "Z_1TAGS" ? "Z_1POSTS" : "Z_2TAGS"))
    #expect(store.layout.joinTable(of: table.source) == table)
    #expect(store.layout.joinTable(of: table.destination) == table)
    #expect(store.layout.joinTable(of: PropertyReference(entity: "Tag", property: "x")) == nil)
    #expect(!table.isReflexive)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func orderColumnsAreNamedAfterTheirDestinations(forth: Bool, back: Bool) throws {
    let store = try HandMadeStore(
      pair(isOrdered: forth, inverseIsOrdered: back),
      objects + [join("Z_1TAGS", "Z_1POSTS", "Z_2TAGS", "Z_FOK_1POSTS", "Z_FOK_2TAGS", "EXTRA")])
    let table = try #require(store.layout.joinTables.first)
    #expect(table.orderColumn == (forth ? "Z_FOK_2TAGS" : nil))
    #expect(table.inverseOrderColumn == (back ? "Z_FOK_1POSTS" : nil))
    let unknown = (back ? [] : ["Z_FOK_1POSTS"]) + (forth ? [] : ["Z_FOK_2TAGS"]) + ["EXTRA"]
    #expect(table.unknownColumns == unknown)
    #expect(store.unaccounted == [])
  }

  @Test func aMissingOrderColumnIsReported() throws {
    let store = try HandMadeStore(
      pair(isOrdered: true), objects + [join("Z_1TAGS", "Z_1POSTS", "Z_2TAGS")])
    #expect(store.missing == ["orderColumn Post tags Z_FOK_2TAGS"])
    #expect(store.layout.joinTables.count == 1)
  }

  @Test func theTablesOfBothNamesLeaveTheOneOfTheRule() throws {
    let both = [join("Z_2POSTS", "Z_1POSTS", "Z_2TAGS"), join("Z_1TAGS", "Z_1POSTS", "Z_2TAGS")]
    let store = try HandMadeStore(pair(), objects + both)
    #expect(store.layout.joinTables.map(\.tableName) == ["Z_1TAGS"])
    #expect(store.unknown == ["Z_2POSTS"])
  }

  @Test func theSideWithSubentitiesNamesByTheRule() throws {
    let sub = EntityDescription(name: "Zone", superentityName: "Tag")
    let both = [join("Z_2POSTS", "Z_1POSTS", "Z_2TAGS"), join("Z_1TAGS", "Z_1POSTS", "Z_2TAGS")]
    let store = try HandMadeStore(pair() + [sub], objects + both)
    #expect(store.layout.joinTables.map(\.tableName) == ["Z_2POSTS"])
  }

  @Test(arguments: ["Z_1FAVORITES", "Z_1FOLDERS"])
  func withinOneEntityTheTableDecides(name: String) throws {
    let entity = EntityDescription(
      name: "Bookmark",
      relationships: [
        toMany("favorites", "Bookmark", inverse: "folders", isOrdered: true),
        toMany("folders", "Bookmark", inverse: "favorites"),
      ])
    let table = join(name, "Z_1FOLDERS", "Z_1FAVORITES", "Z_FOK_1FAVORITES")
    let store = try HandMadeStore([entity], [entityTable("ZBOOKMARK"), table])
    #expect(
      store.joins == [
        "\(name) Bookmark favorites Z_1FOLDERS", "\(name) Bookmark folders Z_1FAVORITES",
        "\(name) order Z_FOK_1FAVORITES",
      ])
    #expect(store.unknown == [])
    let other = name == "Z_1FOLDERS" ? "Z_1FAVORITES" : "Z_1FOLDERS"
    let both = try HandMadeStore(
      [entity], [entityTable("ZBOOKMARK"), table, join(other, "Z_1FOLDERS", "Z_1FAVORITES")])
    #expect(both.layout.joinTables == [])
    #expect(both.missing == ["joinTable Bookmark favorites Z_1FAVORITES"])
    #expect(both.unaccounted == [])
  }

  @Test func aRelationshipMayBeItsOwnInverse() throws {
    let entity = EntityDescription(
      name: "Person",
      relationships: [toMany("friends", "Person", inverse: "friends", isOrdered: true)])
    let store = try HandMadeStore(
      [entity],
      [
        entityTable("ZPERSON"),
        join("Z_1FRIENDS", "Z_1FRIENDS", "REFLEXIVE", "Z_FOK_1FRIENDS", "Z_FOK_REFLEXIVE"),
      ])
    let table = try #require(store.layout.joinTables.first)
    #expect(table.isReflexive)
    #expect(table.sourceColumn == "Z_1FRIENDS")
    #expect(table.destinationColumn == "REFLEXIVE")
    #expect(table.orderColumn == "Z_FOK_REFLEXIVE")
    #expect(table.inverseOrderColumn == "Z_FOK_1FRIENDS")
    #expect(store.missing == [])
    #expect(store.unknown == [])
  }

  @Test func namesakesAmongColumnsAreToldApartByTheTable() throws {
    // User 2 has two relationships whose inverses are both called users.
    let store = try HandMadeStore(
      [
        EntityDescription(
          name: "Team",
          relationships: [
            toMany("admins", "User", inverse: "users"), toMany("users", "User", inverse: "teams"),
          ]),
        EntityDescription(
          name: "User",
          relationships: [
            toMany("teams", "Team", inverse: "users"), toMany("users", "Team", inverse: "admins"),
          ]),
      ],
      [
        entityTable("ZTEAM"), entityTable("ZUSER"),
        join("Z_1ADMINS", "Z_1USERS1", "Z_2ADMINS"), join("Z_1USERS", "Z_1TEAMS", "Z_2USERS1"),
      ])
    #expect(
      store.joins == [
        "Z_1ADMINS Team admins Z_1USERS1", "Z_1ADMINS User users Z_2ADMINS",
        "Z_1USERS Team users Z_1TEAMS", "Z_1USERS User teams Z_2USERS1",
      ])
  }

  @Test func aNameThatEndsInADigitIsNotTakenForANamesake() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(
          name: "A",
          relationships: [
            toMany("bs", "A", inverse: "bs1"), toMany("bs1", "A", inverse: "bs"),
          ])
      ], [entityTable("ZA"), join("Z_1BS", "Z_1BS", "Z_1BS1")])
    #expect(store.joins == ["Z_1BS A bs Z_1BS1", "Z_1BS A bs1 Z_1BS"])
  }

  @Test func namesMayEndInUnderscoresAndNumbersOfTables() throws {
    // Six tables of one name differ in a number at the end; the columns show their owners.
    let names = ["A", "B", "C"]
    let tag = EntityDescription(
      name: "Tag", relationships: names.map { toMany("in\($0)", Name($0), inverse: "tags_") })
    let store = try HandMadeStore(
      names.map {
        EntityDescription(
          name: Name($0), relationships: [toMany("tags_", "Tag", inverse: "in\($0)")])
      } + [tag],
      names.map { entityTable("Z\($0)") } + [
        entityTable("ZTAG"), join("Z_1TAGS_", "Z_1INA", "Z_4TAGS_"),
        join("Z_2TAGS_1", "Z_2INB", "Z_4TAGS_1"), join("Z_3TAGS_2", "Z_3INC", "Z_4TAGS_2"),
      ])
    #expect(
      store.joins == [
        "Z_1TAGS_ A tags_ Z_1INA", "Z_1TAGS_ Tag inA Z_4TAGS_", "Z_2TAGS_1 B tags_ Z_2INB",
        "Z_2TAGS_1 Tag inB Z_4TAGS_1", "Z_3TAGS_2 C tags_ Z_3INC", "Z_3TAGS_2 Tag inC Z_4TAGS_2",
      ])
    #expect(store.unknown == [])
  }

  @Test func tablesOfOtherNumbersAreTakenWhenTheyFitAlone() throws {
    let renumbered = join("Z_8TAGS", "Z_8POSTS", "Z_9TAGS")
    let one = try HandMadeStore(pair(), objects + [renumbered])
    #expect(one.joins == ["Z_8TAGS Post tags Z_8POSTS", "Z_8TAGS Tag posts Z_9TAGS"])
    let two = try HandMadeStore(
      pair(), objects + [renumbered, join("Z_7TAGS", "Z_7POSTS", "Z_9TAGS")])
    #expect(two.layout.joinTables == [])
    #expect(two.missing == ["joinTable Post tags Z_1TAGS"])
    #expect(two.unknown == ["Z_8TAGS", "Z_7TAGS"])
    #expect(two.unaccounted == [])
  }

  @Test func aTableThatFitsTwoRelationshipsIsNobodys() throws {
    // The number behind POSTS may be a part of the name or tell namesakes apart.
    let store = try HandMadeStore(
      [
        EntityDescription(name: "A", relationships: [toMany("tags", "Tag", inverse: "posts")]),
        EntityDescription(name: "B", relationships: [toMany("tags", "Tag", inverse: "posts1")]),
        EntityDescription(
          name: "Tag",
          relationships: [
            toMany("posts", "A", inverse: "tags"), toMany("posts1", "B", inverse: "tags"),
          ]),
      ],
      [
        entityTable("ZA"), entityTable("ZB"), entityTable("ZTAG"),
        join("Z_9TAGS", "Z_9POSTS1", "Z_8TAGS"),
      ])
    #expect(store.layout.joinTables == [])
    #expect(store.unknown == ["Z_9TAGS"])
    #expect(store.missing.count == 2)
  }

  @Test func theRightNumbersGoBeforeOthers() throws {
    let store = try HandMadeStore(
      pair(),
      objects + [
        join("Z_8TAGS", "Z_8POSTS", "Z_9TAGS"), join("Z_1TAGS1", "Z_1POSTS", "Z_2TAGS1"),
      ])
    #expect(store.joins == ["Z_1TAGS1 Post tags Z_1POSTS", "Z_1TAGS1 Tag posts Z_2TAGS1"])
    #expect(store.unknown == ["Z_8TAGS"])
  }

  @Test(arguments: ["Z_8ALL", "Z_1ALL"])
  func columnsThatCouldBeExchangedAreNotTaken(name: String) throws {
    let entities = [
      EntityDescription(name: "A", relationships: [toMany("all", "B", inverse: "all")]),
      EntityDescription(name: "B", relationships: [toMany("all", "A", inverse: "all")]),
    ]
    let objects = [entityTable("ZA"), entityTable("ZB")]
    let clear = try HandMadeStore(entities, objects + [join("Z_1ALL", "Z_2ALL", "Z_1ALL")])
    #expect(clear.joins == ["Z_1ALL A all Z_1ALL", "Z_1ALL B all Z_2ALL"])
    let unclear = try HandMadeStore(entities, objects + [join(name, "Z_8ALL", "Z_9ALL")])
    #expect(unclear.layout.joinTables == [])
    #expect(unclear.unknown == [name])
  }

  @Test func anExactNameGoesBeforeANamesake() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(
          name: "A",
          relationships: [toMany("bs", "A", inverse: "bs1"), toMany("bs1", "A", inverse: "bs")])
      ], [entityTable("ZA"), join("Z_1BS", "Z_1BS11", "Z_1BS1")])
    #expect(store.joins == ["Z_1BS A bs Z_1BS1", "Z_1BS A bs1 Z_1BS11"])
  }

  @Test func aTableWithOtherColumnsIsNotTaken() throws {
    let store = try HandMadeStore(pair(), objects + [join("Z_1TAGS", "Z_1POSTS", "Z_2OTHERS")])
    #expect(store.layout.joinTables == [])
    #expect(store.missing == ["joinTable Post tags Z_1TAGS"])
    #expect(store.unknown == ["Z_1TAGS"])
  }

  @Test func theDeclaringEntityCountsOnBothSides() throws {
    // Both destinations are sub-entities; the relationships belong to the roots.
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Base", relationships: [toMany("all", "Deep", inverse: "ups")]),
        EntityDescription(name: "Deep", superentityName: "Middle"),
        EntityDescription(
          name: "Middle", superentityName: "Top",
          relationships: [toMany("ups", "Low", inverse: "all")]),
        EntityDescription(name: "Low", superentityName: "Base"), EntityDescription(name: "Top"),
      ],
      [entityTable("ZBASE"), entityTable("ZTOP"), join("Z_1ALL", "Z_1UPS", "Z_4ALL")])
    #expect(store.joins == ["Z_1ALL Base all Z_1UPS", "Z_1ALL Middle ups Z_4ALL"])
    #expect(store.missing == [])
  }

  @Test func aMissingInverseIsReported() throws {
    let store = try HandMadeStore(
      [EntityDescription(name: "A", relationships: [toMany("bs", "B", inverse: "nothing")])],
      [entityTable("ZA")])
    #expect(store.missing == ["inverse A bs nothing"])
  }

  @Test func inversesThatContradictEachOtherDoNoHarm() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(name: "A", relationships: [toMany("x", "B", inverse: "y")]),
        EntityDescription(
          name: "B",
          relationships: [toMany("y", "B", inverse: "z"), toMany("z", "A", inverse: "x")]),
      ], [entityTable("ZA"), entityTable("ZB"), join("Z_1X", "Z_1Y", "Z_2X")])
    #expect(store.unaccounted == [])
    #expect(store.layout.joinTables.map(\.tableName) == ["Z_1X"])
  }
}
