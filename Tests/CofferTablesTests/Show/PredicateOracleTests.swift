internal import CofferKit
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferTables

/// Predicates made up at random choose the objects that a program in Python finds by itself, whether SQLite is
/// asked or each row.
@Suite struct PredicateOracleTests {
  /// How many predicates are asked.
  private static let count = Effort.tries(300)
  private static let python = ProcessRunner.find("python3")
  /// Real stores with relationships of every kind; all of them where more predicates are asked for.
  private static let names = [
    "XCServerCoreData_1.2.0.sqlite", "challenges.store", "NoteStore-macOS-14-Sonoma.sqlite",
  ]

  @Test(.enabled(if: python != nil, "needs python3"))
  func predicatesChooseWhatAnotherProgramChooses() throws {
    let folder = try TemporaryDirectory()
    let generated = folder.file("Generated.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 150
    options.externalCount = 1
    try StoreMaker.write(to: generated, options)
    let chosen =
      Self.count > 300 ? RealStores.all : Self.names.compactMap { RealStores.named($0) }
    var paths = [generated]
    let places = try chosen.map { _ in try TemporaryDirectory() }
    for (store, place) in zip(chosen, places) {
      paths.append(try RealStores.copy(store, to: place))
    }
    // Copies in which values are not what their columns say.
    let oddPlaces = try paths.map { _ in try TemporaryDirectory() }
    for (path, place) in zip(paths, oddPlaces.prefix(Self.count > 300 ? paths.count : 2)) {
      let copy = place.file("Odd.sqlite")
      guard try trial(path) != nil else { continue }
      try GeneratorDatabase(path: path).run("VACUUM INTO '\(copy)'")
      let model = try PersistentStore(readingFrom: path).model
      try OddCells.put(into: PredicateFacts(copy, model))
      paths.append(copy)
    }
    defer { withExtendedLifetime((places, oddPlaces)) {} }
    var (answers, mixed, asked, exact) = (0, 0, 0, 0)
    let trials = try paths.compactMap { try trial($0) }
    for (number, trial) in trials.enumerated() {
      let share = Self.count / trials.count + (number < Self.count % trials.count ? 1 : 0)
      let result = try compare(trial, share, seed: UInt64(number) + 7)
      answers += result.answers
      mixed += result.mixed
      asked += result.asked
      exact += result.exact
    }
    #expect(answers == Self.count)
    #expect(mixed * 8 > answers, "most predicates choose none or all: \(mixed) of \(answers)")
    #expect(asked * 4 > answers, "SQLite is asked about few predicates: \(asked) of \(answers)")
    #expect(exact * 8 > answers, "SQLite can tell few predicates: \(exact) of \(answers)")
  }

  /// The facts of a store that can be asked; nil for one without a model or objects.
  private func trial(_ path: String) throws -> PredicateFacts? {
    guard let store = try? PersistentStore(readingFrom: path), store.model.source != .inferred,
      let facts = try? PredicateFacts(path, store.model), !facts.names.isEmpty
    else { return nil }
    return facts
  }

  private func compare(
    _ facts: PredicateFacts, _ count: Int, seed: UInt64
  ) throws -> (answers: Int, mixed: Int, asked: Int, exact: Int) {
    var random = RandomPredicate(facts, seed: seed)
    let names = facts.names
    let queries = (0..<count).map { number in
      let entity = names[number % names.count]
      let predicate = random.predicate(of: entity)
      return (entity: entity, text: predicate.text, tree: predicate.tree)
    }
    let question: [String: Any] = [
      "path": facts.path, "entities": facts.json,
      "queries": queries.map { ["entity": $0.entity.text, "tree": $0.tree] as [String: Any] },
    ]
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("evaluate-predicates.py").path
    let python = ProcessRunner(try #require(Self.python))
    let judged = try python.run(
      [script], input: Array(try JSONSerialization.data(withJSONObject: question)))
    #expect(judged.status == 0, "\(judged.errorOutput)")
    guard judged.status == 0 else { return (0, 0, 0, 0) }
    let expected = try JSONDecoder().decode([[Int64]].self, from: Data(judged.output.utf8))
    let found = try SourceOpening(WorkEnvironment(storeAccess: .inPlace))
      .open(facts.path, for: Asking(queries: queries.map { ($0.entity, $0.text) }))
    var (mixed, asked, exact) = (0, 0, 0)
    for (number, query) in queries.enumerated() {
      #expect(
        found.keys[number] == expected[number],
        "\(facts.path.suffix(40)) \(query.entity): \(query.text) \(found.errors[number])")
      if let paths = found.paths[number] {
        let text = paths.contradiction ?? ""
        #expect(text.isEmpty, "\(facts.path.suffix(40)) \(query.entity): \(query.text)")
        #expect(paths.rows == expected[number], "\(query.text)")
        if paths.left != nil { asked += 1 }
        if paths.isExact { exact += 1 }
      }
      let count = found.keys[number].count
      if count > 0, count < found.totals[number] { mixed += 1 }
    }
    return (queries.count, mixed, asked, exact)
  }

  private struct Asking: SourceUse {
    let queries: [(entity: Name, text: String)]

    func use(
      _ source: some RowSource
    ) throws -> (
      keys: [[Int64]], totals: [Int], errors: [String], paths: [ConditionPaths?]
    ) {
      var totals: [String: Int] = [:]
      var paths: [ConditionPaths?] = []
      var (keys, counts, errors): ([[Int64]], [Int], [String]) = ([], [], [])
      for query in queries {
        var found: [Int64] = []
        let asked = ObjectQuery(entityName: query.entity, condition: query.text)
        do {
          _ = try BrowserRun(source, asked).complete { found.append($0.id.primaryKey) }
          errors.append("")
        } catch let error as CofferError {
          errors.append("\(error)")
          found = [-1]
        }
        let total =
          try totals[query.entity.text]
          ?? BrowserRun(source, ObjectQuery(entityName: query.entity)).complete { _ in }
        totals[query.entity.text] = total
        keys.append(found)
        counts.append(total)
        paths.append(try (source as? StoreRowSource).map { try ConditionPaths(asked, in: $0) })
      }
      return (keys, counts, errors, paths)
    }
  }
}
