package import CoreDataDesign
internal import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore

/// A store or an archive that shows the names that a model alone does not determine.
package struct SchemaExample {
  /// The model; nil if it is only inferred.
  let model: ManagedObjectModel?
  /// The version hashes of the entities; empty if there are none.
  let versionHashes: [Name: VersionHash]
  /// The framework that wrote the store; nil if unknown.
  let frameworkVersion: Int64?

  private let path: String
  private let registry: EntityRegistry
  private let catalog: SchemaCatalog
  /// The triggers whose names begin like Core Data's.
  private let triggers: [SchemaStatement]
  private let indexes: [SchemaStatement]

  /// Opens a file.
  ///
  /// - Throws: errors from reading the store or archive; `CofferError` with `refused` if the schema
  ///   of an archive is not a store's.
  package init(path: String, environment: WorkEnvironment) throws {
    self.path = path
    switch try SourceKind(ofFileAt: path) {
    case .store:
      let store = try PersistentStore(readingFrom: path, access: environment.storeAccess)
      model = store.model.source == .inferred ? nil : store.model
      versionHashes = store.metadata.modelVersionHashes
      frameworkVersion = store.frameworkVersion
      registry = store.registry
      catalog = store.catalog
      let policy = SchemaPolicy(
        catalog.tables.map {
          SchemaStatement(kind: .table, name: $0.name, tableName: $0.name, sql: $0.sql)
        })
      triggers = catalog.triggers.map {
        SchemaStatement(kind: .trigger, name: $0.name, tableName: $0.tableName, sql: $0.sql)
      }.filter { $0.isTriggerOfCoreData && policy.objection(to: $0) == nil }
      indexes = catalog.statements.filter { $0.kind == .index }
    case .archive, .changes:
      let documents = try OpenArchive(path: path, environment: environment).documents
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
      let statements = documents.schema.statements.compactMap(SchemaStatement.init)
      catalog = try SchemaCatalog(ofTablesIn: statements, place: path)
      triggers = statements.filter(\.isTriggerOfCoreData)
      indexes = statements.filter { $0.kind == .index }
    }
  }

  /// The choices that the store shows for a model: all of them if it is the store's own model, otherwise the
  /// choices that are valid for the model too.
  ///
  /// - Throws: ``CofferError`` if the models are too large to compare.
  package func choices(for loaded: LoadedModel) throws -> DesignChoices {
    let layout = StoreLayout(model: model ?? loaded.model, registry: registry, catalog: catalog)
    let shown = DesignChoices(like: layout, catalog: catalog)
    guard let own = model else {
      // Without the store's model, only one that explains it completely can be the same.
      return differences(from: loaded).isEmpty ? shown : DesignChoices()
    }
    var choices = shown.holding(
      from: own, for: loaded.model, by: try ModelMapping.infer(from: own, to: loaded.model))
    if hasTriggers(of: loaded.model) { choices.triggers = triggers }
    return choices
  }

  /// The differences between the model of the store and another model, a sentence each.
  func differences(from loaded: LoadedModel) -> [String] {
    let compatibility =
      model.map { ModelCompatibility(of: $0, with: loaded) }
      ?? ModelCompatibility(
        of: versionHashes,
        StoreLayout(model: loaded.model, registry: registry, catalog: catalog), with: loaded)
    return compatibility.problems
  }

  /// The reason why the store does not decide the names that a model leaves open, as a clause; nil if it is a
  /// store of that model.
  package func objection(to loaded: LoadedModel) -> String? {
    let differences = differences(from: loaded)
    guard let first = differences.first else { return nil }
    let more = differences.count > 1 ? ", and \(differences.count - 1) more" : ""
    return "\(path) is a store of another model (\(first)\(more))"
  }

  /// The indexes that a fresh store of the store's own model lacks; nil for another model.
  func surplusIndexes(besides design: StoreDesign) -> SurplusIndexes? {
    guard let own = model, own.versionedParts == design.model.versionedParts else { return nil }
    return SurplusIndexes(of: indexes, besides: design)
  }

  /// Whether the store's triggers apply to a model: everything they depend on must be equal.
  private func hasTriggers(of model: ManagedObjectModel) -> Bool {
    guard let own = self.model, own.versionedParts == model.versionedParts else { return false }
    return model.entities.allSatisfy { entity in
      entity.attributes.allSatisfy { attribute in
        let other = own[entity.name]?.attribute(attribute.name)
        return other?.userInfo == attribute.userInfo && other?.derivation == attribute.derivation
      }
    }
  }

  /// The version hashes if they belong to this model; otherwise nil.
  ///
  /// Hashes cannot be computed (store-format, section 9), so everything that enters them is
  /// compared.
  package func versionHashes(for model: ManagedObjectModel) -> [Name: VersionHash]? {
    guard let own = self.model, own.versionedParts == model.versionedParts,
      model.entities.allSatisfy({ versionHashes[$0.name] != nil })
    else { return nil }
    return versionHashes
  }
}

extension ManagedObjectModel {
  /// The entities, reduced to the parts of their version hashes, as far as known.
  ///
  /// Class names, default values, validations, indexes, user info and renaming identifiers do not
  /// (store-format, section 9).
  var versionedParts: [EntityDescription] {
    entities.map { entity in
      EntityDescription(
        name: entity.name, isAbstract: entity.isAbstract,
        superentityName: entity.superentityName,
        attributes: entity.attributes.map(\.versionedParts),
        relationships: entity.relationships.map(\.versionedParts),
        versionHashModifier: entity.versionHashModifier)
    }
  }
}

extension AttributeDescription {
  /// The attribute, reduced to the parts of the version hash.
  fileprivate var versionedParts: AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, isTransient: isTransient,
      isReadOnly: isReadOnly,
      allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
      derivation: derivation, elements: elements.map(\.versionedParts),
      versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDescription {
  /// The relationship, reduced to the parts of the version hash.
  fileprivate var versionedParts: RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destinationName, inverseName: inverseName, minCount: minCount,
      maxCount: maxCount, isOrdered: isOrdered, isOptional: isOptional, isTransient: isTransient,
      deleteRule: deleteRule, isReadOnly: isReadOnly, versionHashModifier: versionHashModifier)
  }
}
