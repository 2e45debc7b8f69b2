internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Attributes of mapping models that are calculated.
@Suite struct MappingCalculationTests {
  /// Persons with a boss, who is a person too.
  private static let old = ManagedObjectModel(
    entities: [
      EntityDescription(
        "Person",
        [
          ("age", .integer16), ("born", .date), ("isOn", .boolean), ("name", .string),
          ("price", .decimal), ("score", .double),
        ],
        [
          RelationshipDescription(
            name: "boss", destinationName: "Person", inverseName: "staff"),
          RelationshipDescription(
            name: "staff", destinationName: "Person", inverseName: "boss", maxCount: 0),
        ])
    ], versionIdentifiers: [""], source: .modelCache)

  private static func fill(_ builder: SampleStoreBuilder) throws {
    for (number, name) in ["Ada", "Stra\u{DF}e", "", "d\u{E9}j\u{E0} vu"].enumerated() {
      try builder.insert(
        "Person",
        [
          "name": .string(name), "age": .integer(Int64(number * 17 - 20)), "price": 1.5,
          "isOn": .bool(number % 2 == 0), "score": .real(Double(number) * 1.75 - 2), "born": 7,
        ])
    }
    try builder.link("Person", "staff", from: 1, to: [1, 2, 3])
    try builder.link("Person", "staff", from: 3, to: [4])
  }

  /// Migrates with an expression for each attribute of the new entity.
  private func trial(
    _ attributes: [(name: String, type: AttributeType, expression: ModelExpression)]
  ) throws -> (MigrationTrial, MigrationOptions) {
    let new = ManagedObjectModel(
      entities: [EntityDescription("Thing", attributes.map { (Name($0.name), $0.type) })],
      versionIdentifiers: [""], source: .modelCache)
    let trial = try MigrationTrial(from: Self.old, to: new, Self.fill)
    let path = trial.folder.file("Map.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let file = MappingFile(
      source: Self.old, destination: new,
      entities: [
        .init(
          source: "Person", destination: "Thing",
          attributes: attributes.map { ($0.name, $0.expression) })
      ])
    try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
    var options = MigrationOptions()
    options.mapping = path
    return (trial, options)
  }

  private static func call(_ name: String, _ arguments: ModelExpression...) -> ModelExpression {
    .function(operand: nil, name: name, arguments: arguments)
  }

  @Test func valuesAreCalculated() throws {
    let next = Self.call("add:to:", .source("age"), .constant(.integer(1)))
    let (trial, options) = try trial([
      ("a", .integer16, next),
      ("b", .double, Self.call("divide:by:", .source("score"), .constant(.integer(2)))),
      ("c", .string, Self.call("uppercase:", .source("boss.name"))),
      (
        "d", .integer32,
        Self.call("from:subtract:", .source("staff.@count"), .source("boss.staff.@count"))
      ),
      ("e", .double, Self.call("multiply:by:", .source("boss.boss.age"), .constant(.real(0.5)))),
      ("f", .integer64, Self.call("bitwiseAnd:with:", .source("age"), .constant(.integer(12)))),
    ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT Z_PK, ZA, ZB, ZC, ZD, ZE, ZF FROM ZTHING ORDER BY 1") == [
        "1|-19|-1.0|ADA|0|-10.0|12", "2|-2|-0.125|ADA|-3|-10.0|12", "3|15|0.75|ADA|-2|-10.0|12",
        "4|32|1.625||-1|-10.0|12",
      ])
  }

  @Test(
    arguments: [
      (call("divide:by:", .source("age"), .constant(.integer(2))), "not-supported"),
      (call("add:to:", .source("price"), .constant(.integer(2))), "not-supported"),
      (call("add:to:", .source("born"), .constant(.integer(2))), "not-supported"),
      (call("modulus:by:", .source("age"), .constant(.integer(2))), "not-supported"),
      (call("leftshift:by:", .source("age"), .constant(.integer(2))), "not-supported"),
      (call("uppercase:", .source("age")), "not-supported"),
      (call("abs:", .source("staff.age")), "not-supported"),
      (call("abs:", .source("staff.@sum.age")), "not-supported"),
      (call("abs:", .source("gone")), "not-supported"),
      (call("abs:", .variable("source")), "not-supported"),
      (call("abs:", call("random")), "not-supported"),
      (call("lowercase:", .source("name")), "changed-type"),
    ] as [(ModelExpression, String)])
  func whatAppleDoesNotDocumentIsRefused(_ expression: ModelExpression, _ code: String) throws {
    let (trial, options) = try trial([("a", .double, expression)])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map { "\($0.place) \($0.code.text)" } == ["Thing.a \(code)"])
  }

  @Test(arguments: [
    (call("ln:", .source("age")), "Person/p1: the expression of a has no value"),
    (call("add:to:", .source("boss.age"), .constant(.integer(1))), "Person/p4"),
  ])
  func anObjectWithoutAValuePreventsTheMigration(
    _ expression: ModelExpression, _ reason: String
  ) throws {
    var (trial, options) = try trial([("a", .double, expression)])
    try GeneratorDatabase(path: trial.old).run("UPDATE ZPERSON SET ZBOSS = NULL WHERE Z_PK = 4")
    options.allowsLoss = true
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map(\.code.text) == ["unmet-condition"])
    #expect(error?.problems.first?.sentence.contains(reason) == true, "\(error?.problems ?? [])")
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  // MARK: Random expressions

  /// Expressions made up at random, all of which have a value for every object.
  private struct RandomCalculation {
    var random: SeededGenerator

    mutating func integer(_ depth: Int) -> ModelExpression {
      guard depth > 0 else {
        return [
          .constant(.integer(Int64(random.below(9)) - 3)), .source("age"), .source("boss.age"),
          .source("isOn"), .source("staff.@count"),
        ][random.below(5)]
      }
      let (left, right) = (integer(depth - 1), integer(random.below(depth)))
      switch random.below(9) {
      case 0: return call("abs:", left)
      case 1: return call("onesComplement:", left)
      case 2: return call("raise:toPower:", left, .constant(.integer(Int64(random.below(3)))))
      case 3: return call("bitwiseAnd:with:", left, right)
      case 4: return call("bitwiseOr:with:", left, right)
      case 5: return call("bitwiseXor:with:", left, right)
      case 6: return call("multiply:by:", left, .constant(.integer(Int64(random.below(9)) - 3)))
      case 7: return call("from:subtract:", left, right)
      default: return call("add:to:", left, right)
      }
    }

    mutating func double(_ depth: Int) -> ModelExpression {
      guard depth > 0 else {
        return [.constant(.real(Double(random.below(9)) / 4 - 0.9)), .source("score")][
          random.below(2)]
      }
      let left = double(depth - 1)
      let right = random.chance(0.4) ? integer(depth - 1) : double(random.below(depth))
      switch random.below(9) {
      case 0: return call("sqrt:", call("abs:", left))
      case 1:
        return call(
          ["ln:", "log:"][random.below(2)],
          call("add:to:", call("abs:", left), .constant(.real(0.5)))
        )
      case 2: return call(["ceiling:", "floor:", "trunc:"][random.below(3)], left)
      case 3: return call("divide:by:", right, .constant(.real(2.5)))
      case 4: return call("multiply:by:", left, right)
      case 5: return call("from:subtract:", right, left)
      case 6: return call("exp:", call("divide:by:", left, .constant(.real(1e9))))
      default: return call("add:to:", left, right)
      }
    }

    mutating func text() -> ModelExpression {
      let name = random.chance(0.5) ? "name" : "boss.name"
      return call(random.chance(0.5) ? "uppercase:" : "lowercase:", .source(name))
    }

    private func call(_ name: String, _ arguments: ModelExpression...) -> ModelExpression {
      .function(operand: nil, name: name, arguments: arguments)
    }
  }

  @Test(.enabled(if: MappingOracle.isAvailable, "needs the oracles"))
  func randomCalculationsGiveWhatTheOracleGives() throws {
    for seed in Effort.seed(1)..<Effort.seed(1) + Effort.tries(4 as UInt64) {
      var made = RandomCalculation(random: SeededGenerator(seed: seed))
      var attributes: [(name: String, type: AttributeType, expression: ModelExpression)] = []
      for number in 0..<10 {
        attributes.append(("i\(number)", .integer64, made.integer(3)))
        attributes.append(("d\(number)", .double, made.double(4)))
        attributes.append(("t\(number)", .string, made.text()))
      }
      let (trial, options) = try trial(attributes)
      try trial.migrate(options)
      let result = try MappingOracle.compare(
        trial.old, trial.new, mapping: #require(options.mapping))
      #expect(result.status == 0, "seed \(seed): \(result.output)\(result.errorOutput)")
      #expect(result.output.contains("compared 4 objects"), "\(result.output)")
    }
  }
}
