internal import CofferCore
internal import CofferTables
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The common parts of all tables of a migration with a mapping model.
struct MappedPlan {
  /// The old store.
  let store: PersistentStore
  /// The meaning of the new store's tables.
  let layout: StoreLayout
  let parts: MappedParts

  /// The old and the new model.
  var old: ManagedObjectModel { store.model }
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
      guard
        let path = SourcePath(
          source.path, from: source.fetch?.entity ?? part.source, in: store.layout),
        path.attribute == nil
      else { return nil }
      let start = source.fetch.flatMap { parts.fetches[$0]?.table }
      selections += parts.named(source.rules).map { far in
        path.keySelection(
          ofEntity: far.number, offset: far.offset, filter: far.filter, from: start, at: place)
      }
    }
    return selections
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
