internal import CofferTables
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// The common parts of all tables of a migration with a mapping model.
struct MappedPlan {
  let store: PersistentStore
  /// The meaning of the new store's tables.
  let layout: StoreLayout
  let parts: MappedParts

  var model: ManagedObjectModel { layout.model }

  /// The tables of the objects, one for each entity mapping.
  func tables(_ database: SQLiteDatabase) -> [SheetFile] {
    parts.all.map { part in
      SheetFile(
        path: part.rule.name.text, place: part.rule.name.text,
        format: .made {
          do throws(CofferError) { return try MappedObjects(part, self, database) } catch {
            return FailedObjects(error)
          }
        }, subject: .objects(part.destination))
    }
  }

  /// An attribute of an entity of the new model, or an element of one.
  func attribute(at path: [Name], of entity: Name) -> AttributeDescription? {
    model.lineage(of: entity).compactMap { $0.attribute(at: path) }.first
  }

  // MARK: Relationships

  /// The statements that read the keys of the destinations of a relationship; nil if the mapping has nothing
  /// for it.
  func selections(of relationship: Name, for part: MappedParts.Part) -> [String]? {
    guard case .objects(let sources)? = part.read.destinations[relationship] else { return nil }
    var selections: [String] = []
    for (place, source) in sources.enumerated() {
      guard let (path, start) = path(of: source, for: part), path.attribute == nil else {
        return nil
      }
      selections += parts.named(source.rules).map { far in
        path.keySelection(
          ofEntity: far.number, offset: far.offset, filter: far.filter, from: start, at: place)
      }
    }
    return selections
  }

  /// The way to old objects, and the table with the keys from which it leads; nil from the old object itself.
  private func path(
    of source: MappedSources, for part: MappedParts.Part
  ) -> (SourcePath, start: String?)? {
    SourcePath(source.path, from: source.fetch?.entity ?? part.source, in: store.layout)
      .map { ($0, source.fetch.flatMap { parts.fetches[$0]?.table }) }
  }

  /// Whether the objects of an entity mapping need the list of a to-many relationship, since the other side
  /// does not say the same.
  ///
  /// Usually, both sides of a relationship are mapped. The ordered side determines the order.
  func needsList(of relationship: RelationshipDescription, for part: MappedParts.Part) -> Bool {
    guard !relationship.isOrdered, let inverse = model.inverse(of: relationship),
      isMapped(inverse.relationship.name, of: relationship.destinationName)
    else { return true }
    guard inverse.relationship.isToMany else { return false }
    let own = model.relationship(relationship.name, of: part.destination)?.declaredBy
    return !inverse.relationship.isOrdered
      && (relationship.name, own ?? "") <= (inverse.relationship.name, inverse.declaredBy)
  }

  /// Whether all entity mappings to an entity and those below have something for a relationship.
  private func isMapped(_ relationship: Name, of entity: Name) -> Bool {
    let holders = parts.all.filter { model.isEntity($0.destination, kindOf: entity) }
    return !holders.isEmpty && holders.allSatisfy { selections(of: relationship, for: $0) != nil }
  }
}

/// Relationships whose two sides have mappings.
extension MappedPlan {
  /// Relationships whose two sides would contradict each other.
  func contradictions(_ database: SQLiteDatabase) throws(CofferError) -> [MappingProblem] {
    var problems: [MappingProblem] = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        // One that is its own inverse has a single mapping.
        guard let inverse = model.inverse(of: relationship),
          (entity.name, relationship.name) < (inverse.declaredBy, inverse.relationship.name)
        else { continue }
        let near = pairs(of: relationship, inverse.relationship, of: entity.name, as: "a, b")
        let far = pairs(of: inverse.relationship, relationship, of: inverse.declaredBy, as: "b, a")
        guard !near.isEmpty || !far.isEmpty else { continue }
        let none = "SELECT NULL AS a, NULL AS b WHERE 0"
        let (one, two) = (
          near.isEmpty ? none : near.joined(separator: " UNION "),
          far.isEmpty ? none : far.joined(separator: " UNION ")
        )
        let count = try database.value(
          "WITH one AS (\(one)), two AS (\(two)) SELECT (SELECT count(*) FROM (SELECT * FROM one EXCEPT "
            + "SELECT * FROM two)) + (SELECT count(*) FROM (SELECT * FROM two EXCEPT SELECT * FROM one))"
        )
        guard let count = count?.integer, count > 0 else { continue }
        problems.append(
          MappingProblem(
            .unmetCondition, entity: entity.name, property: relationship.name,
            "its mapping contradicts that of its inverse \(inverse.relationship.name): "
              + (count == 1
                ? "1 reference is on one side only" : "\(count) references are on one side only"),
            remedy: "Correct the mapping model."))
      }
    }
    return problems
  }

  /// What reads the pairs of a relationship, with the new keys, between objects for which both sides have a mapping.
  private func pairs(
    of relationship: RelationshipDescription, _ inverse: RelationshipDescription, of entity: Name,
    as columns: String
  ) -> [String] {
    var selections: [String] = []
    for part in parts.all where model.isEntity(part.destination, kindOf: entity) {
      guard case .objects(let sources)? = part.read.destinations[relationship.name] else {
        continue
      }
      let keys =
        "SELECT t.\(quotedIdentifier(StoredName.primaryKey)) AS k FROM \(quotedIdentifier(part.table)) AS t "
        + "WHERE \(part.condition)"
      for source in sources {
        guard let (path, start) = path(of: source, for: part) else { continue }
        for far in parts.named(source.rules) {
          guard case .objects? = far.read.destinations[inverse.name] else { continue }
          let pairs = path.pairSelection(
            of: (keys, part.offset), ofEntity: far.number, offset: far.offset, filter: far.filter,
            from: start)
          selections.append("SELECT \(columns) FROM (\(pairs))")
        }
      }
    }
    return selections
  }
}

/// A table that cannot be read.
private final class FailedObjects: SheetReader {
  let columns: [String] = []
  let record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "object"
  private let error: CofferError

  init(_ error: CofferError) { self.error = error }

  func next() throws(CofferError) -> Bool { throw error }
}
