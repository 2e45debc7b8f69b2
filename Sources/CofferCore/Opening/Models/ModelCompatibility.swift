internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks whether a store matches a given model, and describes the differences.
///
/// If the store has a copy of its model, compares everything that enters a version hash, property
/// by property. If it has none, compares the version hashes, if both sides have them. If they
/// differ or are unknown, compares the tables with the model. Source: store-format, sections 5 and
/// 9.
struct ModelCompatibility {
  /// The differences, each a sentence with the entity and the property; empty if there are none.
  private(set) var problems: [String] = []

  private let given: LoadedModel
  /// The maximum number of problems in an error.
  private static let shown = 5
  private static let lackingEntity = "the model lacks the entity"

  private init(_ given: LoadedModel) { self.given = given }

  /// Compares the copy of the model in a store or an archive with a given model.
  init(of own: ManagedObjectModel, with given: LoadedModel) {
    self.init(given)
    for change in ModelDifference(of: own, and: given.model, scope: .versionHash).changes {
      add(change.entityName, change.propertyName, change.mismatch)
    }
  }

  /// Compares the documents of an archive with a given model.
  ///
  /// If the archive has no copy of the model, its tables have no names to compare with a model:
  /// only the version hashes or the entity names can be compared.
  init(of documents: ArchiveDocuments, with given: LoadedModel) {
    guard documents.model.source == .inferred else {
      self.init(of: documents.model, with: given)
      return
    }
    self.init(given)
    compare(documents.versionHashes)
    let entityNames = documents.layout.entities.entities.map(\.name)
    let names = Set(entityNames)
    for name in entityNames where given.model[name] == nil { add(name, nil, Self.lackingEntity) }
    for entity in given.model.entities where !names.contains(entity.name) {
      add(entity.name, nil, "the store lacks the entity")
    }
  }

  /// Compares a store without a copy of its model with a given model.
  ///
  /// Version hashes are empty if there are none; the layout is the store's, as the given model explains it.
  init(of hashes: [Name: VersionHash], _ layout: StoreLayout, with given: LoadedModel) {
    self.init(given)
    let names = Set(hashes.keys)
    if !names.isEmpty, hashes == given.versionHashes.filter({ names.contains($0.key) }),
      given.model.entities.allSatisfy({ names.contains($0.name) })
    {
      return
    }
    compare(hashes)
    for row in layout.numbering.unmatchedRows { add(row.name, nil, Self.lackingEntity) }
    for name in layout.numbering.unmatchedEntityNames {
      add(name, nil, "the store lacks the entity")
    }
    let absent = Set(layout.numbering.unmatchedEntityNames)
    for part in layout.missing where !absent.contains(part.entity) {
      add(part.entity, part.property, "the store has no column or table for it")
    }
    for table in layout.entityTables {
      for column in table.unexplainedColumns {
        add(table.rootEntityName, nil, "the model does not explain the column \(column)")
      }
    }
  }

  private mutating func compare(_ hashes: [Name: VersionHash]) {
    guard !hashes.isEmpty, !given.versionHashes.isEmpty else { return }
    for name in hashes.keys.sorted() {
      guard let hash = given.versionHashes[name], hash != hashes[name] else { continue }
      add(name, nil, "the version hashes differ")
    }
  }

  private mutating func add(_ entity: Name, _ property: Name?, _ text: String) {
    let problem = "\(([entity, property].compactMap(\.self)).joined(separator: ".")): \(text)"
    if !problems.contains(problem) { problems.append(problem) }
  }

  /// Checks that an archive matches a model; nil for any.
  static func require(
    _ documents: ArchiveDocuments, of given: LoadedModel?, place: String
  ) throws(CofferError) {
    if let given { try ModelCompatibility(of: documents, with: given).require(of: place) }
  }

  /// Checks that the model matches; throws `model-mismatch`, whose detail names the first differences.
  func require(of place: String) throws(CofferError) {
    guard let first = problems.first else { return }
    let more = problems.count - Self.shown
    let list = [first] + problems.dropFirst().prefix(Self.shown - 1)
    throw CofferError(
      .modelMismatch, path: place,
      detail: (given.place.isEmpty ? "" : "\(given.place) is a different model: ")
        + list.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""),
      advice: "Give the version of the model that the store was written with.")
  }
}
