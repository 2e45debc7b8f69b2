internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport

/// The stores and archives from which seeds are made.
enum FuzzSamples {
  /// A model of two entities with a relationship both ways.
  static let smallModel = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Author",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: false),
          AttributeDescription(name: "born", type: .date),
          AttributeDescription(
            name: "picture", type: .binary, allowsExternalBinaryDataStorage: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "books", destinationName: "Book", inverseName: "author", maxCount: 0,
            isOrdered: true, deleteRule: .cascade)
        ]),
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription(name: "pages", type: .integer32)],
        relationships: [
          RelationshipDescription(name: "author", destinationName: "Author", inverseName: "books")
        ]),
    ],
    versionIdentifiers: ["1"], source: .modelCache)

  /// The small store: three objects, no history.
  static let smallStore = make { path in
    let builder = try SampleStoreBuilder(path: path, model: smallModel, journal: .delete)
    let author = try builder.insert(
      "Author", ["name": "Ada", "born": 1.5, "picture": .blob([1, 2, 3])])
    let books = [
      try builder.insert("Book", ["pages": 100]), try builder.insert("Book", ["pages": .null]),
    ]
    try builder.link("Author", "books", from: author, to: books)
    try builder.finish()
  }

  /// The sample store, with every kind of property; its external files are not there.
  static let sampleStore = make { try SampleStore.write(to: $0, journal: .delete) }

  /// The archive of the small store.
  static let smallArchive = archive(of: smallStore)
  /// The archive of the sample store.
  static let sampleArchive = archive(of: sampleStore)

  /// The small store, and changes of every kind that begin with it.
  static let smallChanges = Result {
    let edits = [
      "UPDATE ZAUTHOR SET ZNAME = 'Ada L.', ZPICTURE = zeroblob(3000), Z_OPT = 2",
      "DELETE FROM ZBOOK WHERE Z_PK = 1",
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZAUTHOR) VALUES (7, 2, 1, 12, 1)",
      "UPDATE ZBOOK SET Z_PK = 9 WHERE Z_PK = 2",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Book'", "PRAGMA user_version = 3",
    ]
    return (store: try smallStore.get(), changes: try changes(of: smallStore, edits))
  }

  /// Changes of the sample store.
  static let manyChanges = Result {
    try changes(
      of: sampleStore,
      [
        "UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK, Z_OPT = Z_OPT + 1",
        "DELETE FROM ZVISITENTITY WHERE Z_PK = 1", "DELETE FROM Z_4TAGS",
      ])
  }

  private static func changes(
    of store: Result<[UInt8], any Error>, _ edits: [String]
  ) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let first = try folder.write(store.get(), to: "First.sqlite")
    let second = try folder.write(store.get(), to: "Second.sqlite")
    try GeneratorDatabase(path: second).run(edits.joined(separator: "; "))
    let file = folder.file("a.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(from: first, to: second, at: .file(file))
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  private static func make(_ write: (String) throws -> Void) -> Result<[UInt8], any Error> {
    Result {
      let folder = try TemporaryDirectory()
      try write(folder.file("Store.sqlite"))
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("Store.sqlite"))))
    }
  }

  private static func archive(
    of store: Result<[UInt8], any Error>
  ) -> Result<[UInt8], any Error> {
    Result {
      let folder = try TemporaryDirectory()
      let path = try folder.write(store.get(), to: "Store.sqlite")
      let target = folder.file("Store.coffer.tar.gz")
      try StoreExporter().export(try PersistentStore(readingFrom: path), to: target)
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
    }
  }

  /// The content of the entries of an archive by their names.
  static func entries(of archive: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
    let folder = try TemporaryDirectory()
    let path = try folder.write(archive, to: "a")
    return try ArchiveRewriter(path).entries.map { ($0.name, Array($0.bytes)) }
  }
}
