internal import CoreDataModel
internal import CoreDataStore

/// Puts the parts of a fresh store's schema together.
struct DesignParts {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  private let era: FrameworkEra
  private let choices: DesignChoices
  private var columns: DesignColumns
  private var designs: [TableDesign] = []
  /// The names in the schema so far, to detect duplicates.
  private var names = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].map { SchemaName($0) })

  private(set) var tables: [SchemaStatement] = []
  private(set) var indexes: [SchemaStatement] = []
  private(set) var virtualTables: [SchemaStatement] = []
  private(set) var fillings: [String] = []
  private(set) var triggers: [SchemaStatement] = []
  private(set) var attributeTriggers:
    [(attribute: PropertyReference, triggers: [SchemaStatement])] = []
  private(set) var undecided: [UndecidedChoice] = []
  private(set) var notes: [String] = []

  init(
    model: ManagedObjectModel, numbering: EntityNumbering, era: FrameworkEra,
    choices: DesignChoices
  ) {
    self.model = model
    self.numbering = numbering
    self.era = era
    self.choices = choices
    columns = DesignColumns(model: model)
  }

  mutating func addAll() {
    undecided += DesignNames.unusable(in: model)
    designTables()
    let joins = JoinTablesDesign(model: model, numbering: numbering, choices: choices)
    undecided += joins.undecided
    let parts = designs.map { IndexDesign($0, model: model, columns: columns, era: era) }
    let constraints = designs.map { UniqueConstraintDesign.list($0.entities, model, columns) }
    for (design, constraints) in zip(designs, constraints) {
      add(
        design.statement(era.hasUniqueIndexes ? [] : constraints),
        of: [PropertyReference(entity: design.root.name, property: "")])
    }
    for join in joins.tables {
      add(join.statement, of: [join.pair.first.reference, join.pair.second.reference])
    }
    for index in parts.flatMap(\.ofReferences) { add(index: index) }
    if era.hasJoinIndexes { for join in joins.tables { add(index: join.index) } }
    for (part, (design, constraints)) in zip(parts, zip(designs, constraints)) {
      notes += part.notes
      for index in part.ofModel { add(index: index) }
      guard era.hasUniqueIndexes else { continue }
      for constraint in constraints { add(index: constraint.index(on: design.name)) }
    }
    addHistory()
    for design in designs { addTriggers(design) }
  }

  private mutating func designTables() {
    let owners = numbering.oneSidedRelationships(in: model)
    for root in numbering.inOrder(model.rootEntities.map(\.name)) {
      let entities = numbering.tree(of: root, in: model)
      let expected = ExpectedColumns(
        model: model, numbering: numbering, entities: entities, owners: owners
      ).columns
      columns.add(entities, expected)
      let design = TableDesign(
        entities, expected, model: model, numbering: numbering, choices: choices)
      if let open = design.undecided { undecided.append(open) }
      if design.isTooWide {
        undecided.append(
          UndecidedChoice(
            kind: .tooManyColumns, properties: [PropertyReference(entity: root, property: "")],
            text: "how to store \(root) and its subentities, whose table would have "
              + "\(design.columnCount) columns (SQLite allows \(TableDesign.maxColumns))"))
      }
      designs.append(design)
    }
  }

  /// Adds a table, unless its name is another's.
  private mutating func add(_ table: SchemaStatement, of properties: [PropertyReference]) {
    tables.append(table)
    guard !names.insert(SchemaName(table.name)).inserted else { return }
    undecided.append(
      UndecidedChoice(
        kind: .equalNames, properties: properties,
        text:
          "the name of the table of \(UndecidedChoice.list(properties)), because another table has the "
          + "same name"))
  }

  /// Adds an index; of two with one name, only the first is kept.
  private mutating func add(index: SchemaStatement) {
    if names.insert(SchemaName(index.name)).inserted { indexes.append(index) }
  }

  private mutating func addHistory() {
    guard choices.includesHistory else { return }
    guard era.hasKnownHistory else {
      notes.append(
        "the tables of the persistent history are left out: it is not known how framework version "
          + "\(era.version) creates them")
      return
    }
    let history = HistoryDesign(model)
    tables += history.tables
    indexes += history.indexes
  }

  // MARK: Triggers

  /// The key in the user info of an attribute that triggers maintain as a counter.
  private static let counterKey: Name = "NSTriggerKey"

  private mutating func addTriggers(_ design: TableDesign) {
    for entity in design.entities {
      for attribute in entity.attributes {
        let count = triggers.count
        defer {
          if triggers.count > count {
            let reference = PropertyReference(entity: entity.name, property: attribute.name)
            attributeTriggers.append((reference, Array(triggers[count...])))
          }
        }
        let name = "\(entity.name).\(attribute.name)"
        if attribute.isTransient, attribute.spatialComponents != nil {
          let spatial = SpatialDesign(attribute, of: entity, table: design.name, columns: columns)
          if let table = spatial.table {
            virtualTables.append(table)
            if let filling = spatial.filling { fillings.append(filling) }
            let isKnown = addKnownTriggers(of: "the R-tree of \(name)") {
              $0.hasPrefix("\(table.name)_")
            }
            if !isKnown { triggers += spatial.triggers }
          } else {
            notes.append("the R-tree of \(name) is left out because its form is not known")
          }
        }
        if attribute.userInfo[Self.counterKey] != nil {
          let column = columns.column(declaredBy: entity.name, path: attribute.name) ?? ""
          let isKnown = addKnownTriggers(of: "the counter \(name)") {
            $0.hasPrefix("ZT_\(design.name)_\(column)_")
          }
          if !isKnown {
            notes.append("the triggers that maintain the counter \(name) are left out")
          }
        }
        if let derivation = attribute.derivation {
          addTriggers(derivation, attribute, entity, design)
        }
      }
    }
  }

  /// Adds the triggers that another store of the model has; returns false if there is no such store.
  private mutating func addKnownTriggers(
    of kept: String, where isWanted: (String) -> Bool
  ) -> Bool {
    guard let known = choices.triggers else { return false }
    let found = known.filter { isWanted($0.name) }
    triggers += found.filter { !triggers.contains($0) }
    if found.isEmpty {
      notes.append("\(kept) gets no triggers because the example store has none for it")
    }
    return true
  }

  private mutating func addTriggers(
    _ derivation: Derivation, _ attribute: AttributeDescription, _ entity: EntityDescription,
    _ design: TableDesign
  ) {
    guard let column = columns.column(declaredBy: entity.name, path: attribute.name) else { return }
    // The name begins with the table that the trigger is on, which need not be the entity's.
    let part = "_\(entity.name)_\(attribute.name)_"
    let isKnown = addKnownTriggers(
      of: "the derived attribute \(entity.name).\(attribute.name)"
    ) { name in
      name.hasPrefix("Z_DA_")
        && (name.contains("\(part)SOURCE_") || name.contains("\(part)PARAMETER_"))
    }
    if isKnown { return }
    let derived = DerivedTriggers(
      attribute.name, of: entity.name, table: design.name, column: column, model: model,
      columns: columns)
    if let statements = derived.statements(derivation) {
      triggers += statements
    } else {
      notes.append(
        "the triggers that maintain the derived attribute \(entity.name).\(attribute.name) are left out: "
          + "it is not known what Core Data writes for \(derivation.expression.formatDescription)")
    }
  }
}

/// The R-tree that goes with a transient attribute whose user info names coordinates, and the
/// triggers that keep it.
///
/// SQLite creates its shadow tables with it. Only tables for two coordinates of a root entity have
/// been seen. Source: store-format, section 5.7.
struct SpatialDesign {
  /// The virtual table; nil if its form is unknown.
  let table: SchemaStatement?
  /// The rows that the triggers of the table would have written; nil if their form is not known.
  let filling: String?
  let triggers: [SchemaStatement]

  init(
    _ attribute: AttributeDescription, of entity: EntityDescription, table source: String,
    columns: DesignColumns
  ) {
    let components = attribute.spatialComponents ?? []
    let found = components.compactMap {
      columns.column(of: entity.name, path: Name(path: $0))
    }
    guard found.count == 2, components.count == 2, entity.superentityName == nil else {
      table = nil
      filling = nil
      triggers = []
      return
    }
    let name = StoredName.spatialIndex(entity: entity.name, attribute: attribute.name)
    let bounds = found.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
    let declared = bounds.map { ", \($0) FLOAT" }.joined()
    table = SchemaStatement(
      kind: .virtualTable, name: name, tableName: name,
      sql: "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY\(declared))")
    // The blanks around the commas are Core Data's.
    let values = "NEW.Z_PK, NEW.\(found[0]) ,NEW.\(found[0]), NEW.\(found[1]), NEW.\(found[1])"
    let into = "INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (\(values)) ;"
    filling =
      "INSERT INTO \(name) SELECT Z_PK, \(found[0]), \(found[0]), \(found[1]), \(found[1]) "
      + "FROM \(source)"
    let bodies = [
      ("INSERT", "INSERT OR REPLACE \(into)"),
      ("UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(into)"),
      ("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"),
    ]
    triggers = bodies.map { event, body in
      SchemaStatement(
        kind: .trigger, name: "\(name)_\(event)", tableName: source,
        sql: "CREATE TRIGGER \(name)_\(event) AFTER \(event) ON \(source) FOR EACH ROW BEGIN "
          + "\(body) END")
    }
  }
}
