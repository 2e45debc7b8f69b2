internal import CoreDataModel
internal import CoreDataStore

/// The tables of all pairs of to-many relationships in a fresh store.
///
/// Which of two relationships of one entity names the table, and which of several equal names of
/// columns gets which number, does not follow from the model (store-format, section 5.5).
struct JoinTablesDesign {
  /// The tables, in the order of the entities' numbers.
  private(set) var tables: [JoinTableDesign] = []
  private(set) var undecided: [UndecidedChoice] = []

  private let choices: DesignChoices
  private var columns: [PropertyReference: String] = [:]

  init(model: ManagedObjectModel, numbering: EntityNumbering, choices: DesignChoices) {
    self.choices = choices
    let pairs = JoinPairs(model: model, numbering: numbering).pairs
      .filter { $0.first.number != nil && $0.second.number != nil }
    nameColumns(pairs)
    for pair in pairs {
      let pair = named(pair)
      let source = columns[pair.first.reference] ?? ""
      tables.append(
        JoinTableDesign(
          pair: pair, sourceColumn: source,
          destinationColumn: pair.isReflexive
            ? JoinTableDesign.reflexive : columns[pair.second.reference] ?? ""))
    }
  }

  private mutating func named(_ pair: JoinPair) -> JoinPair {
    let isOfOneEntity = pair.first.reference.entity == pair.second.reference.entity
    guard isOfOneEntity, !pair.isReflexive else { return pair }
    let namings = pair.namings.filter { choices.namingSides.contains($0.first.reference) }
    if namings.count == 1 { return namings[0] }
    let properties = [pair.first.reference, pair.second.reference]
    undecided.append(
      UndecidedChoice(
        kind: .namingSide, properties: properties,
        text: "which of \(UndecidedChoice.list(properties)) names their table"))
    return pair
  }

  /// A column that would have the same name as others of its entity.
  private struct Candidate {
    let owner: JoinPair.Side
    let base: String
  }

  /// Gives names to the columns: each carries the name of the relationship whose destinations it
  /// stores.
  private mutating func nameColumns(_ pairs: [JoinPair]) {
    var order: [Name] = []
    var groups: [Name: [Candidate]] = [:]
    for pair in pairs {
      for naming in pair.namings {
        let base: Name = "Z_\(naming.first.number ?? 0)\(naming.second.upperName)"
        if groups[base] == nil { order.append(base) }
        groups[base, default: []].append(Candidate(owner: naming.first, base: base.text))
      }
    }
    for base in order {
      let group = (groups[base] ?? []).sorted {
        $0.owner.reference.property < $1.owner.reference.property
      }
      name(group)
    }
  }

  private mutating func name(_ group: [Candidate]) {
    let properties = group.map(\.owner.reference)
    let known = properties.compactMap { choices.columnSuffixes[$0] }
    let isDecided = known.count == group.count && Set(known).count == known.count
    for (position, candidate) in group.enumerated() {
      let suffix =
        group.count == 1 ? "" : isDecided ? known[position] : position == 0 ? "" : "\(position)"
      columns[candidate.owner.reference] = candidate.base + suffix
    }
    guard group.count > 1, !isDecided else { return }
    undecided.append(
      UndecidedChoice(
        kind: .columnSuffix, properties: properties,
        text: "which of the columns of \(UndecidedChoice.list(properties)) gets which number "
          + "after their common name"))
  }
}

/// The table of a pair of to-many relationships in a fresh store.
///
/// Source: store-format, section 5.5.
package struct JoinTableDesign {
  /// The pair; its first side names the table.
  let pair: JoinPair
  /// The column with the objects of the first side's entity.
  let sourceColumn: String
  /// The column with the objects of the second side's entity.
  let destinationColumn: String

  /// The column of the inverse direction of a relationship that is its own inverse.
  static let reflexive = "REFLEXIVE"

  var name: String { "Z_\(pair.first.number ?? 0)\(pair.first.upperName)" }

  /// The columns in order: the two keys, then the order in each direction.
  var columns: [String] {
    var columns = [sourceColumn, destinationColumn]
    if pair.second.isOrdered { columns.append(orderColumn(beside: sourceColumn)) }
    if pair.first.isOrdered { columns.append(orderColumn(beside: destinationColumn)) }
    return columns
  }

  private func orderColumn(beside column: String) -> String {
    "Z_FOK_" + (column == Self.reflexive ? column : column.droppingScalars(2))
  }

  var statement: SchemaStatement {
    let list = columns.map { "\($0) INTEGER" }.joined(separator: ", ")
    return SchemaStatement(
      kind: .table, name: name, tableName: name,
      sql: "CREATE TABLE \(name) ( \(list), PRIMARY KEY (\(sourceColumn), \(destinationColumn)) )")
  }

  /// The index for the opposite direction.
  var index: SchemaStatement {
    let index = "\(name)_\(destinationColumn)_INDEX"
    return SchemaStatement(
      kind: .index, name: index, tableName: name,
      sql: "CREATE INDEX \(index) ON \(name) (\(destinationColumn), \(sourceColumn))")
  }
}
