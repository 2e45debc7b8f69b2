internal import CoreDataModel

/// Carries the persistent history over, where what it says stays true.
///
/// A change names its object's entity by a number, and the changed properties by their positions among
/// all that are kept of the entity; a deletion keeps values in the order of the attributes (store-format,
/// section 7). Numbers can be rewritten. Positions cannot, since two rules for them are reported: so
/// nothing may be added, removed, renamed, moved or kept in another way in any entity.
struct HistoryTransfer {
  /// The statements for the tables of the history.
  let statements: [TransferStatement]

  /// Plans the transfer; nil if there is no history, or it would not stay correct.
  init?(
    _ planner: TransferPlanner, from old: SchemaCatalog, to new: SchemaCatalog
  ) {
    let names = [StoredName.changes, StoredName.transactions, StoredName.transactionStrings]
    guard Self.positionsStay(planner) else { return nil }
    var statements: [TransferStatement] = []
    for name in names {
      guard let source = old.table(name), let target = new.table(name),
        source.rowIDAlias != nil,
        source.columns.allSatisfy({ target.column($0.name) != nil && !$0.isGenerated })
      else { return nil }
      statements.append(Self.statement(source, planner))
    }
    self.statements = statements
  }

  private static func positionsStay(_ planner: TransferPlanner) -> Bool {
    for entity in planner.mapping.entities where entity.kind == .transformed {
      for property in entity.properties {
        guard !property.isAdded, !property.isRemoved else { return false }
        let isSame = property.changes.allSatisfy { change in
          switch change {
          case .renamed, .moved, .madeToMany, .madeToOne, .madeOrdered, .madeUnordered: false
          default: true
          }
        }
        guard isSame else { return false }
      }
      guard
        positionalParts(of: entity.sourceName ?? "", planner.mapping.source)
          == positionalParts(of: entity.destinationName ?? "", planner.mapping.destination)
      else { return false }
    }
    return planner.mapping.entities.allSatisfy { entity in
      guard let old = entity.sourceName, let new = entity.destinationName else { return true }
      return entityColumns(of: old, planner.mapping.source)
        == entityColumns(of: new, planner.mapping.destination)
    }
  }

  /// The properties that affect the values kept by a deletion, by level of the hierarchy.
  private static func positionalParts(
    of entity: String, _ model: ManagedObjectModel
  ) -> [[String]] {
    model.lineage(of: entity).map { level in
      level.attributes.map { "\($0.name) \($0.preservesValueInHistoryOnDeletion)" }
    }
  }

  /// The to-one relationships that have a column for the entity of their destination.
  private static func entityColumns(of entity: String, _ model: ManagedObjectModel) -> Set<
    ExactString
  > {
    model.allRelationships(of: entity)
      .filter { !$0.isToMany && !model.subentityNames(of: $0.destinationName).isEmpty }
      .map(\.name).exactStrings
  }

  private static func statement(
    _ table: SchemaTable, _ planner: TransferPlanner
  ) -> TransferStatement {
    var builder = SelectionBuilder()
    let members = planner.members(of: planner.mapping.destination.entities.map(\.name))
    let key = table.rowIDAlias ?? StoredName.primaryKey
    builder.add(key, .sql("t.\(quotedIdentifier(key))"))
    var condition = "1"
    for column in table.columns where SchemaName(column.name) != SchemaName(key) {
      guard SchemaName(column.name) == SchemaName(StoredName.changedEntity),
        SchemaName(table.name) == SchemaName(StoredName.changes)
      else {
        builder.add(
          column.name,
          .column(column.name, marker: .unchanged, mayBeLarge: true, mayBeExternal: false))
        continue
      }
      let number = "t.\(quotedIdentifier(column.name))"
      builder.add(column.name, .sql(TransferPlanner.renumbering(number, members)))
      condition = "\(number) IN (\(TransferPlanner.list(members.map(\.oldNumber))))"
    }
    return builder.statement(
      table: table.name, from: table.name, where: condition, content: .history)
  }
}
