internal import CoreDataLayout
internal import CoreDataModel

/// The entities whose objects are written.
struct EntitySelection {
  private let excluded: Set<ExactString>

  /// The number of excluded entities.
  var excludedCount: Int { excluded.count }

  /// Selects entities of a model.
  ///
  /// - Parameters:
  ///   - options: the names; a name includes the subentities.
  ///   - source: the source.
  /// - Throws: ``CofferError``: `no-such-entity`, `nothing-chosen`.
  init(_ options: DataExportOptions, of source: some RowSource) throws(CofferError) {
    let model = source.model
    let all = (model.entities.map(\.name) + source.entities.entities.map(\.name)).exactStrings
    func trees(_ names: [String]) throws(CofferError) -> Set<ExactString> {
      var found: Set<ExactString> = []
      for name in names {
        guard all.contains(name) else {
          let known = all.sortedNames
          throw CofferError(
            .noSuchEntity, path: source.path, detail: name,
            advice: .chooseEntity(known))
        }
        found.insert(name)
        found.formUnion(model.tree(of: name).map(\.name).exactStrings)
      }
      return found
    }
    let wanted = options.entityNames.isEmpty ? all : try trees(options.entityNames)
    excluded = all.subtracting(wanted.subtracting(try trees(options.excludedEntityNames)))
    if !all.isEmpty, excluded == all {
      throw CofferError(
        .nothingChosen, path: source.path, detail: "every entity is excluded",
        advice: "Choose at least one entity that is not excluded.")
    }
  }

  /// Whether the objects of an entity are written.
  func contains(_ entity: String) -> Bool { !excluded.contains(entity) }
}
