internal import CoreDataModel

/// Constructs that cause trouble in every store.
extension ModelRule {
  static let deny = relationships(
    ModelRuleCode(
      text: "deny-delete-rule", severity: .warning,
      meaning: """
        With the delete rule Deny, saving fails as long as there are destinations, possibly far from \
        the code that deletes.
        """,
      remedy: "Use Nullify or Cascade, and ask the user before deleting.")
  ) { relationship, _ in relationship.deleteRule == .deny }

  static let missingInverse = relationships(
    ModelRuleCode(
      text: "missing-inverse", severity: .warning,
      meaning: """
        A relationship has no inverse, so nothing updates it when its destination is deleted: it keeps \
        pointing to an object that no longer exists.
        """,
      remedy: "Give it an inverse, even one that the app never reads.")
  ) {
    $1.inverse(of: $0) == nil
  } detail: { relationship, _ in
    relationship.inverseName.map { "there is no relationship \($0)" } ?? ""
  }

  static let noAction = relationships(
    ModelRuleCode(
      text: "no-action-delete-rule", severity: .warning,
      meaning: """
        With the delete rule No Action, the inverse of the destinations keeps pointing to a deleted \
        object, unless the app corrects it.
        """,
      remedy: "Use Nullify or Cascade.")
  ) { relationship, _ in relationship.deleteRule == .noAction }

  /// One-to-one relationships that both sides require.
  static let requiredOneToOne = ModelRule(
    code: ModelRuleCode(
      text: "required-one-to-one", severity: .warning,
      meaning: """
        Both sides of a one-to-one relationship are required, so neither object can be saved before, \
        or deleted without, the other.
        """,
      remedy: "Make one side optional, or merge the entities.")
  ) { model in
    func isRequired(_ relationship: RelationshipDescription) -> Bool {
      !relationship.isToMany && !relationship.isOptional && !relationship.isTransient
    }
    // Of the two sides the first is named.
    var seen: Set<[Name]> = []
    return model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> Place? in
        guard isRequired(relationship), let inverse = model.inverse(of: relationship),
          isRequired(inverse.relationship),
          seen.insert([entity.name, relationship.name]).inserted,
          seen.insert([inverse.declaredBy, inverse.relationship.name]).inserted
        else { return nil }
        return (
          entity.name, relationship.name,
          "its inverse is \(inverse.declaredBy).\(inverse.relationship.name)"
        )
      }
    }
  }

  /// Unordered relationships whose destinations have an order of their own.
  static let homemadeOrder = relationships(
    ModelRuleCode(
      text: "homemade-order", severity: .warning,
      meaning: """
        The app sorts the destinations of an unordered to-many relationship by a number attribute, and \
        must keep its values unique.
        """,
      remedy: """
        Make the relationship ordered. If CloudKit mirrors the store, which does not allow that, keep \
        the number and leave gaps between its values.
        """)
  ) {
    order(of: $0, $1) != nil
  } detail: {
    "\($0.destinationName) has \(order(of: $0, $1) ?? "")"
  }

  private static let orderNames: Set<String> = [
    "index", "order", "orderindex", "ordernumber", "sortorder", "sortindex", "sortposition",
    "sortkey", "position", "rank", "sequence", "sequencenumber", "ordinal", "displayorder",
    "listorder", "listindex", "itemindex", "rownumber",
  ]
  private static let orderTypes: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .double, .float,
  ]

  /// The attribute that an app seems to use to sort the destinations of a relationship.
  private static func order(
    of relationship: RelationshipDescription, _ model: ManagedObjectModel
  ) -> Name? {
    guard relationship.isToMany, !relationship.isOrdered,
      // The number is the order within one owner.
      model.inverse(of: relationship)?.relationship.isToMany != true
    else { return nil }
    return model.allAttributes(of: relationship.destinationName).first {
      orderTypes.contains($0.type)
        && orderNames.contains($0.name.text.lowercased().filter { $0 != "_" })
    }?.name
  }

  /// Binary attributes that are stored in rows, whatever their size.
  static let inlineBinary = attributes(
    ModelRuleCode(
      text: "binary-without-external-storage", severity: .warning,
      meaning: """
        A binary attribute without external storage keeps large values in the table, where every fetch \
        of the object reads them.
        """,
      remedy: """
        If values can be larger than about 100 kB, allow external storage or move the attribute to its \
        own entity.
        """)
  ) { attribute in
    let name = attribute.name.text.lowercased()
    return attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
      && !smallValueNames.contains { name.contains($0) } && !name.hasSuffix("id")
  }

  private static let smallValueNames = [
    "hash", "digest", "checksum", "token", "key", "identifier", "uuid", "guid", "nonce", "salt",
    "signature", "fingerprint", "tag", "version", "color", "colour", "bookmark", "cursor",
  ]

  /// Trees of entities whose common table is wide and mostly empty: at least 20 properties, shared by
  /// at least 3 entities with objects.
  static let sparseTable = ModelRule(
    code: ModelRuleCode(
      text: "sparse-table", severity: .warning,
      meaning: """
        All entities with the same root entity share one table with columns for the properties of all. \
        It is wide, and most columns are empty in every row.
        """,
      remedy: """
        Use Swift protocols instead of a superentity, or move the common properties to an entity of \
        their own with a relationship.
        """)
  ) { model in
    // The properties that have a column.
    func propertyCount(_ entities: [EntityDescription]) -> Int {
      entities.reduce(0) { count, entity in
        count + entity.attributes.count { !$0.isTransient }
          + entity.relationships.count { !$0.isTransient && !$0.isToMany }
      }
    }
    return model.rootEntities.sorted { $0.name < $1.name }.compactMap { root in
      let tree = model.tree(of: root.name)
      let total = propertyCount(tree)
      let used = tree.filter { !$0.isAbstract }
        .map { propertyCount(model.lineage(of: $0.name)) }
      guard total >= 20, used.count >= 3, used.reduce(0, +) * 2 < total * used.count else {
        return nil
      }
      return (
        root.name, nil,
        "\(used.count) entities share \(total) properties and have "
          + "\(used.reduce(0, +) / used.count) of them each, on average"
      )
    }
  }
}
