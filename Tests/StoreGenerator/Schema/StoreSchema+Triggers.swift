internal import CoreDataModel

extension StoreSchema {
  /// The statements that create the triggers of derived attributes (store-format, section 5.8).
  ///
  /// They call functions that only Core Data registers: see
  /// ``GeneratorDatabase/registerCoreDataFunctions()``.
  package var triggerStatements: [String] {
    entitiesInOrder.flatMap { entity in
      entity.attributes.flatMap { attribute -> [String] in
        switch attribute.derivation?.expression {
        case .keyPath(_, let path): copyTriggers(entity.name, attribute.name, path)
        case .function(_, "count:", let arguments):
          if case .keyPath(_, let toMany)? = arguments.first {
            countTriggers(entity.name, attribute.name, Name(toMany))
          } else {
            []
          }
        default: []
        }
      }
    }
  }

  /// Triggers that copy a value of the destination of a to-one relationship.
  private func copyTriggers(_ entity: Name, _ attribute: Name, _ path: String) -> [String] {
    let parts = Name.path(path)
    guard parts.count == 2, let target = column(entity, attribute),
      let toOne = column(entity, parts[0]), let source = try? table(of: entity).name,
      let destination = model.relationship(parts[0], of: entity)?.relationship.destinationName,
      let parameter = try? table(of: destination).name, let value = column(destination, parts[1])
    else { return [] }
    func trigger(_ table: String, _ kind: String, _ event: String, _ body: String) -> String {
      "CREATE TRIGGER Z_DA_\(table)_\(entity)_\(attribute)_\(kind) AFTER \(event) ON \(table) "
        + "FOR EACH ROW BEGIN \(body) END"
    }
    func notify(_ function: String, _ condition: String) -> String {
      " SELECT NSCoreDataDATrigger\(function)AffectedObjectValue('\(source)', Z_ENT, Z_PK, "
        + "'\(attribute)', \(target)) FROM \(source) WHERE \(condition);"
    }
    let fromSource =
      "UPDATE \(source) SET \(target) = (SELECT \(value) FROM \(parameter) WHERE "
      + "Z_PK = NEW.\(toOne)) WHERE Z_PK = NEW.Z_PK;"
    let fromParameter =
      "UPDATE \(source) SET \(target) = NEW.\(value) WHERE \(toOne) = NEW.Z_PK;"
    let own = "Z_PK = NEW.Z_PK"
    let other = "\(toOne) = NEW.Z_PK"
    return [
      trigger(source, "SOURCE_INSERT", "INSERT", fromSource + notify("InsertUpdated", own)),
      trigger(
        source, "SOURCE_UPDATE", "UPDATE OF \(toOne)", fromSource + notify("Updated", own)),
      trigger(
        parameter, "PARAMETER_INSERT", "INSERT", fromParameter + notify("InsertUpdated", other)),
      trigger(
        parameter, "PARAMETER_UPDATE", "UPDATE OF \(value)",
        fromParameter + notify("Updated", other)),
    ]
  }

  /// Triggers that count the destinations of a one-to-many relationship.
  private func countTriggers(_ entity: Name, _ attribute: Name, _ toMany: Name) -> [String] {
    guard let target = column(entity, attribute), let source = try? table(of: entity).name,
      let relationship = model.relationship(toMany, of: entity)?.relationship,
      let inverse = model.inverse(of: relationship),
      let toOne = column(inverse.declaredBy, inverse.relationship.name),
      let parameter = try? table(of: inverse.declaredBy).name
    else { return [] }
    func trigger(_ kind: String, _ event: String, _ row: String, _ value: String) -> String {
      "CREATE TRIGGER Z_DA_\(parameter)_\(entity)_\(attribute)_PARAMETER_\(kind) AFTER \(event) "
        + "ON \(parameter) FOR EACH ROW WHEN (\(row).\(toOne) NOT NULL) BEGIN UPDATE \(source) "
        + "SET \(target) = \(value) WHERE Z_PK = \(row).\(toOne);"
        + notify("Updated", "\(row).\(toOne)") + " END"
    }
    func notify(_ function: String, _ key: String) -> String {
      " SELECT NSCoreDataDATrigger\(function)AffectedObjectValue('\(source)', Z_ENT, Z_PK, "
        + "'\(attribute)', \(target)) FROM \(source) WHERE Z_PK = \(key);"
    }
    let update = "UPDATE OF \(toOne)"
    return [
      trigger("INSERT", "INSERT", "NEW", "IFNULL(\(target), 0) + 1"),
      trigger("UPDATE_INCREMENT", update, "NEW", "\(target) + 1"),
      trigger("UPDATE_DECREMENT", update, "OLD", "\(target) - 1"),
      trigger("DELETE", "DELETE", "OLD", "\(target) - 1"),
      "CREATE TRIGGER Z_DA_\(source)_\(entity)_\(attribute)_SOURCE_INSERT AFTER INSERT ON "
        + "\(source) FOR EACH ROW BEGIN UPDATE \(source) SET \(target) = (SELECT "
        + "IFNULL(COUNT(\(toOne)), 0) FROM \(parameter) WHERE \(toOne) = NEW.Z_PK) WHERE "
        + "Z_PK = NEW.Z_PK;" + notify("InsertUpdated", "NEW.Z_PK") + " END",
    ]
  }
}
