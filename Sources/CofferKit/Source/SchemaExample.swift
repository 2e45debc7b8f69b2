internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// A store, or an archive of one, that shows what does not follow from a model.
struct SchemaExample {
  /// The model; nil where there is none but an inferred one.
  let model: ManagedObjectModel?
  /// The version hashes of the entities; empty where there are none.
  let versionHashes: [ExactString: VersionHash]
  /// The framework that wrote the store; nil where nothing tells.
  let frameworkVersion: Int64?

  private let registry: EntityRegistry
  private let catalog: SchemaCatalog

  /// Opens a file.
  ///
  /// - Throws: what a store or an archive that cannot be read gives; `CofferError` with `refused` for
  ///   an archive whose schema is not one of a store.
  init(path: String, access: StoreAccess, archiveAccess: ArchiveAccess) throws {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      let store = try PersistentStore(readingFrom: path, access: access)
      model = store.model.source == .inferred ? nil : store.model
      versionHashes = store.metadata.modelVersionHashes
      frameworkVersion = store.frameworkVersion
      registry = store.registry
      catalog = store.catalog
    case .archive:
      let documents = try OpenArchive(path: path, access: archiveAccess).documents
      model = documents.model.source == .inferred ? nil : documents.model
      versionHashes = documents.versionHashes
      frameworkVersion = documents.manifest.frameworkVersion
      let entities = documents.layout.entities
      registry = EntityRegistry(
        rows: entities.entities.map { entity in
          EntityRegistry.Row(
            number: entity.number, name: entity.name,
            superentityNumber: entity.superentityName.flatMap { entities.numbers[$0] } ?? 0)
        })
      catalog = try SchemaCatalog(
        ofTablesIn: documents.schema.statements.compactMap(SchemaStatement.init), place: path)
    }
  }

  /// What the store decides for a model, its own or another.
  func choices(for model: ManagedObjectModel) -> DesignChoices {
    DesignChoices(
      like: StoreLayout(model: model, registry: registry, catalog: catalog), catalog: catalog)
  }

  /// The version hashes, if they are those of this model; nil where they are another's.
  ///
  /// Hashes cannot be computed (store-format, section 9), so the models are compared in all that
  /// enters them.
  func versionHashes(for model: ManagedObjectModel) -> [ExactString: VersionHash]? {
    guard let own = self.model, own.versionedParts == model.versionedParts,
      model.entities.allSatisfy({ versionHashes[$0.name] != nil })
    else { return nil }
    return versionHashes
  }
}
