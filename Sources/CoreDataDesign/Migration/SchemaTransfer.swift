internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// The app's own indexes, triggers and views on the tables of its objects, and the ones that fit the new
/// tables.
///
/// A statement fits if every table and column that it names exists with the same name and meaning.
/// The words of its text are compared, so that one too many is left out rather than one too few.
package struct SchemaTransfer: Sendable {
  /// The statements that fit, in the order of their creation.
  package private(set) var carried: [SchemaStatement] = []
  /// The others, each with the reason as a clause.
  package private(set) var dropped: [(statement: SchemaStatement, reason: String)] = []

  private let source: StoreLayout
  private let destination: StoreLayout
  private let origins: [PropertyReference: Set<PropertyReference>]
  private let carriedTables: [SchemaName: SchemaName]
  /// The entities whose numbers change or are reassigned, sorted; usually empty.
  private let renumbered: [Name]

  /// Examines the parts of a store's schema that its model does not explain.
  package init(
    mapping: ModelMapping, from store: PersistentStore, to design: StoreDesign,
    _ destination: StoreLayout
  ) {
    source = store.layout
    self.destination = destination
    let planner = TransferPlanner(mapping: mapping, source: source, destination: destination)
    origins = planner.origins
    var tables: [SchemaName: SchemaName] = [:]
    for table in destination.entityTables {
      guard let old = planner.sourceTable(of: table) else { continue }
      tables[SchemaName(old.tableName)] = SchemaName(table.tableName)
    }
    carriedTables = tables
    renumbered = Self.renumbered(mapping, from: source.numbering, to: destination.numbering)
    let own = Self.additions(of: store)
    guard !own.isEmpty else { return }
    let policy = SchemaPolicy(design.statements + own)
    let taken = Set(design.statements.map { SchemaName($0.name) })
    let missing = Set(SurplusIndexes(of: own, besides: design).names)
    for statement in own {
      if taken.contains(SchemaName(statement.name)) { continue }
      if statement.kind == .index, !missing.contains(statement.name) { continue }
      if let reason = misfit(of: statement) ?? policy.objection(to: statement).map({ "it \($0)" }) {
        dropped.append((statement, reason))
      } else {
        carried.append(statement)
      }
    }
    dropReadersOfLostViews()
  }

  private mutating func dropReadersOfLostViews() {
    var next = 0
    while next < dropped.count {
      let view = dropped[next].statement
      next += 1
      guard view.kind == .view else { continue }
      let isReader = { (statement: SchemaStatement) in
        Self.words(of: SQLToken.all(in: statement.sql)).contains(SchemaName(view.name))
      }
      dropped += carried.filter(isReader)
        .map { ($0, "the view \(view.name) is not carried over") }
      carried.removeAll(where: isReader)
    }
  }

  /// The indexes, triggers and views on tables of objects and of relationships that neither the model asks for nor
  /// Core Data names.
  package static func additions(of store: PersistentStore) -> [SchemaStatement] {
    let names =
      store.layout.entityTables.map(\.tableName) + store.layout.joinTables.map(\.tableName)
    let tables = Set(names.map { SchemaName($0) })
    let candidates = store.catalog.statements.filter { statement in
      switch statement.kind {
      case .index: tables.contains(SchemaName(statement.tableName))
      case .trigger: !statement.isTriggerOfCoreData
      case .view: true
      case .table, .virtualTable: false
      }
    }
    guard candidates.contains(where: { $0.kind == .index }) else { return candidates }
    let design = StoreDesign(
      model: store.layout.model,
      numbers: Dictionary(
        store.layout.model.entities.compactMap { entity in
          store.layout.numbering.number(of: entity.name).map { (entity.name, $0) }
        }, uniquingKeysWith: { first, _ in first }),
      era: store.metadata.era ?? .newest,
      choices: DesignChoices(like: store.layout, catalog: store.catalog))
    let surplus = Set(SurplusIndexes(of: candidates, besides: design).names)
    return candidates.filter { $0.kind != .index || surplus.contains($0.name) }
  }

  // MARK: What fits

  /// The first reason why a statement does not fit, or nil.
  private func misfit(of statement: SchemaStatement) -> String? {
    let tokens = SQLToken.all(in: statement.sql)
    let words = Self.words(of: tokens)
    let use = PositionalUse(tokens)
    if let entity = renumbered.first, namesEntityNumbers(statement, words) {
      return "it names entities by number, and the number of \(entity) changes"
    }
    for table in source.entityTables where words.contains(SchemaName(table.tableName)) {
      guard let new = newTable(of: table) else {
        return "the new store has no table \(table.tableName)"
      }
      if let column = table.columns.first(where: { column in
        words.contains(SchemaName(column.storedName)) && !isKept(column, from: table, in: new)
      }) {
        return
          "the new store has another column \(column.storedName) in \(table.tableName), or none"
      }
      if let how = use.ofColumns(of: table.tableName),
        Self.columns(of: table) != Self.columns(of: new)
      {
        return "it \(how), and these are others in the new store"
      }
    }
    for table in source.joinTables where words.contains(SchemaName(table.tableName)) {
      guard destination.joinTables.contains(where: { isSame(table, $0) }) else {
        return "the new store has no table \(table.tableName), or another"
      }
    }
    let others = source.otherTables.filter { words.contains(SchemaName($0.name)) }
    return others.first.map { "the new store has no table \($0.name)" }
  }

  private static func words(of tokens: [SQLToken]) -> Set<SchemaName> {
    Set(tokens.filter { $0.isName || $0.kind == .text }.map { SchemaName($0.text) })
  }

  private static func columns(of table: EntityTable) -> [SchemaName] {
    (table.columns.map(\.storedName) + table.generatedColumns).map { SchemaName($0) }
  }

  /// The new table with the objects and the name of an old one; nil if there is none.
  private func newTable(of table: EntityTable) -> EntityTable? {
    let name = SchemaName(table.tableName)
    guard carriedTables[name] == name else { return nil }
    return destination.entityTables.first { SchemaName($0.tableName) == name }
  }

  private func isSame(_ old: JoinTable, _ new: JoinTable) -> Bool {
    SchemaName(old.tableName) == SchemaName(new.tableName)
      && SchemaName(old.sourceColumn) == SchemaName(new.sourceColumn)
      && SchemaName(old.destinationColumn) == SchemaName(new.destinationColumn)
      && (old.orderColumn == nil) == (new.orderColumn == nil)
      && origins[new.source] == [old.source]
  }

  private func isKept(_ column: FieldLayout, from old: EntityTable, in new: EntityTable) -> Bool {
    guard
      let found = new.columns.first(where: {
        SchemaName($0.storedName) == SchemaName(column.storedName)
      })
    else { return false }
    guard let reference = column.role.reference else { return column.role == found.role }
    guard let other = found.role.reference, column.role.kind == found.role.kind else {
      return false
    }
    return origins[other] == [reference]
  }

  /// Whether a statement can name an entity by its number: it names a column with such numbers, or gives a
  /// row its values without naming their columns.
  private func namesEntityNumbers(_ statement: SchemaStatement, _ words: Set<SchemaName>) -> Bool {
    if words.contains(SchemaName(StoredName.entityNumber)) { return true }
    let columns = source.entityTables.flatMap(\.columns).filter { $0.role.kind == ["entity"] }
    if columns.contains(where: { words.contains(SchemaName($0.storedName)) }) { return true }
    return words.contains(SchemaName("INTO"))
  }

  private static func renumbered(
    _ mapping: ModelMapping, from old: EntityNumbering, to new: EntityNumbering
  ) -> [Name] {
    let taken = Set(new.numbers.values)
    let changed = old.numbers.filter { name, number in
      guard let successor = mapping.mapping(from: name)?.destinationName else {
        return taken.contains(number)
      }
      return new.number(of: successor) != number
    }
    return changed.keys.sorted()
  }
}

extension FieldRole {
  /// The property of a column; nil for columns that every table has.
  fileprivate var reference: PropertyReference? {
    switch self {
    case .attribute(let path, _, _, let entity):
      PropertyReference(entity: entity, property: path.first ?? "")
    case .toOne(let name, let entity), .toOneEntity(let name, let entity),
      .order(let name, let entity), .owner(let entity, let name),
      .ownerOrder(let entity, let name):
      PropertyReference(entity: entity, property: name)
    default: nil
    }
  }

  /// The part of the property that a column holds; the element, for a composite attribute.
  fileprivate var kind: [Name] {
    switch self {
    case .attribute(let path, _, _, _): ["attribute"] + path.dropFirst()
    case .toOne: ["to-one"]
    case .toOneEntity: ["entity"]
    case .order: ["order"]
    case .owner: ["owner"]
    case .ownerOrder: ["owner-order"]
    default: []
    }
  }
}
