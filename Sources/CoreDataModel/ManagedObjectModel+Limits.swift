extension ManagedObjectModel {
  /// The number of entities that no model reaches: in a store, the numbers from here on belong to the
  /// framework's own entities (store-format, section 2.5).
  package static let entityLimit = 16_000
  /// The most entities above each other; every walk through the model counts on it.
  package static let maximumInheritanceDepth = 128

  /// Makes sure that every entity has an end of superentities, after not too many.
  ///
  /// - Throws: ``CofferError`` with `damaged` for an entity that inherits from itself, `limit` for
  ///   more than ``maximumInheritanceDepth`` in a chain.
  package func checkInheritance() throws(CofferError) {
    var depths: [ExactString: Int] = [:]
    for entity in entities {
      var path: [String] = []
      var names: Set<ExactString> = []
      var next: EntityDescription? = entity
      while let current = next, depths[current.name] == nil {
        guard names.insert(current.name).inserted else {
          throw CofferError(
            .damagedModel, path: entity.name, detail: "an entity that inherits from itself")
        }
        path.append(current.name)
        next = current.superentityName.flatMap { self[$0] }
      }
      var depth = next.flatMap { depths[$0.name] } ?? 0
      for name in path.reversed() {
        depth += 1
        depths[name] = depth
      }
      guard depth <= Self.maximumInheritanceDepth || path.isEmpty else {
        throw CofferError(
          .modelLimit, path: entity.name, detail: "an entity with too many superentities")
      }
    }
  }
}
