internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator

/// Values in columns where Core Data would not put them.
enum OddCells {
  /// As SQL: storage classes, numbers at the edge of what two classes can say, texts that are no UTF-8.
  private static let literals = [
    "'text'", "'5'", "''", "x'00FF'", "x''", "9007199254740993", "9007199254740992.0",
    "9223372036854775807", "-9223372036854775807 - 1", "9.3e18", "1e300", "0.1", "-0.0", "9e999",
    "-9e999", "2", "0.5", "NULL", "CAST(x'FF41' AS TEXT)", "CAST(x'410042' AS TEXT)",
    "CAST(x'C3A9' AS TEXT)", "x'E621E1F8C36C495A93FC0C247A3E6E5F'", "3.0", "1", "0",
  ]

  /// Changes a part of the values of each attribute and to-one relationship.
  static func put(into facts: PredicateFacts) throws {
    let database = try GeneratorDatabase(path: facts.path)
    try database.registerCoreDataFunctions()
    var number = 0
    for (name, entity) in facts.entities.sorted(by: { $0.key < $1.key }) {
      let properties =
        entity.attributes.map(\.name) + entity.relationships.filter { !$0.isMany }.map(\.name)
      for property in properties {
        for place in 0..<5 {
          number += 1
          // Unique values, and what a trigger refuses, stay as they are.
          try? database.run(
            """
            UPDATE OR IGNORE "Z\(facts.root(name).text.uppercased())" \
            SET "Z\(property.uppercased())" = \(literals[number * 7 % literals.count]) \
            WHERE (Z_PK + \(number)) % 9 = \(place)
            """)
        }
      }
    }
  }
}
