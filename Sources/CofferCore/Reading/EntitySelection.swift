package import CoreDataLayout
package import CoreDataModel

/// The selected entities.
package struct EntitySelection {
  private let excluded: Set<Name>

  /// The number of excluded entities.
  package var excludedCount: Int { excluded.count }

  /// Selects entities.
  ///
  /// - Parameters:
  ///   - names: the entities to select, each with its subentities; empty for all.
  ///   - others: the entities to leave out of these, each with its subentities.
  ///   - sources: the model and the numbered entities of each source.
  ///   - path: the path of the last source, for errors.
  /// - Throws: ``CofferError``: `no-such-entity`, `nothing-chosen`.
  package init(
    _ names: [Name], excluding others: [Name] = [],
    of sources: [(model: ManagedObjectModel, entities: NumberedEntities)], path: String
  ) throws(CofferError) {
    let all = sources.reduce(into: Set<Name>()) { all, source in
      all.formUnion(source.model.entities.map(\.name))
      all.formUnion(source.entities.entities.map(\.name))
    }
    func trees(_ names: [Name]) throws(CofferError) -> Set<Name> {
      var found: Set<Name> = []
      for name in names {
        guard all.contains(name) else {
          throw CofferError(
            .noSuchEntity, path: path, detail: name.text, advice: .chooseEntity(all.sorted()))
        }
        found.insert(name)
        for source in sources {
          found.formUnion(source.model.tree(of: name).map(\.name))
        }
      }
      return found
    }
    let wanted = names.isEmpty ? all : try trees(names)
    excluded = all.subtracting(wanted.subtracting(try trees(others)))
    if !all.isEmpty, excluded == all {
      throw CofferError(
        .nothingChosen, path: path, detail: "every entity is excluded",
        advice: "Choose at least one entity that is not excluded.")
    }
  }

  /// Whether an entity is selected.
  package func contains(_ entity: Name) -> Bool { !excluded.contains(entity) }
}
