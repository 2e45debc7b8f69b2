internal import CoreDataLayout
internal import CoreDataModel

/// Checks the positions of objects in ordered relationships: each member of a list has a unique
/// integer position, and no other object has one.
final class OrderCheck: RunCheck, Check {
  static let name = CheckName.order
  static let modelNeed = ModelNeed.relationships
  private var visitors: [Int: RowVisitor] = [:]

  func prepare() throws {
    for table in context.tables {
      switch table.shape.kind {
      case .entity: visitors[table.index] = objectVisitor(of: table)
      case .relationship: visitors[table.index] = pairVisitor(of: table)
      default: break
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? { visitors[table.index] }

  // MARK: Objects

  private func objectVisitor(of table: VerifiedTable) -> RowVisitor? {
    var steps: [(entityName: Name, step: Step)] = []
    for column in table.shape.fields.indices {
      guard let (step, members) = step(column, of: table) else { continue }
      steps.append((members, step))
    }
    if steps.isEmpty { return nil }
    let plans = EntityPlans(context, steps)
    return RowVisitor { row in
      try plans.forEachStep(of: row) { step, key in
        try step.list.visit(row, member: key, ownerColumn: step.ownerColumn)
      }
    }
  }

  /// The step for a column of positions, with the entity of the members; nil for other columns.
  private func step(_ column: Int, of table: VerifiedTable) -> (Step, members: Name)? {
    let model = context.subject.model
    guard let ownerColumn = table.shape.ownerColumn(ofOrder: column) else { return nil }
    switch table.shape.fields[column].role {
    case .order(let name, let entity):
      guard let toOne = model.relationship(name, of: entity)?.relationship,
        let owners = context.table(ofEntity: toOne.destinationName)
      else { return nil }
      let list = OrderedList(
        column, of: .init(table: table, entity: entity, property: name),
        in: .init(
          table: owners, entity: toOne.destinationName,
          property: model.inverse(of: toOne)?.relationship.name), context)
      return (Step(list: list, ownerColumn: ownerColumn), entity)
    case .ownerOrder(let entity, let name):
      guard let toMany = model.relationship(name, of: entity)?.relationship,
        let owners = context.table(ofEntity: entity)
      else { return nil }
      let member = toMany.destinationName
      let list = OrderedList(
        column, of: .init(table: table, entity: member, property: "\(entity).\(name)"),
        in: .init(table: owners, entity: entity, property: name), context)
      return (Step(list: list, ownerColumn: ownerColumn), member)
    default: return nil
    }
  }

  /// A column of positions, with the column of the owner's key.
  private struct Step {
    var list: OrderedList
    var ownerColumn: Int
  }

  // MARK: Pairs

  private func pairVisitor(of table: VerifiedTable) -> RowVisitor? {
    let model = context.subject.model
    guard let entity = table.shape.entityName, let name = table.shape.relationshipName,
      let relationship = model.relationship(name, of: entity)?.relationship,
      let inverse = relationship.inverseName,
      let sources = context.table(ofEntity: entity),
      let destinations = context.table(ofEntity: relationship.destinationName),
      let source = table.column(.source), let destination = table.column(.destination)
    else { return nil }
    let near = OrderedList.End(table: sources, entity: entity, property: name)
    let far = OrderedList.End(
      table: destinations, entity: relationship.destinationName, property: inverse)
    let byDestination = table.column(.destinationOrder).map {
      OrderedList($0, of: far, in: near, context)
    }
    let bySource = table.column(.sourceOrder).map { OrderedList($0, of: near, in: far, context) }
    guard byDestination != nil || bySource != nil else { return nil }
    return RowVisitor { row in
      // The check of pairs reports a pair without one of its keys.
      guard let from = row.integer(source), let to = row.integer(destination) else { return }
      try byDestination?.visit(row, member: to, owner: from)
      try bySource?.visit(row, member: from, owner: to)
    }
  }
}

/// The positions of one ordered relationship, by owner.
///
/// Findings name the member, with its relationship to the owner. Only equal positions matter, not
/// their numbers.
final class OrderedList: RecordConsumer {
  /// One end of the relationship.
  struct End {
    var table: VerifiedTable
    /// The entity to use for missing objects.
    var entity: Name
    /// Its relationship to the other end, as findings name it; nil if an inferred model lacks it.
    var property: Name?
  }

  private unowned let context: VerificationContext
  private let sorter: RecordSorter
  private let member: End
  private let owner: End
  private let orderColumn: Int
  private var topic: UInt32 = 0
  private var last: SortRecord?

  init(_ orderColumn: Int, of member: End, in owner: End, _ context: VerificationContext) {
    self.context = context
    self.member = member
    self.owner = owner
    self.orderColumn = orderColumn
    sorter = context.sorter
    topic = context.topic(self)
  }

  /// Checks the position of an object that refers to its owner.
  func visit(_ row: Row, member key: Int64, ownerColumn: Int) throws {
    if !row.isNull(ownerColumn) {
      try visit(row, member: key, owner: row.integer(ownerColumn))
    } else if !row.isNull(orderColumn) {
      try report(.surplusOrderKey, key, "")
    }
  }

  /// Checks the position of a member.
  ///
  /// If its owner is not a key, the position is not compared.
  func visit(_ row: Row, member key: Int64, owner: Int64?) throws {
    if let position = row.integer(orderColumn) {
      guard let owner else { return }
      try sorter.append(SortRecord(topic: topic, rank: 0, key: owner, first: position, second: key))
    } else if row.isNull(orderColumn) {
      try report(.missingOrderKey, key, try owner.map { try "in \(list(of: $0))" } ?? "")
    } else {
      try report(.invalidOrderKey, key, "it is \(row.kind(orderColumn))")
    }
  }

  func take(_ record: SortRecord) throws {
    defer { last = record }
    guard let last, last.key == record.key, last.first == record.first else { return }
    // An archive can contain a row twice.
    guard last.second != record.second else { return }
    let other = try name(of: last.second, member)
    try report(.duplicateOrderKey, record.second, "as \(other) in \(list(of: record.key))")
  }

  private func name(of key: Int64, _ end: End) throws -> ManagedObjectID {
    try context.objectID(key, in: end.table, otherwise: end.entity)
  }

  /// The name of an owner's list.
  private func list(of key: Int64) throws -> String {
    let object = try name(of: key, owner)
    return owner.property.map { "\(object).\($0)" } ?? object.description
  }

  private func report(_ code: FindingCode, _ key: Int64, _ detail: String) throws {
    try context.report(
      code, objectID: name(of: key, member), propertyName: member.property, detail: detail)
  }
}
