internal import CoreDataModel

/// Unordered relationships whose destinations have an order of their own.
enum HomemadeOrderRule: ModelRule {
  static let code = ModelRuleCode(
    text: "homemade-order", severity: .warning,
    meaning: """
      The destinations of a to-many relationship that has no order are kept in order by a number of \
      their own, which the app must keep free of gaps and of equals.
      """,
    remedy: """
      Let the relationship be ordered; where CloudKit mirrors the store, which refuses that, keep the \
      number and leave room between its values.
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
    func order(_ relationship: RelationshipDescription) -> String? {
      guard relationship.isToMany, !relationship.isOrdered,
        // A number tells the order within one owner.
        model.inverse(of: relationship)?.relationship.isToMany != true
      else { return nil }
      return model.allAttributes(of: relationship.destinationName)
        .first { types.contains($0.type) && names.contains(plain($0.name)) }?.name
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
