internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Rebuilds the system tables that a damaged archive has lost, from its documents and the restored
/// objects.
struct SystemTableRebuilding {
  private let salvage: Salvage
  private let documents: ArchiveDocuments
  private let given: LoadedModel?
  private let repair: SystemTableRepair

  init(
    _ salvage: Salvage, _ documents: ArchiveDocuments, _ given: LoadedModel?,
    _ database: SQLiteDatabase
  ) {
    self.salvage = salvage
    self.documents = documents
    self.given = given
    repair = SystemTableRepair(database)
  }

  /// Rebuilds the missing tables; returns the new UUID of the store, or nil if its metadata was intact.
  func run() throws(CofferError) -> String? {
    if let place = lost(.primaryKeys) { try rebuildNumbers(place) }
    if let place = lost(.modelCache) { try rebuildModelCache(place) }
    guard let place = lost(.metadata) else { return nil }
    return try rebuildMetadata(place)
  }

  /// Writes the copy of the model again if a model is given; otherwise removes the remains of it.
  private func rebuildModelCache(_ place: String) throws(CofferError) {
    let isRemoved = try repair.removeEmptyModelCache()
    if let given, try !repair.hasModelCache() {
      try repair.addModelCache(ModelCacheWriter.write(given.model))
      return salvage.rebuild("\(place): the copy of the model, from the given model")
    }
    if isRemoved { salvage.rebuild("\(place): the store no longer has a copy of its model") }
  }

  /// The folder of the table of a kind if rows of it may be lost; otherwise nil.
  ///
  /// No store is without metadata and numbers, so a missing row of these is lost, however it came. Where
  /// a damaged store had lost the definition of the table, its archive has the table without rows.
  private func lost(_ kind: TableLayout.Kind) -> String? {
    let isOptional = kind == .modelCache
    if let shape = documents.layout.tables.first(where: { $0.kind == kind }) {
      return isOptional && !salvage.mayHaveLost(kind) ? nil : shape.folder
    }
    guard !isOptional, salvage.isOfDamagedStore else { return nil }
    return SystemTableRepair.tableName(of: kind).map { "store/\($0)" }
  }

  private func rebuildMetadata(_ place: String) throws(CofferError) -> String? {
    let hashes = versionHashes
    let uuid = documents.manifest.storeUUID ?? UUID().uuidString
    let digests = VersionHashDigest(hashes)
    let isNew = try repair.addMetadata(
      SystemTableRepair.Metadata(
        uuid: uuid, frameworkVersion: documents.manifest.frameworkVersion, versionHashes: hashes,
        digests: hashes.isEmpty ? nil : (digests.digest, digests.checksum),
        versionIdentifiers: documents.model.versionIdentifiers))
    guard isNew else { return nil }
    var detail = "\(place): the metadata, without the app's own keys"
    if documents.manifest.storeUUID == nil { detail += ", with a new UUID" }
    if hashes.isEmpty { detail += ", without version hashes: no app can open such a store" }
    salvage.rebuild(detail)
    return uuid
  }

  /// The version hashes of the entities; empty if they are lost, and none are given.
  private var versionHashes: [Name: VersionHash] {
    guard documents.versionHashes.isEmpty, let given else { return documents.versionHashes }
    let names = Set(given.model.entities.map(\.name))
    return given.versionHashes.filter { names.contains($0.key) }
  }

  private func rebuildNumbers(_ place: String) throws(CofferError) {
    let entities = documents.layout.entities
    let tables = documents.layout.tables
    let added = try repair.addNumbers(
      of: entities.entities.map { entity in
        SystemTableRepair.Entity(
          name: entity.name.text, number: entity.number,
          superentityNumber: entity.superentityName.flatMap { entities.numbers[$0] } ?? 0,
          table: tables.first { $0.kind == .entity && $0.entityName == entity.name }?
            .storedName)
      },
      historyTables: tables.filter { $0.kind == .history }.map(\.storedName))
    guard !added.isEmpty else { return }
    salvage.rebuild(
      "\(place): the numbers and counters of \(added.count) entities; the counters are set to the "
        + "highest existing keys")
  }
}
