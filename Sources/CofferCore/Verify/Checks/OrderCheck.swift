internal import CoreDataLayout
internal import CoreDataModel

/// Checks the positions of objects in ordered relationships: each member of a list has a unique
/// integer position, and no other object has one.
final class OrderCheck: Check {
  static let name = CheckName.order
  static let modelNeed = ModelNeed.relationships
  private let context: VerificationContext
  private var visitors: [Int: any RowVisitor] = [:]

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    for table in context.tables {
      switch table.shape.kind {
      case .entity: visitors[table.index] = objectVisitor(of: table)
      case .relationship: visitors[table.index] = pairVisitor(of: table)
      default: break
      }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? { visitors[table.index] }

  // MARK: Objects

  private func objectVisitor(of table: VerifiedTable) -> (any RowVisitor)? {
    var steps: [(entityName: String, step: ObjectVisitor.Step)] = []
    for column in table.shape.fields.indices {
      guard let (step, members) = step(column, of: table) else { continue }
      steps.append((members, step))
    }
    return steps.isEmpty ? nil : ObjectVisitor(EntityPlans(context, steps))
  }

  /// The step for a column of positions, with the entity of the members; nil for other columns.
  private func step(
    _ column: Int, of table: VerifiedTable
  ) -> (ObjectVisitor.Step, members: String)? {
    let model = context.subject.model
    switch table.shape.fields[column].role {
    case .order(let name, let entity):
      guard let toOne = model.relationship(name, of: entity)?.relationship,
        let owners = context.table(ofEntity: toOne.destinationName),
        let ownerColumn = table.column(.toOne(name: name, entity: entity))
      else { return nil }
      let list = OrderedList(
        column, of: .init(table: table, entity: entity, property: name),
        in: .init(
          table: owners, entity: toOne.destinationName,
          property: model.inverse(of: toOne)?.relationship.name), context)
      return (ObjectVisitor.Step(list: list, ownerColumn: ownerColumn), entity)
    case .ownerOrder(let entity, let name):
      guard let toMany = model.relationship(name, of: entity)?.relationship,
        let owners = context.table(ofEntity: entity),
        let ownerColumn = table.column(.owner(entity: entity, relationship: name))
      else { return nil }
      let member = toMany.destinationName
      let list = OrderedList(
        column, of: .init(table: table, entity: member, property: "\(entity).\(name)"),
        in: .init(table: owners, entity: entity, property: name), context)
      return (ObjectVisitor.Step(list: list, ownerColumn: ownerColumn), member)
    default: return nil
    }
  }

  private final class ObjectVisitor: RowVisitor {
    /// A column of positions, with the column of the owner's key.
    struct Step {
      var list: OrderedList
      var ownerColumn: Int
    }

    private let plans: EntityPlans<Step>

    init(_ plans: EntityPlans<Step>) { self.plans = plans }

    func visit(_ row: Row) throws {
      try plans.forEachStep(of: row) { step, key in
        try step.list.visit(row, member: key, ownerColumn: step.ownerColumn)
      }
    }
  }

  // MARK: Pairs

  private func pairVisitor(of table: VerifiedTable) -> (any RowVisitor)? {
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
    return PairVisitor(source, destination, byDestination, bySource)
  }

  private final class PairVisitor: RowVisitor {
    private let source: Int
    private let destination: Int
    /// The positions of the destinations of each source.
    private let destinations: OrderedList?
    /// The positions of the sources of each destination.
    private let sources: OrderedList?

    init(_ source: Int, _ destination: Int, _ destinations: OrderedList?, _ sources: OrderedList?) {
      self.source = source
      self.destination = destination
      self.destinations = destinations
      self.sources = sources
    }

    func visit(_ row: Row) throws {
      // The check of pairs reports a pair without one of its keys.
      guard let from = row.integer(source), let to = row.integer(destination) else { return }
      try destinations?.visit(row, member: to, owner: from)
      try sources?.visit(row, member: from, owner: to)
    }
  }
}
