internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

/// Designs from the sources of models against the stores of the apps; needs `COFFER_REAL_STORES`.
@Suite(.enabled(if: RealStores.isAvailable))
struct DesignSourceTests {
  /// The models of a project, from sources and compiled ones, by their paths.
  private static func models(ofProject project: String) -> [String: ManagedObjectModel] {
    guard let root = RealStores.folder,
      let names = FileManager.default.subpaths(atPath: "\(root)/\(project)")
    else { return [:] }
    var found: [String: ManagedObjectModel] = [:]
    for name in names {
      guard let data = FileManager.default.contents(atPath: "\(root)/\(project)/\(name)") else {
        continue
      }
      if name.hasSuffix(".xcdatamodel/contents") {
        found[name] = try? SourceModelReader.read(contents: Array(data))
      } else if name.hasSuffix(".mom") {
        found[name] = try? ModelCacheReader.read(archive: Array(data), source: .file)
      }
    }
    return found
  }

  /// How the best model of a store's project does.
  private enum Match {
    /// No model has the tables of the store.
    case none
    /// A model has the tables, and other indexes.
    case tables
    /// A model has all statements.
    case all
  }

  private static func match(
    _ store: RealStore, _ models: [ManagedObjectModel]
  ) throws -> (Match, Set<String>) {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      let registry = try EntityRegistry(database, catalog: catalog)
      guard let era = try StoreMetadata(database, catalog: catalog).era else { return (.none, []) }
      let real = catalog.statements.filter {
        !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains($0.name)
          && !$0.name.hasPrefix("sqlite_")
      }
      var best: (Match, Set<String>) = (.none, [])
      for model in models {
        let layout = StoreLayout(model: model, registry: registry, catalog: catalog)
        let design = StoreDesign(
          model: model, era: era, choices: DesignChoices(like: layout, catalog: catalog))
        func texts(_ statements: [SchemaStatement], tables: Bool) -> Set<String> {
          Set(statements.filter { ($0.kind == .table) == tables }.map(\.sql))
        }
        guard texts(design.tables, tables: true) == texts(real, tables: true) else { continue }
        let difference = texts(design.statements, tables: false)
          .symmetricDifference(texts(real, tables: false))
        if difference.isEmpty { return (.all, []) }
        best = (.tables, difference)
      }
      return best
    }
  }

  /// The store whose source declares fetch indexes that it does not have; its own copy of the model
  /// has others too.
  private static let otherIndexes = "XCServerCoreData_2.0.0_empty.sqlite"

  @Test func aModelOfItsProjectDescribesAStore() throws {
    var counts: [Match: Int] = [:]
    for (project, stores) in Dictionary(
      grouping: RealStores.all,
      by: { $0.name.split(separator: "/").first.map(String.init) ?? "" })
    {
      let models = Array(Self.models(ofProject: project).values)
      guard !models.isEmpty else { continue }
      for store in stores {
        let (match, difference) = try Self.match(store, models)
        counts[match, default: 0] += 1
        let isException = store.fileName == Self.otherIndexes
        #expect((match == .tables) == isException, "\(store): \(difference.sorted())")
      }
    }
    // Of four stores the projects have no model, of 25 others no project has any.
    #expect(counts == [.all: 42, .tables: 1, .none: 4])
  }
}
