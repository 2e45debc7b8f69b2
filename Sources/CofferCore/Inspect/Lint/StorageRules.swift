internal import CoreDataModel

/// Unordered relationships whose destinations have an order of their own.
enum HomemadeOrderRule: ModelRule {
  static let code = ModelRuleCode(
    text: "homemade-order", severity: .warning,
    meaning: """
      The app sorts the destinations of an unordered to-many relationship by a number attribute, and \
      must keep its values unique.
      """,
    remedy: """
      Make the relationship ordered. If CloudKit mirrors the store, which does not allow that, keep \
      the number and leave gaps between its values.
      """)

  private static let names: Set<String> = [
    "index", "order", "orderindex", "ordernumber", "sortorder", "sortindex", "sortposition",
    "sortkey", "position", "rank", "sequence", "sequencenumber", "ordinal", "displayorder",
    "listorder", "listindex", "itemindex", "rownumber",
  ]
  private static let types: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .double, .float,
  ]

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    func order(_ relationship: RelationshipDescription) -> Name? {
      guard relationship.isToMany, !relationship.isOrdered,
        // The number is the order within one owner.
        model.inverse(of: relationship)?.relationship.isToMany != true
      else { return nil }
      return model.allAttributes(of: relationship.destinationName)
        .first { types.contains($0.type) && names.contains(plain($0.name.text)) }?.name
    }
    return relationships(of: model) {
      order($0) != nil
    } detail: { relationship in
      "\(relationship.destinationName) has \(order(relationship) ?? "")"
    }
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" }
  }
}

/// Binary attributes that are stored in rows, whatever their size.
enum InlineBinaryRule: ModelRule {
  static let code = ModelRuleCode(
    text: "binary-without-external-storage", severity: .warning,
    meaning: """
      A binary attribute without external storage keeps large values in the table, where every fetch \
      of the object reads them.
      """,
    remedy: """
      If values can be larger than about 100 kB, allow external storage or move the attribute to its \
      own entity.
      """)

  /// Words in the names of attributes with small values.
  private static let small = [
    "hash", "digest", "checksum", "token", "key", "identifier", "uuid", "guid", "nonce", "salt",
    "signature", "fingerprint", "tag", "version", "color", "colour", "bookmark", "cursor",
  ]

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    attributes(of: model) { attribute in
      let name = attribute.name.text.lowercased()
      return attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
        && !small.contains { name.contains($0) } && !name.hasSuffix("id")
    }
  }
}

/// Trees of entities whose common table is wide and mostly empty.
enum SparseTableRule: ModelRule {
  static let code = ModelRuleCode(
    text: "sparse-table", severity: .warning,
    meaning: """
      All entities with the same root entity share one table with columns for the properties of all. \
      It is wide, and most columns are empty in every row.
      """,
    remedy: """
      Use Swift protocols instead of a superentity, or move the common properties to an entity of \
      their own with a relationship.
      """)

  /// The number of properties from which a table counts as wide.
  private static let widest = 20
  /// The minimum number of entities with objects that share it.
  private static let fewest = 3

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    model.rootEntities.sorted { $0.name < $1.name }.compactMap { root in
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
