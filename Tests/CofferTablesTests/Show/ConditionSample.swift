internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

@testable internal import CofferCore
@testable internal import CofferTables

/// A store with values of every type that a condition compares, and its archive.
struct ConditionSample {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          AttributeDescription(name: "small", type: .integer16),
          AttributeDescription(name: "large", type: .integer64),
          AttributeDescription(name: "amount", type: .decimal),
          AttributeDescription(name: "ratio", type: .double),
          AttributeDescription(name: "weight", type: .float),
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "isOn", type: .boolean),
          AttributeDescription(name: "at", type: .date),
          AttributeDescription(name: "id", type: .uuid),
          AttributeDescription(name: "link", type: .uri),
          AttributeDescription(name: "photo", type: .binary),
          AttributeDescription(name: "kept", type: .transformable),
          AttributeDescription(name: "mood", type: .integer16, isTransient: true),
          AttributeDescription(
            name: "place", type: .composite,
            elements: [
              AttributeDescription(name: "latitude", type: .double),
              AttributeDescription(name: "city", type: .string),
              AttributeDescription(
                name: "area", type: .composite,
                elements: [AttributeDescription(name: "code", type: .integer16)]),
            ]),
        ],
        relationships: [
          RelationshipDescription(
            name: "other", destinationName: "Thing", inverseName: "others", maxCount: 1),
          RelationshipDescription(
            name: "others", destinationName: "Thing", inverseName: "other", maxCount: 0),
          RelationshipDescription(
            name: "list", destinationName: "Thing", inverseName: "rows", maxCount: 1),
          RelationshipDescription(
            name: "rows", destinationName: "Thing", inverseName: "list", maxCount: 0,
            isOrdered: true),
        ]),
      EntityDescription(
        name: "Special", superentityName: "Thing",
        attributes: [AttributeDescription(name: "until", type: .date)]),
    ], source: .modelCache)

  private let folder: TemporaryDirectory
  private let paths: [String]

  /// Writes the objects: each is the name of its entity and its values; keys ascend from 1.
  ///
  /// The rows of the first object are those given, in that order.
  init(
    _ objects: [(entity: Name, values: [Name: StoreValue])], rows: [Int64] = []
  ) throws {
    folder = try TemporaryDirectory()
    paths = [folder.file("Things.sqlite"), folder.file("Things.coffer.tar.gz")]
    let builder = try SampleStoreBuilder(path: paths[0], model: Self.model)
    for object in objects { try builder.insert(object.entity, object.values) }
    if !rows.isEmpty { try builder.link("Thing", "rows", from: 1, to: rows) }
    try builder.finish()
    try StoreExporter().export(try PersistentStore(readingFrom: paths[0]), to: paths[1])
  }

  /// The keys of the things that meet each of some conditions: in the store, then in the archive.
  func keys(_ conditions: [String]) throws -> [[[Int64]]] {
    try paths.map { path in
      try SourceOpening(WorkEnvironment(storeAccess: .inPlace))
        .open(path, for: Asking(path: path, conditions: conditions))
    }
  }

  private struct Asking: SourceUse {
    let path: String
    let conditions: [String]

    func use(_ source: some RowSource) throws -> [[Int64]] {
      try conditions.map { condition in
        var keys: [Int64] = []
        let query = ObjectQuery(entityName: "Thing", condition: condition)
        let run = try BrowserRun(source, query)
        if run.isPossible {
          _ = try run.complete { keys.append($0.id.primaryKey) }
        } else {
          try ObjectBrowser().show(path, query) { keys.append($0.id.primaryKey) }
        }
        return keys
      }
    }
  }
}
