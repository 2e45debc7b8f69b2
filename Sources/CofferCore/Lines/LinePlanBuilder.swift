internal import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel

/// Makes the line plans of a table.
///
/// Members are sorted by name, independent of the order of the columns, so that a store that was
/// migrated in place gives the same lines as a new one. Every column occurs exactly once: columns
/// that do not belong to the entity of a row, or whose name is taken, are under `$columns`.
struct LinePlanBuilder {
  let shape: TableLayout

  /// The plan for objects of one entity, given the names of the entity and its superentities.
  func plan(forLineage lineage: Set<Name>) -> LinePlan {
    var members = MemberTree()
    var orders: [(Name, Int)] = []
    var owners: [(Name, Int)] = []
    var rest: [(Name, Int)] = []
    for (column, field) in shape.fields.enumerated() {
      var isPlaced = false
      switch field.role {
      case .primaryKey, .entityNumber, .version:
        isPlaced = true
      case .attribute(let path, let type, let isExternal, let entity)
      where lineage.contains(entity):
        isPlaced = members.insert(
          path: path, leaf: .init(form: ValueForm(type, isExternal: isExternal), column: column))
      case .toOne(let name, let entity) where lineage.contains(entity):
        let companion = shape.fields.firstIndex {
          $0.role == .toOneEntity(name: name, entity: entity)
        }
        let form: ValueForm = companion == nil ? .toOne : .polymorphicToOne
        isPlaced = members.insert(
          path: [name], leaf: .init(form: form, column: column, entityColumn: companion))
      case .toOneEntity(let name, let entity) where lineage.contains(entity):
        isPlaced = shape.fields.contains { $0.role == .toOne(name: name, entity: entity) }
      case .order(let name, let entity) where lineage.contains(entity):
        isPlaced = Self.append((name, column), to: &orders)
      case .owner(let entity, let relationship):
        isPlaced = Self.append(("\(entity).\(relationship)", column), to: &owners)
      case .ownerOrder(let entity, let relationship):
        isPlaced = Self.append(("\(entity).\(relationship)", column), to: &orders)
      default: break
      }
      if !isPlaced { rest.append((Name(field.storedName), column)) }
    }
    var plan = LinePlan.Draft()
    members.add(to: &plan)
    Self.add(orders, under: "$order", to: &plan)
    Self.add(owners, under: "$owner", to: &plan)
    Self.add(rest, under: "$columns", to: &plan)
    return LinePlan(plan)
  }

  /// The plan for rows of an unknown entity: every column under its stored name.
  func planForUnknownEntity() -> LinePlan { plan(forLineage: []) }

  /// The plan of a join table.
  func planForPairs() -> LinePlan {
    var plan = LinePlan.Draft()
    var rest: [(Name, Int)] = []
    for (column, field) in shape.fields.enumerated() {
      switch field.role {
      case .source: plan.add(key: "source", form: .plain, column: column)
      case .destination: plan.add(key: "destination", form: .plain, column: column)
      case .destinationOrder: plan.add(key: "order", form: .plain, column: column)
      case .sourceOrder: plan.add(key: "inverseOrder", form: .plain, column: column)
      default: rest.append((Name(field.storedName), column))
      }
    }
    Self.add(rest, under: "$columns", to: &plan)
    return LinePlan(plan)
  }

  /// The plan of a table that is stored unchanged.
  func planForPlainRows() -> LinePlan {
    var plan = LinePlan.Draft()
    for (column, field) in shape.fields.enumerated() {
      plan.add(key: LineKey.escaped(field.storedName), form: .plain, column: column)
    }
    return LinePlan(plan)
  }

  private static func append(_ member: (Name, Int), to list: inout [(Name, Int)]) -> Bool {
    guard !list.contains(where: { $0.0 == member.0 }) else { return false }
    list.append(member)
    return true
  }

  private static func add(
    _ members: [(Name, Int)], under key: String, to plan: inout LinePlan.Draft
  ) {
    guard !members.isEmpty else { return }
    plan.addGroup(key: key) { plan in
      for (name, column) in members.sorted(by: { $0.0 < $1.0 }) {
        plan.add(key: LineKey.escaped(name.text), form: .plain, column: column)
      }
    }
  }
}

/// The properties of a line by name, with the elements of composite attributes below them.
struct MemberTree {
  /// A value.
  struct Leaf {
    var form: ValueForm
    var column: Int
    var entityColumn: Int?
  }

  private enum Node {
    case leaf(Leaf)
    case group(MemberTree)
  }

  private var nodes: [Name: Node] = [:]

  /// Inserts a value.
  ///
  /// Returns false, and inserts nothing, if its name is taken.
  mutating func insert(path: [Name], leaf: Leaf) -> Bool {
    guard let name = path.first else { return false }
    if path.count == 1 {
      guard nodes[name] == nil else { return false }
      nodes[name] = .leaf(leaf)
      return true
    }
    var below = MemberTree()
    switch nodes[name] {
    case .leaf: return false
    case .group(let tree): below = tree
    case nil: break
    }
    guard below.insert(path: Array(path.dropFirst()), leaf: leaf) else { return false }
    nodes[name] = .group(below)
    return true
  }

  /// Adds the members to a plan, sorted by name.
  func add(to plan: inout LinePlan.Draft) {
    for (name, node) in nodes.sorted(by: { $0.key < $1.key }) {
      switch node {
      case .leaf(let leaf):
        plan.add(
          key: LineKey.escaped(name.text), form: leaf.form, column: leaf.column,
          entityColumn: leaf.entityColumn)
      case .group(let tree):
        plan.addGroup(key: LineKey.escaped(name.text)) { tree.add(to: &$0) }
      }
    }
  }
}

/// The line plans of one table: one for each entity of its objects, and one for all other rows.
package struct TablePlans {
  /// The number of the root entity, which lines do not name because the folder does; nil for tables
  /// without objects.
  package let rootNumber: Int64?
  /// The numbers of the entities that have a plan, in ascending order.
  let numbers: ContiguousArray<Int64>
  /// The plan of rows of unknown entities, and of all rows of other tables.
  package private(set) var fallback: LinePlan
  private var plans: ContiguousArray<LinePlan>

  package init(_ shape: TableLayout, _ entities: NumberedEntities) {
    let builder = LinePlanBuilder(shape: shape)
    rootNumber = shape.entityName.flatMap { entities.numbers[$0] }
    switch shape.kind {
    case .entity:
      let lineages = entities.lineages(below: shape.entityName).sorted { $0.key < $1.key }
      numbers = ContiguousArray(lineages.map(\.key))
      plans = ContiguousArray(lineages.map { builder.plan(forLineage: $0.value) })
      fallback = builder.planForUnknownEntity()
    case .relationship:
      numbers = []
      plans = []
      fallback = builder.planForPairs()
    default:
      numbers = []
      plans = []
      fallback = builder.planForPlainRows()
    }
  }

  /// The same plans for another thread.
  ///
  /// Each row retains its plan for a moment, and two threads that retain the same object slow each other
  /// down.
  func copied() -> TablePlans {
    var copy = self
    copy.fallback = LinePlan(copying: fallback)
    copy.plans = ContiguousArray(plans.map { LinePlan(copying: $0) })
    return copy
  }

  var maxSteps: Int { plans.reduce(fallback.steps.count) { max($0, $1.steps.count) } }

  /// The plan for objects of an entity; nil means an unknown entity.
  package func plan(for entity: Int64?) -> LinePlan { self[position(of: entity)] }

  /// The position of an entity in ``numbers``; nil for an entity without a plan.
  func position(of entity: Int64?) -> Int? { entity.flatMap { numbers.position(of: $0) } }

  /// The plan at a position; nil means an unknown entity.
  subscript(_ position: Int?) -> LinePlan { position.map { plans[$0] } ?? fallback }
}
