package import CoreDataLayout
package import CoreDataModel

/// Finds the objects of a selection in a source.
package struct SelectedObjects {
  private let wanted: Set<Name>
  private let condition: ObjectCondition?

  /// Checks a selection by the model of a source, before anything is read.
  ///
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-property`, `invalid-condition`,
  ///   `incompatible-choices` for a condition of several entities, `unknown-store-model` if the model is
  ///   inferred.
  package init(
    _ selection: ObjectSelection, of model: ManagedObjectModel, _ entities: NumberedEntities,
    path: String
  ) throws(CofferError) {
    guard model.source != .inferred else {
      throw CofferError(
        .unknownStoreModel, path: path,
        detail: "it has no model, so the objects that others need are not known for certain",
        advice: "Select all objects.")
    }
    guard selection.condition == nil || selection.entityNames.count == 1 else {
      throw CofferError(
        .incompatibleChoices, path: path,
        detail: "a condition applies to the objects of one entity",
        advice: "Name one entity, or leave the condition out.")
    }
    _ = try EntitySelection(selection.entityNames, of: [(model, entities)], path: path)
    var wanted: Set<Name> = []
    var condition: ObjectCondition?
    for name in selection.entityNames {
      guard model.root(of: name) != nil else {
        throw CofferError(
          .noSuchEntity, path: path, detail: name.text,
          advice: .chooseEntity(model.entities.map(\.name)))
      }
      wanted.formUnion(model.tree(of: name).map(\.name))
      if let text = selection.condition {
        condition = try ObjectCondition(text, of: name, in: model, path: path)
      }
    }
    self.wanted = wanted
    self.condition = condition
  }

  /// Passes on the selected objects, and returns their number.
  package func forEach(
    in source: some RowSource, _ body: (_ key: Int64, _ rootEntity: Name) throws -> Void
  ) throws -> Int {
    var count = 0
    let scope = ConditionScope(source)
    for shape in source.shapes where shape.kind == .entity {
      guard let root = shape.entityName,
        source.model.tree(of: root).contains(where: { wanted.contains($0.name) })
      else { continue }
      let columns = ObjectColumns(shape, source.entities)
      let filter = columns.filter(wanted, condition)
      try source.visitRows(of: shape, filter: filter) { rows in
        guard let object = columns.object(rows), wanted.contains(object.id.entityName),
          try condition?.holds(for: object, in: scope) ?? true
        else { return true }
        try body(object.id.primaryKey, root)
        count += 1
        return true
      }
    }
    return count
  }
}
