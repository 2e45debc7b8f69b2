extension ManagedObjectModel {
  /// A number of entities that no model reaches.
  ///
  /// In a store, numbers from here on belong to the framework's own entities (store-format, section
  /// 2.5).
  package static let entityLimit = 16_000
  /// The maximum depth of inheritance.
  ///
  /// Every walk through a model relies on it.
  package static let maximumInheritanceDepth = 128

  /// Checks that the inheritance of every entity ends, and within the maximum depth.
  ///
  /// - Throws: ``CofferError`` with `damaged` if an entity inherits from itself, `limit` if a chain
  ///   is longer than ``maximumInheritanceDepth``.
  package func checkInheritance() throws(CofferError) {
    var depths: [ExactString: Int] = [:]
    for entity in entities {
      var path: [String] = []
      var names: Set<ExactString> = []
      var next: EntityDescription? = entity
      while let current = next, depths[current.name] == nil {
        guard names.insert(current.name).inserted else {
          throw CofferError(
            .damagedModel, item: entity.name, detail: "an entity that inherits from itself")
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
          .modelLimit, item: entity.name, detail: "an entity with too many superentities")
      }
    }
  }
}
