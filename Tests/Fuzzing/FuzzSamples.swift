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
