internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A store of a small model, in which the rules of the model may be broken.
struct RuleStore {
  private let folder: TemporaryDirectory
  private let path: String

  /// Writes a store with objects given by their entities and values; it has no unique indexes, which
  /// would keep duplicates out.
  init(_ entities: [EntityDescription], rows: [(Name, [Name: StoreValue])]) throws {
    folder = try TemporaryDirectory()
    path = folder.file("Rules.sqlite")
    let withoutConstraints = entities.map { entity in
      var entity = entity
      entity.uniquenessConstraints = []
      return entity
    }
    let builder = try SampleStoreBuilder(
      path: path, model: ManagedObjectModel(entities: withoutConstraints, source: .modelCache))
    for (entity, values) in rows { try builder.insert(entity, values) }
    try builder.finish()
    let model = ManagedObjectModel(entities: entities, source: .modelCache)
    try builder.database.run(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(try ModelCacheWriter.write(model))])
  }

  /// Expects these findings of a check, in the store and in an archive of it.
  func expect(
    _ findings: [String], inArchive archived: [String]? = nil, of check: CheckName,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var options = VerificationOptions()
    options.checks = [check]
    let store = try Verification(of: path, options: options)
    #expect(store.texts == findings, sourceLocation: location)
    let archive = try Verification.ofArchive(of: path, options: options)
    #expect(archive.texts == archived ?? findings, "in an archive", sourceLocation: location)
  }
}
