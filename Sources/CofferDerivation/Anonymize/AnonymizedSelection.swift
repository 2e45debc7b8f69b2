internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Chooses the objects of a share.
struct AnonymizedSelection {
  let options: AnonymizationOptions
  let store: PersistentStore
  /// The path of the source, for errors.
  let path: String
  /// Whether all objects of the entities with a finding are chosen, because the affected objects
  /// alone do not reproduce it.
  let isWide: Bool

  /// Chooses the objects that show findings, before others are chosen.
  ///
  /// - Throws: ``CofferError`` with `nothing-chosen` if the store does not have one; errors from reading.
  func chooseFindings(_ closure: ObjectClosure) throws {
    guard !options.findings.isEmpty else { return }
    let wanted = Set(options.findings)
    var verification = VerificationOptions()
    verification.skippedCodes = Set(FindingCode.allCases).subtracting(wanted)
    verification.environment.temporaryFolder = options.environment.temporaryFolder
    let found = FoundPlaces()
    try Verifier(options: verification).verify(store) { finding in
      found.codes.insert(finding.code)
      if let id = finding.objectID, !isWide, finding.multiplicity == 1 {
        try closure.choose(id.primaryKey, of: id.entityName)
      } else if let entity = finding.entityName {
        found.entities.insert(entity)
      }
    }
    if let code = options.findings.first(where: { !found.codes.contains($0) }) {
      throw CofferError(
        .nothingChosen, path: path, detail: "it has no finding \(code.text)",
        advice: "Verify it to see the findings that it has.")
    }
    for entity in found.entities {
      let table = closure.schema.table(of: entity)
      if let table { try closure.chooseAll(of: table) }
    }
    try closure.addNeighbors()
  }

  /// The objects with the findings of a verification.
  private final class FoundPlaces {
    var codes: Set<FindingCode> = []
    var entities: Set<Name> = []
  }

  /// Chooses all other objects.
  ///
  /// - Throws: ``CofferError``: `no-such-object`, `no-such-entity`, `no-such-property`,
  ///   `invalid-condition`, `unknown-store-model` if only an inferred model says what objects need;
  ///   errors from reading.
  func choose(_ closure: ObjectClosure, in source: StoreRowSource) throws {
    if options.sharesEverything { return try closure.chooseAll() }
    for object in options.objects {
      guard let table = closure.schema.table(of: object.entityName) else {
        throw CofferError(
          .noSuchEntity, path: path, detail: object.entityName.text,
          advice: .chooseEntity(source.model.entities.map(\.name)))
      }
      guard try closure.exists(StoredObject(table: table, key: object.primaryKey)) else {
        throw CofferError(.noSuchObject, path: path, detail: object.description)
      }
      try closure.choose(object.primaryKey, of: object.entityName)
    }
    let isSampleOfAll = options.objects.isEmpty && options.findings.isEmpty
    guard options.selection != nil || isSampleOfAll else { return try requireModel(source) }
    let selection =
      options.selection ?? ObjectSelection(entityNames: source.model.rootEntities.map(\.name))
    let selected = try SelectedObjects(selection, of: source.model, source.entities, path: path)
    var sample = options.sampleCount.map { ObjectSample($0, seed: options.seed) }
    func choose(_ key: Int64, _ root: Name) throws {
      if sample == nil { return try closure.choose(key, of: root) }
      sample?.add(key, of: root)
    }
    if selection.condition == nil {
      // Keys alone are read faster than objects.
      for name in selection.entityNames {
        let model = source.model
        guard let table = closure.schema.table(of: name), let root = model.root(of: name)?.name
        else { continue }
        try closure.forEachKey(of: table, entities: model.tree(of: name).map(\.name)) {
          try choose($0, root)
        }
      }
    } else {
      _ = try selected.forEach(in: source, choose)
    }
    for (root, key) in sample?.objects ?? [] { try closure.choose(key, of: root) }
  }

  private func requireModel(_ source: StoreRowSource) throws(CofferError) {
    guard source.model.source == .inferred else { return }
    throw CofferError(
      .unknownStoreModel, path: path,
      detail: "it has no model, so the objects that others need are not known for certain",
      advice: "Give its model, or anonymize the whole store.")
  }
}

/// Some objects of each entity: the first by an order of keys that depends on a seed.
struct ObjectSample {
  private let count: Int
  private let seed: UInt64
  private var found: [Name: [(rank: UInt64, key: Int64)]] = [:]

  /// Begins a sample of a number of objects of each root entity, in an order that depends on a seed.
  init(_ count: Int, seed: UInt64) {
    self.count = max(0, count)
    self.seed = seed
  }

  mutating func add(_ key: Int64, of name: Name) {
    let rank = SeededRandom.mixed(UInt64(bitPattern: key) ^ SeededRandom.mixed(seed))
    if let last = found[name]?.last, (found[name]?.count ?? 0) == count, rank >= last.rank {
      return
    }
    found[name, default: []].append((rank, key))
    // Sorted from time to time, so that the last one is the worst to keep.
    if (found[name]?.count ?? 0) > 2 * count { shorten(name) }
  }

  private mutating func shorten(_ name: Name) {
    found[name]?.sort { ($0.rank, $0.key) < ($1.rank, $1.key) }
    let surplus = (found[name]?.count ?? 0) - count
    if surplus > 0 { found[name]?.removeLast(surplus) }
  }

  var objects: [(root: Name, key: Int64)] {
    var sample = self
    for name in found.keys { sample.shorten(name) }
    return sample.found.flatMap { name, objects in objects.map { (name, $0.key) } }
  }
}
