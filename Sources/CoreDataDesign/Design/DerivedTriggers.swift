internal import CoreDataModel
internal import CoreDataStore

/// The triggers that keep a derived attribute.
///
/// They call functions that only Core Data registers. Known are two forms: the value of the
/// destination of a to-one relationship, and the number of the destinations of a one-to-many
/// relationship, both from one root entity to another. Source: store-format, section 5.8.
struct DerivedTriggers {
  private let model: ManagedObjectModel
  private let columns: DesignColumns
  private let entity: Name
  private let attribute: Name
  /// The table and the column of the attribute.
  private let source: String
  private let target: String

  init(
    _ attribute: Name, of entity: Name, table: String, column: String,
    model: ManagedObjectModel, columns: DesignColumns
  ) {
    self.model = model
    self.columns = columns
    self.entity = entity
    self.attribute = attribute
    source = table
    target = column
  }

  /// The triggers; nil for a form whose text no store has shown.
  func statements(_ derivation: Derivation) -> [SchemaStatement]? {
    guard derivation.filteringPredicate == nil, model[entity]?.superentityName == nil else {
      return nil
    }
    switch derivation.expression {
    case .keyPath(nil, let path): return copying(Name.path(path))
    case .function(_, "count:", let arguments):
      guard arguments.count == 1, case .keyPath(nil, let path) = arguments[0] else { return nil }
      return counting(Name(path))
    default: return nil
    }
  }

  /// Copies a value of the destination of a to-one relationship.
  private func copying(_ path: [Name]) -> [SchemaStatement]? {
    guard path.count == 2,
      let relationship = model.relationship(path[0], of: entity)?.relationship,
      !relationship.isToMany,
      let toOne = columns.column(of: entity, path: path[0]),
      let destination = model[relationship.destinationName], destination.superentityName == nil,
      let value = columns.column(of: destination.name, path: path[1])
    else { return nil }
    let parameter = EntityTable.name(ofRoot: destination.name)
    let fromSource =
      "UPDATE \(source) SET \(target) = (SELECT \(value) FROM \(parameter) WHERE "
      + "Z_PK = NEW.\(toOne)) WHERE Z_PK = NEW.Z_PK;"
    let fromParameter = "UPDATE \(source) SET \(target) = NEW.\(value) WHERE \(toOne) = NEW.Z_PK;"
    let own = "Z_PK = NEW.Z_PK"
    let other = "\(toOne) = NEW.Z_PK"
    return [
      trigger(
        on: source, kind: "SOURCE_INSERT", after: "INSERT",
        body: fromSource + notice("InsertUpdated", own)),
      trigger(
        on: source, kind: "SOURCE_UPDATE", after: "UPDATE OF \(toOne)",
        body: fromSource + notice("Updated", own)),
      trigger(
        on: parameter, kind: "PARAMETER_INSERT", after: "INSERT",
        body: fromParameter + notice("InsertUpdated", other)),
      trigger(
        on: parameter, kind: "PARAMETER_UPDATE", after: "UPDATE OF \(value)",
        body: fromParameter + notice("Updated", other)),
    ]
  }

  /// Counts the destinations of a one-to-many relationship.
  private func counting(_ name: Name) -> [SchemaStatement]? {
    guard let relationship = model.relationship(name, of: entity)?.relationship,
      relationship.isToMany, let inverse = model.inverse(of: relationship),
      !inverse.relationship.isToMany,
      model[inverse.declaredBy]?.superentityName == nil,
      let toOne = columns.column(declaredBy: inverse.declaredBy, path: inverse.relationship.name)
    else { return nil }
    let parameter = EntityTable.name(ofRoot: inverse.declaredBy)
    func counter(_ kind: String, _ event: String, _ row: String, _ value: String) -> SchemaStatement
    {
      trigger(
        on: parameter, kind: "PARAMETER_\(kind)", after: event,
        when: " WHEN (\(row).\(toOne) NOT NULL)",
        body: "UPDATE \(source) SET \(target) = \(value) WHERE Z_PK = \(row).\(toOne);"
          + notice("Updated", "Z_PK = \(row).\(toOne)"))
    }
    let update = "UPDATE OF \(toOne)"
    let count =
      "UPDATE \(source) SET \(target) = (SELECT IFNULL(COUNT(\(toOne)), 0) FROM \(parameter) "
      + "WHERE \(toOne) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK;"
    return [
      counter("INSERT", "INSERT", "NEW", "IFNULL(\(target), 0) + 1"),
      counter("UPDATE_INCREMENT", update, "NEW", "\(target) + 1"),
      counter("UPDATE_DECREMENT", update, "OLD", "\(target) - 1"),
      counter("DELETE", "DELETE", "OLD", "\(target) - 1"),
      trigger(
        on: source, kind: "SOURCE_INSERT", after: "INSERT",
        body: count + notice("InsertUpdated", "Z_PK = NEW.Z_PK")),
    ]
  }

  private func trigger(
    on table: String, kind: String, after event: String, when condition: String = "",
    body: String
  ) -> SchemaStatement {
    let name = "Z_DA_\(table)_\(entity)_\(attribute)_\(kind)"
    return SchemaStatement(
      kind: .trigger, name: name, tableName: table,
      sql: "CREATE TRIGGER \(name) AFTER \(event) ON \(table) FOR EACH ROW\(condition) BEGIN "
        + "\(body) END")
  }

  /// Informs Core Data which rows were changed.
  private func notice(_ function: String, _ condition: String) -> String {
    " SELECT NSCoreDataDATrigger\(function)AffectedObjectValue('\(source)', Z_ENT, Z_PK, "
      + "'\(attribute)', \(target)) FROM \(source) WHERE \(condition);"
  }
}
