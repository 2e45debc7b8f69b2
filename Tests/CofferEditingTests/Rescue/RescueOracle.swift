internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// Compares a rescued store with the sound one: the report must list every difference.
struct RescueOracle {
  let trial: RescueTrial

  /// A property of an object that the report speaks of.
  private struct Told: Hashable {
    var table: String
    var key: Int64
    var property: Name
  }

  /// What is not as it should be, in words.
  func problems() throws -> [String] {
    let told = try told()
    let isRepaired = !trial.summary.repair.repairs.isEmpty
    let new = try GeneratorDatabase(path: trial.new)
    var problems: [String] = []
    for table in try Self.tables(of: trial.twin)
    where try Self.tables(of: trial.new).contains(table) {
      let columns = try new.rows("SELECT name FROM pragma_table_info('\(table)')")
        .compactMap { Self.text($0[0]) }
      let all = try SalvagedStore.rows(of: table, in: trial.twin)
      let left = try SalvagedStore.rows(of: table, in: trial.new)
      if table.hasPrefix("Z_") {
        if !Set(left.values).isSubset(of: Set(all.values)) {
          problems.append("\(table): new pairs")
        }
        continue
      }
      let doubtful = StoreSalvageOracle.doubtfulRows(of: table, trial.map, trial.damage)
      for (key, values) in left where !doubtful.contains(key) {
        guard let expected = all[key] else {
          problems.append("\(table): row \(key) is invented")
          continue
        }
        for (column, pair) in zip(columns, zip(values, expected)) where pair.0 != pair.1 {
          let isNamed = told.contains {
            $0.table == table && $0.key == key && column.lowercased().contains($0.property.text)
          }
          // A repair raises the version at both ends of a relationship.
          if isNamed || isRepaired && column == "Z_OPT" { continue }
          problems.append("\(table): row \(key) differs in \(column)")
        }
      }
    }
    return problems
  }

  /// The properties that were lost or repaired.
  private func told() throws -> Set<Told> {
    let model = try PersistentStore(readingFrom: trial.twin).model
    func table(_ entity: Name) -> String {
      "Z" + (model.root(of: entity)?.name ?? entity).text.uppercased()
    }
    var told: Set<Told> = []
    for lost in trial.summary.lostTables {
      guard let entity = lost.entityName else { continue }
      for value in lost.values {
        told.insert(
          Told(
            table: table(entity), key: value.key, property: Name(value.property.text.lowercased())))
      }
    }
    for repair in trial.summary.repair.repairs {
      guard let object = repair.finding.objectID else { continue }
      let property = repair.finding.propertyName?.text.split(separator: ".").last ?? "z_opt"
      told.insert(
        Told(
          table: table(object.entityName), key: object.primaryKey,
          property: Name(property.lowercased())))
    }
    return told
  }

  /// The tables of objects and pairs; the system tables are recreated, and the history grows.
  private static func tables(of path: String) throws -> [String] {
    let administration: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    return try GeneratorDatabase(path: path)
      .rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'")
      .compactMap { text($0[0]) }
      .filter { !administration.contains($0) && !$0.hasPrefix("Z_RT_") }
  }

  static func text(_ value: StoreValue) -> String? {
    if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}
