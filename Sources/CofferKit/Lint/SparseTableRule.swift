internal import CoreDataModel

/// Trees of entities whose common table is wide and mostly empty.
enum SparseTableRule: ModelRule {
  static let code = ModelRuleCode(
    text: "sparse-table", severity: .warning,
    meaning: """
      All entities below one root share one table, with room for the properties of all: it is wide, \
      and most of it is empty in every row.
      """,
    remedy: """
      Inherit in Swift, with protocols, and give the entities no superentity; or make the common part \
      an entity of its own with a relationship.
      """)

  /// The number of properties from which a table counts as wide.
  private static let widest = 20
  /// The minimum number of entities with objects that share it.
  private static let fewest = 3

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    model.rootEntities.sorted { codeUnitsAscend($0.name, $1.name) }.compactMap { root in
      let tree = model.tree(of: root.name)
      let total = tree.reduce(0) { $0 + propertyCount($1) }
      let used = tree.filter { !$0.isAbstract }
        .map { model.lineage(of: $0.name).reduce(0) { $0 + propertyCount($1) } }
      guard total >= widest, used.count >= fewest,
        used.reduce(0, +) * 2 < total * used.count
      else { return nil }
      return ModelProblem(
        code, root.name, nil,
        "\(used.count) entities share \(total) properties and have "
          + "\(used.reduce(0, +) / used.count) of them each, on average")
    }
  }

  /// The properties that have a column.
  private static func propertyCount(_ entity: EntityDescription) -> Int {
    entity.attributes.count { !$0.isTransient }
      + entity.relationships.count { !$0.isTransient && !$0.isToMany }
  }
}
