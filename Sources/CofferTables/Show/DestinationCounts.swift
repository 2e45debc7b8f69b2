internal import CofferCore
internal import CoreDataModel

/// Counts the destinations of the to-many relationships of shown objects.
final class DestinationCounts<Source: RowSource> {
  /// The maximum number of owners that are looked up one by one; for more, the whole relationship
  /// is read at once.
  static var maxLookups: Int { 200 }

  private let source: Source
  private let pass: RelationshipPass<Source>
  private var lookups: [[Name]: Int] = [:]
  private var read: [[Name]: DestinationKeys] = [:]

  init(_ source: Source) {
    self.source = source
    pass = RelationshipPass(source)
  }

  /// Adds the to-many relationships of an object with the numbers of their destinations; nil names are all.
  func add(_ names: Set<Name>?, to object: inout ShownObject) throws {
    for relationship in source.model.allRelationships(of: object.id.entityName)
    where relationship.isToMany && !relationship.isTransient {
      guard names?.contains(relationship.name) ?? true,
        !object.relationships.contains(where: { $0.name == relationship.name }),
        let found = source.model.relationship(relationship.name, of: object.id.entityName)
      else { continue }
      let followed = FollowedRelationship(found.declaredBy, found.relationship)
      object.relationships.append(
        ShownRelationship(
          name: relationship.name, isToMany: true, destinations: [],
          count: try count(followed, of: object.id.primaryKey), objects: nil))
    }
    object.relationships.sort { $0.name < $1.name }
  }

  /// The number of objects that a relationship leads to, each counted once, even if it does not exist.
  private func count(_ followed: FollowedRelationship, of owner: Int64) throws -> Int {
    let name = followed.name
    if let read = read[name] { return read.keys(of: owner).count }
    let count = lookups[name] ?? 0
    if count < Self.maxLookups {
      lookups[name] = count + 1
      var keys: Set<Int64> = []
      let isFound = try pass.forEach(followed, of: owner) { found, destination, _ in
        if found == owner { keys.insert(destination.primaryKey) }
      }
      if isFound { return keys.count }
    }
    let all = try DestinationKeys(followed, in: source)
    read[name] = all
    return all.keys(of: owner).count
  }
}
