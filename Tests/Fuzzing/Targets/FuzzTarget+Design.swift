internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator

extension FuzzTarget {
  /// Models for which a store is designed and created.
  static let design = FuzzTarget(
    "design", "models of which a store is created; the tables are those of the model",
    words: modelWords, seeds: { modelArchives },
    change: { try PropertyListValue.mutate(&$0, words: modelWords, &$1) }
  ) { input in
    let model = try ModelCacheReader.read(archive: input)
    for version in [754, 977, 1526] as [Int64] {
      let era = FrameworkEra(version: version)
      let design = StoreDesign(model: model, era: era)
      try hold(
        StoreDesign(model: model, era: era).statements == design.statements,
        "a store is designed in two ways")
      guard design.blocking.isEmpty else { continue }
      let policy = SchemaPolicy(design.statements)
      for statement in design.statements {
        let objection = policy.objection(to: statement)
        try hold(objection == nil, "\(statement.label): \(objection ?? "")")
      }
      try create(design)
    }
  }

  /// Writes the store, and looks for the parts of the model in it.
  private static func create(_ design: StoreDesign) throws {
    let path = try FuzzFolder.current().empty("store") + "/Created.sqlite"
    let construction = try StoreConstruction(at: path, settings: StoreSettings(), place: path)
    do {
      try StoreBuilder(
        design,
        identity: StoreBuilder.Identity(uuid: "U", versionHashes: [:], digests: nil)
      ).writeAll(in: construction)
    } catch {
      construction.abandon()
      throw error
    }
    let catalog = try construction.use { database throws(CofferError) in
      try SchemaCatalog(database)
    }
    construction.abandon()
    let layout = StoreLayout(model: design.model, registry: design.registry, catalog: catalog)
    // An inverse that no entity declares is the model's own fault.
    let missing = layout.missing.filter { $0.kind != .inverse }
    try hold(missing.isEmpty, "a created store lacks \(missing)")
  }
}
