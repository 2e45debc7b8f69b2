internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// How properties find their columns.
@Suite struct LayoutColumnTests {
  @Test func namesakesAreNumberedDownTheTree() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Base", attributes: [text("id")]),
        EntityDescription(name: "B", superentityName: "Base", attributes: [text("text")]),
        EntityDescription(
          name: "A", superentityName: "Base", attributes: [text("Text"), text("id")],
          relationships: [toOne("text1", "Base")]),
      ],
      [
        // In the order of a store that was migrated: it must not matter.
        entityTable(
          "ZBASE", "ZTEXT VARCHAR, ZTEXT11 INTEGER, Z1_TEXT1 INTEGER, ZTEXT1 INTEGER, ZID VARCHAR"
        )
        .replacing("Z_OPT INTEGER,", with: "ZID1 VARCHAR, Z_OPT INTEGER,")
      ])
    // A comes before B: its attributes take ZID1 and ZTEXT, its to-one ZTEXT1, B's attribute
    // ZTEXT2, which the table lacks.
    #expect(
      store.columns == [
        "attribute Base id ZID", "attribute A id ZID1", "attribute A Text ZTEXT",
        "toOne A text1 ZTEXT1", "entity A text1 Z1_TEXT1",
      ])
    #expect(store.missing == ["column B text ZTEXT2"])
    #expect(store.unknown == ["ZBASE.ZTEXT11"])
    #expect(store.unaccounted == [])
  }

  @Test func attributesComeBeforeRelationshipsOfOneEntity() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(
          name: "Note",
          attributes: [
            AttributeDescription(
              name: "zone", type: .composite,
              elements: [AttributeDescription(name: "home", type: .string)])
          ],
          relationships: [toOne("home", "Note")])
      ],
      [entityTable("ZNOTE", "ZHOME1 INTEGER, ZHOME VARCHAR")])
    #expect(store.columns == ["attribute Note zone.home ZHOME", "toOne Note home ZHOME1"])
    #expect(store.missing == [])
  }

  @Test func compositesAreFlattenedInDeclaredOrder() throws {
    let place = AttributeDescription(
      name: "place", type: .composite,
      elements: [
        text("name"),
        AttributeDescription(name: "point", type: .composite, elements: [text("y"), text("name")]),
      ])
    let store = try HandMadeStore(
      [EntityDescription(name: "Trip", attributes: [text("name"), place, text("y")])],
      [
        entityTable(
          "ZTRIP", "ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR, ZY1 VARCHAR, ZY VARCHAR")
      ]
    )
    #expect(
      store.columns == [
        "attribute Trip name ZNAME", "attribute Trip place.name ZNAME1",
        "attribute Trip place.point.y ZY", "attribute Trip place.point.name ZNAME2",
        "attribute Trip y ZY1",
      ])
    #expect(store.unknown == [])
    let table = try #require(store.layout.entityTable(of: "Trip"))
    let role = FieldRole.attribute(
      path: ["place", "point", "y"], type: .string, isExternal: false, entity: "Trip")
    #expect(table.position(of: role) == 7)
  }

  @Test func transientAndFetchedPropertiesHaveNoColumn() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(
          name: "A",
          attributes: [AttributeDescription(name: "t", type: .undefined, isTransient: true)],
          relationships: [
            RelationshipDescription(name: "r", destinationName: "A", isTransient: true)
          ],
          fetchedPropertyNames: ["f"])
      ], [entityTable("ZA", "ZT INTEGER, ZF INTEGER, ZR INTEGER")])
    #expect(store.columns == [])
    #expect(store.missing == [])
    #expect(store.unknown == ["ZA.ZT", "ZA.ZF", "ZA.ZR"])
  }

  @Test func anEntityColumnCarriesTheNumberOfTheDestinationItself() throws {
    // Middle has sub-entities and stands below Root: its own number counts.
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Leaf", superentityName: "Middle"),
        EntityDescription(name: "Middle", superentityName: "Root"),
        EntityDescription(name: "Root"),
        EntityDescription(
          name: "User", relationships: [toOne("leaf", "Leaf"), toOne("middle", "Middle")]),
      ],
      [
        entityTable("ZROOT"),
        entityTable("ZUSER", "ZLEAF INTEGER, ZMIDDLE INTEGER, Z2_MIDDLE INTEGER"),
      ])
    #expect(
      store.columns == [
        "toOne User leaf ZLEAF", "toOne User middle ZMIDDLE", "entity User middle Z2_MIDDLE",
      ])
    #expect(store.missing == [])
  }

  private static let renumbered: [(String, String?, String?)] = [
    ("Z9_TO INTEGER", "entity A to Z9_TO", nil),
    ("Z9_TO INTEGER, Z8_TO INTEGER", nil, "entityColumn A to Z2_TO"),
    ("Z9_TWO INTEGER", nil, "entityColumn A to Z2_TO"),
  ]

  @Test(arguments: renumbered)
  func anEntityColumnOfAnotherNumberIsTakenWhenItIsTheOnlyOne(
    columns: String, found: String?, missing: String?
  ) throws {
    let store = try HandMadeStore(
      [
        EntityDescription(name: "A", relationships: [toOne("to", "B")]),
        EntityDescription(name: "B"), EntityDescription(name: "C", superentityName: "B"),
      ], [entityTable("ZA", "ZTO INTEGER, " + columns), entityTable("ZB")])
    #expect(store.columns == Set(["toOne A to ZTO", found].compactMap(\.self)))
    #expect(store.missing == [missing].compactMap(\.self))
    #expect(store.unaccounted == [])
  }

  @Test func withoutTheToOneItsCompanionsAreUnknown() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(name: "A", relationships: [toOne("to", "B", inverse: "all")]),
        EntityDescription(
          name: "B", relationships: [toMany("all", "A", inverse: "to", isOrdered: true)]),
        EntityDescription(name: "C", superentityName: "B"),
      ], [entityTable("ZA", "Z2_TO INTEGER, Z_FOK_TO INTEGER"), entityTable("ZB")])
    #expect(store.columns == [])
    #expect(store.missing == ["column A to ZTO"])
    #expect(store.unknown == ["ZA.Z2_TO", "ZA.Z_FOK_TO"])
  }

  @Test func anOrderedToManyPutsItsOrderBesideTheInverse() throws {
    let entities = [
      EntityDescription(
        name: "Folder", relationships: [toMany("items", "Item", inverse: "folder", isOrdered: true)]
      ),
      EntityDescription(
        name: "Item", attributes: [text("folder_")],
        relationships: [toOne("folder", "Folder", inverse: "items")]),
    ]
    let folder = entityTable("ZFOLDER")
    let item = "ZFOLDER INTEGER, ZFOLDER_ VARCHAR"
    let ordered = try HandMadeStore(
      entities, [folder, entityTable("ZITEM", item + ", Z_FOK_FOLDER INTEGER")])
    #expect(
      ordered.columns == [
        "attribute Item folder_ ZFOLDER_", "toOne Item folder ZFOLDER",
        "order Item folder Z_FOK_FOLDER",
      ])
    let lacking = try HandMadeStore(entities, [folder, entityTable("ZITEM", item)])
    #expect(lacking.missing == ["orderColumn Item folder Z_FOK_FOLDER"])
  }

  @Test(arguments: [(false, false), (true, true)])
  func aToManyWithoutOrderAsksForNone(isOrdered: Bool, isTransient: Bool) throws {
    var items = toMany("items", "Item", inverse: "folder", isOrdered: isOrdered)
    items.isTransient = isTransient
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Folder", relationships: [items]),
        EntityDescription(
          name: "Item", relationships: [toOne("folder", "Folder", inverse: "items")]),
      ],
      [
        entityTable("ZFOLDER"), entityTable("ZITEM", "ZFOLDER INTEGER, Z_FOK_FOLDER INTEGER"),
      ])
    #expect(store.columns == ["toOne Item folder ZFOLDER"])
    #expect(store.missing == [])
    #expect(store.unknown == ["ZITEM.Z_FOK_FOLDER"])
  }

  @Test func aToManyWithoutInverseKeepsItsOwnerInTheDestinationsTable() throws {
    // The destination is in the middle of a tree; the owner's number stands in the names.
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Base"),
        EntityDescription(name: "Page", superentityName: "Base"),
        EntityDescription(
          name: "Book",
          relationships: [
            toMany("notes", "Base"), toMany("pages", "Page", isOrdered: true),
          ]),
      ],
      [
        entityTable("ZBASE", "Z_FOK_3PAGES INTEGER, Z3NOTES INTEGER, Z3PAGES INTEGER"),
        entityTable("ZBOOK"),
      ])
    #expect(
      store.columns == [
        "owner Book notes Z3NOTES", "owner Book pages Z3PAGES",
        "ownerOrder Book pages Z_FOK_3PAGES",
      ])
    #expect(store.missing == [])
    #expect(store.unknown == [])
  }

  @Test func anOwnerColumnOfAnotherNumberBringsItsOrder() throws {
    let entities = [
      EntityDescription(name: "A", relationships: [toMany("parts", "B", isOrdered: true)]),
      EntityDescription(name: "B"),
    ]
    let renumbered = try HandMadeStore(
      entities, [entityTable("ZA"), entityTable("ZB", "Z7PARTS INTEGER, Z_FOK_7PARTS INTEGER")])
    #expect(
      renumbered.columns == ["owner A parts Z7PARTS", "ownerOrder A parts Z_FOK_7PARTS"])
    let ambiguous = try HandMadeStore(
      entities, [entityTable("ZA"), entityTable("ZB", "Z7PARTS INTEGER, Z8PARTS INTEGER")])
    #expect(ambiguous.columns == [])
    #expect(ambiguous.missing == ["ownerColumn A parts Z1PARTS"])
    #expect(ambiguous.unknown == ["ZB.Z7PARTS", "ZB.Z8PARTS"])
  }

  @Test func namesMatchAsSQLiteComparesThem() throws {
    let store = try HandMadeStore(
      [EntityDescription(name: "Straße", attributes: [text("größe"), text("naïve")])],
      [
        "CREATE TABLE \"zstrasse\" (z_pk integer primary key, z_ent, z_opt, \"zGRÖSSE\", \"ZNAïVE\")"
      ])
    #expect(store.columns == ["attribute Straße größe zGRÖSSE"])
    #expect(store.missing == ["column Straße naïve ZNAÏVE"])
    #expect(store.unknown == ["zstrasse.ZNAïVE"])
    let table = try #require(store.layout.entityTable(of: "Straße"))
    #expect(table.columns.prefix(3).map(\.role) == [.primaryKey, .entityNumber, .version])
  }

  @Test func equallyLookingColumnsAreKeptApart() throws {
    // The same letter, composed and decomposed: two columns for SQLite, one text for Swift.
    let store = try HandMadeStore(
      [EntityDescription(name: "A", attributes: [text("\u{E9}")])],
      [entityTable("ZA", "\"ZE\u{301}\" VARCHAR, \"Z\u{C9}\" VARCHAR")])
    let table = try #require(store.layout.entityTable(of: "A"))
    #expect(table.columns.map { $0.role == .plain } == [false, false, false, true, false])
  }

  @Test func generatedColumnsAreNeverTaken() throws {
    let store = try HandMadeStore(
      [EntityDescription(name: "A", attributes: [text("name"), text("size")])],
      [entityTable("ZA", "ZNAME VARCHAR, ZSIZE VARCHAR AS (upper(ZNAME))")])
    #expect(store.columns == ["attribute A name ZNAME"])
    #expect(store.missing == ["column A size ZSIZE"])
    let table = try #require(store.layout.entityTable(of: "A"))
    #expect(table.columns.map(\.storedName) == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    #expect(table.generatedColumns == ["ZSIZE"])
    #expect(store.unaccounted == [])
  }

  @Test func hostileNamesAreOrdinaryNames() throws {
    let name = "a\"b'c]\n😀;--"
    let column = quotedIdentifier("Z" + name.uppercased())
    let store = try HandMadeStore(
      [EntityDescription(name: Name(name), attributes: [text(Name(name))])],
      [
        "CREATE TABLE \(column) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " \(column) VARCHAR, \(quotedIdentifier("\"")) BLOB)"
      ])
    let table = try #require(store.layout.entityTable(of: Name(name)))
    #expect(table.tableName == "Z" + name.uppercased())
    #expect(table.columns[3].storedName == table.tableName)
    #expect(table.columns[3].role != .plain)
    #expect(table.columns[4].role == .plain)
    #expect(store.unaccounted == [])
  }

  @Test func aTableWithoutVersionIsPlanned() throws {
    let store = try HandMadeStore(
      [EntityDescription(name: "A")],
      ["CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)"])
    #expect(store.layout.entityTables.count == 1)
    #expect(store.missing == ["systemColumn A - Z_OPT"])
  }
}
