internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The objects that are added in graphs with cycles, against a closure that follows all relationships until
/// nothing changes.
///
/// 25 random graphs are tried (``Effort``).
@Suite struct AnonymizationClosureTests {
  private typealias Object = CyclicGraph.Object

  private static let count: UInt64 = Effort.tries(25)
  private static let seed: UInt64 = Effort.seed()

  @Test func whatComesAlongIsWhatTheRelationshipsReach() throws {
    print("AnonymizationClosureTests: \(Self.count) graphs from seed \(Self.seed)")
    let folder = try TemporaryDirectory()
    let empty = try MergeState.createEmptyStore(in: folder, CyclicModel.text)
    for seed in Self.seed..<Self.seed + Self.count {
      let problems = try Self.problems(
        seed, StoreFiles(empty).copy(to: folder.file("\(seed).sqlite")))
      #expect(problems == [], "seed \(seed)")
    }
  }

  /// Writes a graph, shares a part of it, and reports differences.
  private static func problems(_ seed: UInt64, _ source: String) throws -> [String] {
    let graph = CyclicGraph.random(seed: seed)
    try graph.write(to: source)
    let written = try CyclicGraph(readingFrom: source)
    guard written.edges == graph.edges, try findings(source) == [] else {
      return ["the source is not what it should be: \(try findings(source))"]
    }
    var random = SeededGenerator(seed: seed ^ 0xC1C)
    let options = options(for: graph, &random)
    var reasons: [AnonymizedObject] = []
    let target = source + "-share"
    let summary = try StoreAnonymizer(options: options).anonymize(source, to: target) {
      reasons.append($0)
    }
    let result = try CyclicGraph(readingFrom: target)
    let judge = Judge(
      graph: graph, options: options, chosen: Set(reasons.filter { $0.from == nil }.map(object)),
      result: result)
    var problems = judge.problemsOfSelection() + judge.problems(of: reasons)
    problems += judge.problems(of: summary)
    let part = graph.part(Set(result.objects.keys))
    if result.objects != part.objects { problems.append("other entities") }
    if result.edges != part.edges { problems.append("other relationships") }
    let found = try findings(target)
    if !found.isEmpty { problems.append("findings: \(found)") }
    return problems
  }

  /// The findings, but that the model was compiled by coffer, not by Xcode.
  private static func findings(_ path: String) throws -> [String] {
    try AnonymizationTrial.findings(path).keys.map(\.text).filter { $0 != "no-version-hashes" }
      .sorted()
  }

  private static func options(
    for graph: CyclicGraph, _ random: inout SeededGenerator
  ) -> AnonymizationOptions {
    var options = AnonymizationOptions()
    var fewest = 0
    if random.chance(0.4) {
      let entities = CyclicModel.roots + ["Leaf"]
      let entity = random.chance(0.5) ? "Node" : entities[random.below(entities.count)]
      options.selection = ObjectSelection(entityNames: [Name(entity)])
      if random.chance(0.5) { options.sampleCount = 1 + random.below(4) }
      options.seed = random.next()
      fewest = options.sampleCount ?? graph.objects(of: CyclicModel.root(Name(entity)).text).count
    } else {
      let all = graph.all
      options.objects = (0...random.below(3)).map { _ in
        let object = all[random.below(all.count)]
        return ManagedObjectID(entityName: Name(object.root), primaryKey: object.key)
      }
    }
    options.closure = AnonymizationOptions.Closure.allCases[random.below(3)]
    func some(_ probability: Double) -> [Name] {
      CyclicModel.relations.map { Name($0.fullName) }.filter { _ in random.chance(probability) }
    }
    options.followed = some(options.closure == .all ? 0 : 0.15)
    options.stopped = some([0, 0.1, 0.4][random.below(3)])
    if random.chance(0.4) {
      // If many objects are chosen, a few more may be added.
      options.limit = fewest + random.below(graph.objects.count - fewest + 2)
    }
    return options
  }

  private static func object(_ reason: AnonymizedObject) -> CyclicGraph.Object { object(reason.id) }

  private static func object(_ id: ManagedObjectID) -> CyclicGraph.Object {
    Object(root: CyclicModel.root(id.entityName).text, key: id.primaryKey)
  }

  /// What a share must be, by the values of the source alone.
  private struct Judge {
    let graph: CyclicGraph
    let options: AnonymizationOptions
    let chosen: Set<Object>
    let result: CyclicGraph

    private var shared: Set<Object> { Set(result.objects.keys) }

    /// The relationships whose destinations an object cannot be without.
    private let required = Set(
      CyclicModel.relations.filter { $0.isRequired || $0.traits.contains("minCount") }
        .map(\.fullName))

    /// All relationships that are followed.
    private var followed: Set<String> {
      let extent = CyclicModel.relations.filter { relation in
        switch options.closure {
        case .required: false
        case .toOne: !relation.isToMany
        case .all: true
        }
      }
      return Set(extent.map(\.fullName)).union(options.followed.map(\.text))
        .subtracting(options.stopped.map(\.text))
        .union(required)
    }

    func problemsOfSelection() -> [String] {
      var named = Set(options.objects.map(AnonymizationClosureTests.object))
      if options.sampleCount == nil, let selection = options.selection {
        let roots = selection.entityNames
        named = Set(
          graph.objects.filter { roots.contains(Name($1)) || roots.contains(Name($0.root)) }.keys)
      }
      if !named.isEmpty, chosen != named { return ["chosen are \(chosen), not \(named)"] }
      let reached = graph.reached(from: chosen, by: followed)
      guard let limit = options.limit, reached.count > limit else {
        return shared == reached ? [] : differences(from: reached)
      }
      let needed = graph.reached(from: shared, by: required)
      var problems = shared == needed ? [] : differences(from: needed)
      if !shared.isSubset(of: reached) { problems.append("more than is followed") }
      if shared.count < limit { problems.append("\(shared.count) objects, though \(limit) may be") }
      return problems
    }

    private func differences(from expected: Set<Object>) -> [String] {
      [
        "missing \(expected.subtracting(shared)), too many \(shared.subtracting(expected)), "
          + "\(options.closure) \(options.followed) \(options.stopped) \(String(describing: options.limit))"
      ]
    }

    /// Each object has one reason, which is true and leads to a chosen one; what is not required came
    /// while there was room.
    func problems(of reasons: [AnonymizedObject]) -> [String] {
      var problems: [String] = []
      let objects = reasons.map(AnonymizationClosureTests.object)
      if objects.count != shared.count || Set(objects) != shared {
        problems.append("reasons of other objects")
      }
      var ways: Set<CyclicGraph.Edge> = []
      for (object, reason) in zip(objects, reasons) {
        guard let relation = reason.relationship, let from = reason.from else { continue }
        let edge = CyclicGraph.Edge(
          relation: relation.text, start: AnonymizationClosureTests.object(from), end: object)
        if !graph.edges.contains(edge) || !followed.contains(relation.text) {
          problems.append("a wrong reason, \(edge)")
        }
        ways.insert(edge)
      }
      let explained = CyclicGraph(objects: graph.objects, edges: ways)
        .reached(from: chosen, by: followed)
      if explained != shared { problems.append("reasons that lead nowhere") }
      let optional = ways.filter { !required.contains($0.relation) }.count
      if let limit = options.limit, optional > max(0, limit - chosen.count) {
        problems.append("\(optional) objects that nothing requires, beyond \(limit)")
      }
      return problems
    }

    /// Losses are counted on the side of the lost objects.
    func problems(of summary: AnonymizationSummary) -> [String] {
      var lost: [String: Int] = [:]
      for edge in graph.edges where shared.contains(edge.start) && !shared.contains(edge.end) {
        lost[edge.relation, default: 0] += 1
      }
      let told = Dictionary(
        uniqueKeysWithValues: summary.cuts.map {
          ("\($0.entityName).\($0.relationshipName)", $0.count)
        })
      var problems: [String] = []
      if told != lost { problems.append("cuts \(told), not \(lost)") }
      let counts = summary.selection
      if counts.unsetCount != lost.values.reduce(0, +) {
        problems.append("\(counts.unsetCount) were unset")
      }
      if counts.selectedCount != chosen.count || counts.neededCount != shared.count - chosen.count
        || counts.omittedCount != graph.objects.count - shared.count
      {
        problems.append("counts \(counts)")
      }
      return problems
    }
  }
}
