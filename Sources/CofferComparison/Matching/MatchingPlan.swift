package import CofferCore
internal import CoreDataLayout
package import CoreDataModel

/// The properties that identify the objects of two sources, by entity.
package struct MatchingPlan {
  /// The entities with one rule: the entity of the rule and the entities that inherit it.
  package struct Group {
    var entityName: Name
    var rule: MatchingRule
    /// Whether objects without a match are matched by their keys in a second step.
    var fallsBackToKeys: Bool
  }

  /// An entity of either source.
  package struct Entity {
    package var name: Name
    /// The index of the group; nil if the primary key identifies the objects.
    package var group: Int?
    /// A number for the objects among which a primary key is unique in both sources.
    var topic: UInt32
  }

  /// The identification of the objects of one entity in one source.
  package struct EntityPlan {
    /// The index of the entity.
    package var entity: Int
    /// The properties; empty if the primary key identifies the objects.
    package var paths: [KeyColumn]
  }

  /// The plans of a table whose objects need numbers.
  package struct TablePlan {
    /// By number of the entity; if the table has no such column, the only one has the number 0.
    package var entities: [Int64: EntityPlan]
    let keyColumn: Int
    let entityColumn: Int?

    /// The plan for the object of a row; nil if its entity is unknown.
    func plan(for row: Row) -> EntityPlan? {
      guard let entityColumn else { return entities[0] }
      return row.integer(entityColumn).flatMap { entities[$0] }
    }
  }

  package private(set) var groups: [Group] = []
  /// The entities of both sources, sorted by name.
  package private(set) var entities: [Entity] = []
  /// The plans by side and table; nil for tables whose objects are matched by their keys.
  package private(set) var tables: [[TablePlan?]] = [[], []]
  /// The rules of the entities that both sources have, sorted by name.
  package private(set) var rules: [(entityName: Name, rule: MatchingRule)] = []

  /// Whether the key of each object is in its row, and the primary key identifies objects whose key finds
  /// no match.
  var isDecidedByRows: Bool {
    groups.allSatisfy(\.fallsBackToKeys)
      && tables.joined().allSatisfy { table in
        table?.entities.values.allSatisfy { $0.paths.allSatisfy(\.hops.isEmpty) } ?? true
      }
  }

  /// Decides which rule applies to each entity.
  ///
  /// - Parameters:
  ///   - first: the first source.
  ///   - second: the second source.
  ///   - naturalKeys: the keys that the caller chose.
  ///   - isSameStore: whether both have the same store UUID, so that equal primary keys are
  ///     significant.
  ///   - usesConstraints: whether uniqueness constraints are rules.
  /// - Throws: ``CofferError``: `no-such-entity` or `no-such-property` for a key that cannot be used.
  package init(
    _ first: some RowSource, _ second: some RowSource, naturalKeys: [NaturalKey],
    isSameStore: Bool, usesConstraints: Bool = true
  ) throws(CofferError) {
    let choice = RuleChoice(
      first.model, second.model, naturalKeys, usesConstraints: usesConstraints)
    try choice.check(paths: (first.path, second.path))
    let names = choice.commonEntities
    var found: [Name: (group: Int, first: [KeyColumn], second: [KeyColumn])] = [:]
    for name in names.sorted() {
      guard let (declarer, rule, sides) = try choice.rule(of: name, first, second) else {
        rules.append((name, .objectID))
        continue
      }
      rules.append((name, rule))
      let known = groups.firstIndex { $0.entityName == declarer && $0.rule == rule }
      if known == nil {
        let isChosen = if case .naturalKey = rule { true } else { false }
        groups.append(
          Group(entityName: declarer, rule: rule, fallsBackToKeys: isSameStore && !isChosen))
      }
      found[name] = (known ?? groups.count - 1, sides.first, sides.second)
    }
    guard !groups.isEmpty else {
      tables = [first.shapes.map { _ in nil }, second.shapes.map { _ in nil }]
      return
    }
    number(found.mapValues(\.group), first, second)
    let positions = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { old, _ in old })
    let roots = Set(
      found.keys.flatMap { name in
        [first.model, second.model].compactMap { $0.root(of: name)?.name }
      })
    func plans(_ source: some RowSource, _ paths: (Name) -> [KeyColumn]?) -> [TablePlan?] {
      source.shapes.map { shape in
        guard shape.kind == .entity, let root = shape.entityName, roots.contains(root) else {
          return nil
        }
        return TablePlan(shape, source) { name in
          EntityPlan(entity: positions[name] ?? 0, paths: paths(name) ?? [])
        }
      }
    }
    tables = [plans(first) { found[$0]?.first }, plans(second) { found[$0]?.second }]
  }

  /// Lists the entities of both sources.
  private mutating func number(
    _ groups: [Name: Int], _ first: some RowSource, _ second: some RowSource
  ) {
    var topics: [Name: UInt32] = [:]
    let names = Set((first.model.entities + second.model.entities).map(\.name))
    for name in names.sorted() {
      let roots = [first.model, second.model].compactMap { $0.root(of: name)?.name }
      let isMoved = roots.count == 2 && roots[0] != roots[1]
      // An entity that moved to another table has other keys there.
      let subject = isMoved ? "/\(name)" : roots.first ?? name
      let topic = topics[subject] ?? UInt32(clamping: topics.count)
      topics[subject] = topic
      entities.append(Entity(name: name, group: groups[name], topic: topic))
    }
  }
}

extension MatchingPlan.TablePlan {
  /// Plans a table of objects; nil if it has no primary keys.
  fileprivate init?(
    _ shape: TableLayout, _ source: some RowSource, _ makePlan: (Name) -> MatchingPlan.EntityPlan
  ) {
    guard let root = shape.entityName,
      let keyColumn = shape.fields.firstIndex(where: { $0.role == .primaryKey })
    else { return nil }
    self.keyColumn = keyColumn
    entityColumn = shape.fields.firstIndex { $0.role == .entityNumber }
    if entityColumn == nil {
      entities = [0: makePlan(root)]
    } else {
      entities = [:]
      for name in source.model.tree(of: root).map(\.name) {
        if let number = source.entities.numbers[name] { entities[number] = makePlan(name) }
      }
    }
  }
}
