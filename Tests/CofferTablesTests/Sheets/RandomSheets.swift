internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A random model, random objects of it, the tables that a person could write of them, and the rows
/// that a store then has.
struct RandomSheets {
  /// A value: how a table has it, and how a store.
  private struct Value {
    var csv: String
    var json: String
    var stored: StoreValue

    static let none = Value(csv: "", json: "null", stored: .null)
  }

  private struct Entity {
    var name: Name
    var attributes: [AttributeDescription]
    /// The to-one relationships with the index of the destination, each with a to-many inverse.
    var toOnes: [(name: Name, destination: Int, isOrdered: Bool)] = []
    /// The to-many relationships with to-many inverses.
    var toManys: [(name: Name, destination: Int)] = []
    var isCSV: Bool
    var objects: [Object] = []
  }

  private struct Object {
    var code: String
    var values: [Value]
    var toOnes: [Int?]
    var toManys: [[Int]]
  }

  private var random: SeededGenerator
  private var entities: [Entity] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for name in (["Kilo", "Lima", "Mike"] as [Name]).prefix(1 + random.below(3)) {
      let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .boolean, .double, .decimal, .string, .date, .uuid,
        .binary,
      ]
      let attributes = (0..<random.below(5)).map { index in
        AttributeDescription(name: "a\(index)", type: types[random.below(types.count)])
      }
      entities.append(Entity(name: name, attributes: attributes, isCSV: random.chance(0.5)))
    }
    for index in entities.indices {
      for number in 0..<random.below(3) {
        entities[index].toOnes.append(
          ("to\(number)", random.below(entities.count), random.chance(0.5)))
      }
      // Between objects of one entity, the model would not say which side names the table.
      if entities.count > 1, random.chance(0.5) {
        let other = (index + 1 + random.below(entities.count - 1)) % entities.count
        entities[index].toManys.append(("many", other))
      }
    }
    let counts = entities.map { _ in 1 + random.below(12) }
    for index in entities.indices {
      for number in 0..<counts[index] {
        entities[index].objects.append(object(number, of: index, counts))
      }
    }
  }

  private mutating func object(_ number: Int, of index: Int, _ counts: [Int]) -> Object {
    let entity = entities[index]
    return Object(
      code: "\(entity.name) \(number)", values: entity.attributes.map { value($0.type) },
      toOnes: entity.toOnes.map { random.chance(0.3) ? nil : random.below(counts[$0.destination]) },
      toManys: entity.toManys.map { relationship in
        Array(
          Set((0..<random.below(4)).map { _ in random.below(counts[relationship.destination]) }))
      })
  }

  private mutating func value(_ type: AttributeType) -> Value {
    if random.chance(0.2) { return .none }
    switch type {
    case .integer16, .integer32, .integer64:
      let bits = type == .integer16 ? 16 : type == .integer32 ? 32 : 64
      let number = Int64(bitPattern: random.next()) >> Int64(64 - bits)
      return Value(csv: "\(number)", json: "\(number)", stored: .integer(number))
    case .boolean:
      let flag = random.chance(0.5)
      return Value(
        csv: random.chance(0.5) ? "\(flag)" : flag ? "1" : "0", json: "\(flag)", stored: .bool(flag)
      )
    case .double:
      let number = random.unit() * 1e6 - 5e5 + 0.5
      return Value(csv: "\(number)", json: "\(number)", stored: .real(number))
    case .decimal:
      let cents = Int64(random.below(100_000)) * 10 + 1
      let text = "\(cents / 1000).\("00\(cents % 1000)".suffix(3))"
      return Value(csv: text, json: "\"\(text)\"", stored: .real(Double(text) ?? 0))
    case .date:
      let day = random.below(28) + 1
      let text = "2024-02-\(day < 10 ? "0" : "")\(day)T01:00:00.5+01:00"
      return Value(
        csv: text, json: "\"\(text)\"",
        stored: .real(Double(728_438_400 + (day - 1) * 86_400) + 0.5))
    case .uuid:
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { Array(digits)[$0] }
      let text = parts.map { String($0) }.joined(separator: "-")
      return Value(csv: text, json: "\"\(text)\"", stored: .blob(bytes))
    case .binary:
      let bytes = (0..<random.below(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = Data(bytes).base64EncodedString()
      return Value(csv: text.isEmpty ? "\"\"" : text, json: "\"\(text)\"", stored: .blob(bytes))
    default:
      let text = ["a,b", "line\nbreak", "\"quoted\"", "é𝄞", "", "plain", "1"][random.below(7)]
      let json = text.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(
        of: "\n", with: "\\n")
      return Value(
        csv: "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"", json: "\"\(json)\"",
        stored: .string(text))
    }
  }

  /// The model.
  var model: ManagedObjectModel {
    var relationships = entities.map { _ in [RelationshipDescription]() }
    for (index, entity) in entities.enumerated() {
      for toOne in entity.toOnes {
        let inverse: Name = "\(entity.name.text.lowercased())\(toOne.name)"
        relationships[index].append(
          RelationshipDescription(
            name: toOne.name, destinationName: entities[toOne.destination].name,
            inverseName: inverse))
        relationships[toOne.destination].append(
          RelationshipDescription(
            name: inverse, destinationName: entity.name, inverseName: toOne.name, maxCount: 0,
            isOrdered: toOne.isOrdered))
      }
      for toMany in entity.toManys {
        let inverse: Name = "\(entity.name.text.lowercased())\(toMany.name)"
        relationships[index].append(
          RelationshipDescription(
            name: toMany.name, destinationName: entities[toMany.destination].name,
            inverseName: inverse, maxCount: 0))
        relationships[toMany.destination].append(
          RelationshipDescription(
            name: inverse, destinationName: entity.name, inverseName: toMany.name, maxCount: 0))
      }
    }
    return ManagedObjectModel(
      entities: entities.enumerated().map { index, entity in
        EntityDescription(
          name: entity.name, className: entity.name,
          attributes: entity.attributes + [
            AttributeDescription(name: "code", type: .string, isOptional: false)
          ], relationships: relationships[index], uniquenessConstraints: [["code"]])
      }, versionIdentifiers: [""], source: .modelCache)
  }

  /// The keys that the tables use to refer to objects.
  var keyNames: [Name: Name] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, "code") })
  }

  // MARK: Tables

  /// A change of one place that makes it wrong.
  struct Fault {
    /// The entity, the object and the column that are wrong.
    var entity: Int
    var object: Int
    var column: Name
    /// What stands there instead, in either format.
    var csv: String
    var json: String
  }

  /// A place that can be wrong, and what is wrong there.
  mutating func fault() -> Fault {
    let entity = random.below(entities.count)
    let object = random.below(entities[entity].objects.count)
    var faults = [Fault(entity: entity, object: object, column: "code", csv: "", json: "null")]
    func add(_ column: Name, _ csv: String, _ json: String) {
      faults.append(Fault(entity: entity, object: object, column: column, csv: csv, json: json))
    }
    for attribute in entities[entity].attributes where attribute.type != .string {
      add(attribute.name, "?x", "\"?x\"")
    }
    for toOne in entities[entity].toOnes { add(toOne.name, "nobody", "\"nobody\"") }
    for toMany in entities[entity].toManys { add(toMany.name, "nobody", "[\"nobody\"]") }
    if object > 0 {
      let first = entities[entity].objects[0].code
      add("code", first, "\"\(first)\"")
    }
    return faults[random.below(faults.count)]
  }

  /// Writes the tables.
  ///
  /// - Returns: the place of the fault, as `Kilo.csv, line 3, column code`.
  func write(to folder: (String) -> String, _ fault: Fault?) throws -> String {
    var place = ""
    for (index, entity) in entities.enumerated() {
      let names: [Name] =
        ["code"] + entity.attributes.map(\.name) + entity.toOnes.map(\.name)
        + entity.toManys.map(\.name)
      let file = "\(entity.name).\(entity.isCSV ? "csv" : "ndjson")"
      var text = entity.isCSV ? "\(names.joined(separator: ","))\r\n" : ""
      for (number, object) in entity.objects.enumerated() {
        var fields = fields(of: object, entity)
        if let fault, fault.entity == index, fault.object == number,
          let column = names.firstIndex(of: fault.column)
        {
          fields[column] = (fault.csv, fault.json)
          let line = text.utf8.count { $0 == 0x0A } + 1
          place = "\(file), line \(line), column \(fault.column)"
        }
        text +=
          entity.isCSV
          ? fields.map(\.0).joined(separator: ",") + "\r\n"
          : "{\(zip(names, fields).map { "\"\($0)\": \($1.1)" }.joined(separator: ", "))}\n"
      }
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder(file)))
    }
    return place
  }

  private func fields(of object: Object, _ entity: Entity) -> [(String, String)] {
    var fields = [(object.code, "\"\(object.code)\"")]
    fields += object.values.map { ($0.csv, $0.json) }
    for (toOne, target) in zip(entity.toOnes, object.toOnes) {
      let code = target.map { entities[toOne.destination].objects[$0].code }
      fields.append((code ?? "", code.map { "\"\($0)\"" } ?? "null"))
    }
    for (toMany, targets) in zip(entity.toManys, object.toManys) {
      let codes = targets.map { entities[toMany.destination].objects[$0].code }
      fields.append(
        (codes.joined(separator: ";"), "[\(codes.map { "\"\($0)\"" }.joined(separator: ","))]"))
    }
    return fields
  }

  // MARK: Rows

  /// The queries for what a store must have, each with the rows.
  var expectations: [(query: String, rows: [[StoreValue]])] {
    entities.flatMap { entity -> [(query: String, rows: [[StoreValue]])] in
      let table = "Z\(entity.name.text.uppercased())"
      var columns = ["ZCODE"] + entity.attributes.map { "Z\($0.name.text.uppercased())" }
      for toOne in entity.toOnes {
        let other = "Z\(entities[toOne.destination].name.text.uppercased())"
        columns.append(
          "(SELECT d.ZCODE FROM \(other) d WHERE d.Z_PK = t.Z\(toOne.name.text.uppercased()))")
      }
      let rows = entity.objects.map { object -> [StoreValue] in
        var row = [StoreValue.string(object.code)] + object.values.map(\.stored)
        for (toOne, target) in zip(entity.toOnes, object.toOnes) {
          row.append(target.map { .string(entities[toOne.destination].objects[$0].code) } ?? .null)
        }
        return row
      }
      let objects = (
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) t ORDER BY Z_PK", rows
      )
      return [objects] + orders(of: entity)
    }
  }

  /// The members of ordered relationships come in the order of their records.
  private func orders(of entity: Entity) -> [(query: String, rows: [[StoreValue]])] {
    entity.toOnes.enumerated().filter(\.element.isOrdered).map { index, toOne in
      let name = toOne.name.text.uppercased()
      let rows = entity.objects.filter { $0.toOnes[index] != nil }
        .map { [StoreValue.string($0.code)] }
      let query = """
        SELECT ZCODE FROM (SELECT ZCODE, Z_PK, Z_FOK_\(name) AS o, max(Z_FOK_\(name)) OVER (
          PARTITION BY Z\(name) ORDER BY Z_PK ROWS UNBOUNDED PRECEDING) AS h
          FROM Z\(entity.name.text.uppercased()) WHERE Z\(name) IS NOT NULL) WHERE o = h ORDER BY Z_PK
        """
      return (query, rows)
    }
  }

  /// The numbers of pairs by many-to-many relationship, in the order of the model's entities.
  var pairCounts: [(entity: Name, relationship: Name, count: Int)] {
    entities.flatMap { entity in
      entity.toManys.enumerated().map { index, toMany in
        (entity.name, toMany.name, entity.objects.reduce(0) { $0 + $1.toManys[index].count })
      }
    }
  }
}
