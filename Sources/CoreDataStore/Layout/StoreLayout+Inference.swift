package import CoreDataModel

extension StoreLayout {
  /// Plans a store that has no model, with a model concluded from its registry and schema.
  ///
  /// The source of the model is ``ModelSource/inferred``. All columns of a tree belong to its root
  /// entity; attributes are named after their columns and have the types that the declared types
  /// suggest. Order columns have no meaning without the relationships, and are unknown.
  package static func inferred(
    registry: EntityRegistry, catalog: SchemaCatalog
  ) -> (model: ManagedObjectModel, layout: StoreLayout) {
    let inference = LayoutInference(registry: registry, catalog: catalog)
    let model = inference.model
    let numbering = EntityNumbering(model: model, registry: registry)
    let layout = StoreLayout(
      model: model, numbering: numbering, entityTables: inference.tables,
      joinTables: inference.joins, missing: inference.missing, registry: registry,
      catalog: catalog)
    return (model, layout)
  }
}
