internal import CoreDataModel
extension StoreLayout {
  static func inferred(registry: EntityRegistry, catalog: SchemaCatalog) -> (ManagedObjectModel, StoreLayout) {
    let m = ManagedObjectModel(entities: [], source: .inferred)
    return (m, StoreLayout(model: m, registry: registry, catalog: catalog))
  }
}
