internal import CoreDataModel

extension StoreSchema {
  /// The statements that create the tables of entities and of many-to-many relationships.
  package var tableStatements: [String] {
    tables.map(\.statement) + joinTables.map(\.statement)
  }

  /// The statements that create the indexes (store-format, section 5.7).
  package var indexStatements: [String] {
    tables.flatMap(indexStatements) + joinTables.map(\.indexStatement)
  }

  private func indexStatements(_ table: StoreTable) -> [String] {
    var found: [String] = []
    let tree = model.tree(of: table.rootEntityName)
    for entity in tree {
      let toOnes = entity.relationships.filter { !$0.isToMany }
        .compactMap { columnNames[PropertyPath(entity.name, $0.name)] }
      let owners = entitiesInOrder.flatMap { owner in
        owner.relationships.filter { $0.destinationName == entity.name }
          .compactMap { ownerColumns[PropertyPath(owner.name, $0.name)]?.column }
      }
      for column in toOnes + owners {
        found.append("CREATE INDEX \(table.name)_\(column)_INDEX ON \(table.name) (\(column))")
      }
      found += fetchIndexStatements(entity, table.name)
      found += uniqueIndexStatements(entity, table.name)
    }
    if tree.count > 1 {
      found.append("CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
    }
    return found
  }

  private func fetchIndexStatements(_ entity: EntityDescription, _ table: String) -> [String] {
    entity.fetchIndexes.compactMap { index in
      let columns = index.elements.compactMap { element -> String? in
        indexedColumn(entity.name, element).map {
          "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
        }
      }
      guard columns.count == index.elements.count else { return nil }
      let filter = index.partialIndexPredicate.map { " WHERE \(condition(entity.name, $0))" } ?? ""
      let list = columns.joined(separator: ", ")
      return "CREATE INDEX Z_\(entity.name)_\(index.name) ON \(table) (\(list))\(filter)"
    }
  }

  private func uniqueIndexStatements(_ entity: EntityDescription, _ table: String) -> [String] {
    entity.uniquenessConstraints.map { names in
      let list = names.map { "\(column(entity.name, $0) ?? $0.text) COLLATE BINARY ASC" }
        .joined(separator: ", ")
      let name = "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"
      return "CREATE UNIQUE INDEX \(name) ON \(table) (\(list))"
    }
  }

  private func indexedColumn(
    _ entity: Name, _ element: FetchIndexDescription.Element
  ) -> String? {
    if let name = element.propertyName, let column = column(entity, name) { return column }
    switch element.expression {
    case .evaluatedObject: return "Z_PK"
    case .keyPath(_, "entity"): return "Z_ENT"
    default: return nil
    }
  }

  /// A predicate in SQL, for the few forms that the models here use.
  private func condition(_ entity: Name, _ predicate: ModelPredicate) -> String {
    switch predicate {
    case .comparison(let left, let relation, let right):
      let symbols = ["<", "<=", ">", ">=", "=", "<>"]
      let isNull = right == .constant(nil) || right == .constant(.null)
      let symbol =
        isNull ? (relation.rawValue == 4 ? "IS" : "IS NOT") : symbols[relation.rawValue % 6]
      return "\(operand(entity, left)) \(symbol) \(operand(entity, right))"
    case .not(let inner): return "NOT (\(condition(entity, inner)))"
    case .and(let all):
      return "(" + all.map { condition(entity, $0) }.joined(separator: " AND ") + ")"
    case .or(let all):
      return "(" + all.map { condition(entity, $0) }.joined(separator: " OR ") + ")"
    case .other: return "1"
    }
  }

  private func operand(_ entity: Name, _ expression: ModelExpression) -> String {
    switch expression {
    case .keyPath(_, let path): column(entity, Name(path)) ?? "NULL"
    case .constant(.bool(let value)?): value ? "1" : "0"
    case .constant(.integer(let value)?): String(value)
    case .constant(.real(let value)?): String(value)
    case .constant(.string(let value)?): "'\(value)'"
    default: "NULL"
    }
  }
}
