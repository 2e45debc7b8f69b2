internal import CoreDataModel
internal import CoreDataStore

/// Checks in an old store whether its objects meet the conditions of the new model.
struct TransferChecks {
  private var planner: TransferPlanner
  private(set) var checks: [TransferCheck] = []
  private(set) var problems: [MappingProblem] = []

  init(_ planner: TransferPlanner) {
    self.planner = planner
    self.planner.problems = []
  }

  mutating func addAll() {
    addUnexplainedRows()
    for condition in planner.mapping.conditions {
      switch condition.requirement {
      case .noObjects: addNoObjects(condition)
      case .range(let range): addRange(condition, range)
      case .destinationCount(let count): addCount(condition, count)
      case .unique(let names): addUniqueness(condition, names)
      }
    }
    problems = planner.problems
  }

  // MARK: Statements

  private mutating func add(
    _ sql: String, _ arguments: [SQLiteValue] = [],
    _ problem: @escaping @Sendable (Int64) -> MappingProblem
  ) {
    checks.append(TransferCheck(sql: sql, arguments: arguments, problem: problem))
  }

  private static func objects(_ count: Int64) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }

  /// Rows of an entity that the old model does not know would be lost silently.
  private mutating func addUnexplainedRows() {
    for table in planner.source.entityTables {
      let numbers = table.entityNames.compactMap { planner.source.numbering.number(of: $0) }
      let column = TransferPlanner.entityNumber
      let entity = table.rootEntityName
      add(
        "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) WHERE \(column) IS NULL "
          + "OR \(column) NOT IN (\(TransferPlanner.list(numbers)))"
      ) { count in
        MappingProblem(
          .unexplainedRows, entity: entity,
          "\(Self.objects(count)) in its table belong to no entity of the old model",
          remedy: "Verify the store, then repair it or migrate an older backup.")
      }
    }
  }

  private mutating func addNoObjects(_ condition: MappingCondition) {
    guard let member = planner.members(of: [condition.entityName]).first,
      let table = planner.source.entityTable(of: member.oldName)
    else { return }
    let entity = condition.entityName
    add(
      "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) "
        + "WHERE \(TransferPlanner.entityNumber) = \(member.oldNumber)"
    ) { count in
      MappingProblem(
        .unmetCondition, entity: entity,
        "\(Self.objects(count)) of exactly this entity, which is abstract in the new model",
        remedy: "Delete them in the app first, or do not make the entity abstract.")
    }
  }

  /// The old rows of the entities that have a property of the new model, by their table.
  private func rows(
    of place: PropertyReference
  ) -> (table: EntityTable, members: [TransferPlanner.Member])? {
    let names = planner.mapping.destination.tree(of: place.entity).map(\.name)
    let members = planner.members(of: names)
    guard let first = members.first, let table = planner.source.entityTable(of: first.oldName)
    else { return nil }
    return (table, members)
  }

  private static func condition(_ members: [TransferPlanner.Member]) -> String {
    "t.\(TransferPlanner.entityNumber) IN "
      + "(\(TransferPlanner.list(members.map(\.oldNumber))))"
  }

  private mutating func addRange(_ condition: MappingCondition, _ range: ClosedRange<Int64>) {
    let place = PropertyReference(
      entity: condition.entityName, property: condition.propertyName ?? "")
    guard let (table, members) = rows(of: place) else { return }
    var builder = SelectionBuilder()
    let value = expression(place, table, members, &builder)
    add(
      "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) AS t "
        + "WHERE \(Self.condition(members)) AND NOT (\(value) BETWEEN \(range.lowerBound) "
        + "AND \(range.upperBound))", builder.arguments
    ) { count in
      MappingProblem(
        .unmetCondition, entity: place.entity, property: place.property,
        "\(Self.objects(count)) with a value that the new type cannot hold",
        remedy: "Change the values in the app first, or keep the wider type.")
    }
  }

  /// An attribute of a row `t`, as the new model has it.
  private mutating func expression(
    _ place: PropertyReference, _ table: EntityTable, _ members: [TransferPlanner.Member],
    _ builder: inout SelectionBuilder
  ) -> String {
    let attribute = planner.mapping.destination[place.entity]?.attribute(place.property)
    let value = planner.attribute(
      [place.property], declaredBy: place.entity,
      isExternal: attribute?.allowsExternalBinaryDataStorage ?? false, from: table, members,
      &builder)
    switch value {
    case .column(let name, _, _, _): return "t.\(quotedIdentifier(name))"
    case .sql(let sql), .outer(let sql): return sql
    }
  }

  private mutating func addUniqueness(_ condition: MappingCondition, _ names: [Name]) {
    let entity = PropertyReference(entity: condition.entityName, property: "")
    guard let (table, members) = rows(of: entity) else { return }
    var builder = SelectionBuilder()
    var values: [String] = []
    for name in names {
      for declarer in planner.mapping.destination.lineage(of: condition.entityName) {
        let place = PropertyReference(entity: declarer.name, property: name)
        if declarer.attribute(name) != nil {
          values.append(expression(place, table, members, &builder))
        } else if let relationship = declarer.relationship(name), !relationship.isToMany {
          if case .sql(let sql) = planner.reference(place, members) { values.append(sql) }
        }
      }
    }
    guard values.count == names.count else { return }
    let columns = values.enumerated().map { "\($0.element) AS c\($0.offset)" }
    let all = values.indices.map { "c\($0)" }
    let list = names.joined(separator: ", ")
    add(
      "SELECT count(*) FROM (SELECT 1 FROM (SELECT \(columns.joined(separator: ", ")) "
        + "FROM \(quotedIdentifier(table.tableName)) AS t WHERE \(Self.condition(members))) "
        + "WHERE \(all.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
        + "GROUP BY \(all.joined(separator: ", ")) HAVING count(*) > 1)", builder.arguments
    ) { count in
      MappingProblem(
        .unmetCondition, entity: entity.entity,
        "\(count) values of \(list), which must be unique, occur in more than one object",
        remedy: "Remove the duplicates in the app first, or remove the constraint.")
    }
  }

  // MARK: Counts of destinations

  private mutating func addCount(_ condition: MappingCondition, _ allowed: DestinationCount) {
    let place = PropertyReference(
      entity: condition.entityName, property: condition.propertyName ?? "")
    guard let (table, members) = rows(of: place) else { return }
    let numbers = planner.allowedNumbers(of: place)
    let planner = planner
    let counts = self.planner.perEntity(place, members) { link, _ in
      switch link.form {
      case .column: "(\(planner.target(link, numbers)) IS NOT NULL)"
      default: "(SELECT count(*) FROM \(planner.farRows(link, numbers)))"
      }
    }
    let count = "coalesce(\(counts), 0)"
    var tests: [String] = []
    if allowed.minimum > (allowed.mayBeEmpty ? 1 : 0) {
      tests.append("\(count) < \(allowed.minimum)")
    }
    if let maximum = allowed.maximum { tests.append("\(count) > \(maximum)") }
    guard !tests.isEmpty else { return }
    let words = condition.sentence
    add(
      "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) AS t "
        + "WHERE \(Self.condition(members)) AND (\(tests.joined(separator: " OR ")))"
        + (allowed.mayBeEmpty ? " AND \(count) > 0" : "")
    ) { count in
      MappingProblem(
        .unmetCondition, entity: place.entity, property: place.property,
        "\(Self.objects(count)) violating the condition that \(words)",
        remedy: .sentence(
          "Change these objects in the app first, or relax the relationship in the new "
            + "model."))
    }
  }
}
