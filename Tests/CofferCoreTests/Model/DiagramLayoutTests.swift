internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

/// Where things stand in a drawing.
@Suite struct DiagramLayoutTests {
  @Test(arguments: [1, 2, 3, 5, 8, 13, 30, 60, 100])
  func boxesDoNotOverlapAndLinesEndAtTheirBoxes(_ count: Int) {
    for model in [ModelSamples.made(count), Self.star(count), Self.tree(count)] {
      check(ModelDiagram(model), "\(count)")
    }
  }

  /// With inverses and without, of every cardinality, to the same entity, and inherited.
  @Test func randomModelsAreInOrder() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("DiagramLayoutTests: seed \(seed)")
    var random = SeededRandom(seed)
    for round in 0..<40 {
      let model = Self.random(1 + random.below(14), &random)
      check(ModelDiagram(model), "seed \(seed), round \(round)")
    }
  }

  @Test func drawingsOfRealModelsAreInOrder() throws {
    for store in RealStores.any {
      guard let model = try? ModelLoader.model(from: store.path) else { continue }
      check(ModelDiagram(model), store.name)
    }
  }

  @Test func aHubIsInTheMiddleOfItsNeighbors() throws {
    let layout = DiagramLayout(ModelDiagram(Self.star(30)))
    let columns = Set(layout.frames.map(\.x)).sorted()
    let place = try #require(columns.firstIndex(of: layout.frames[0].x))
    #expect(columns.count > 2 && place > 0 && place < columns.count - 1)
  }

  @Test func clustersArePartsThatNothingConnects() {
    let heirs = ["A", "B"].map { EntityDescription(name: $0, superentityName: "Root") }
    let model = ManagedObjectModel(
      entities: Self.star(5).entities + [EntityDescription(name: "Root")] + heirs
        + [EntityDescription(name: "Alone")], source: .file)
    let clusters = ModelDiagram(model).clusters
    #expect(clusters.map(\.entities.count) == [5, 3, 1])
    #expect(clusters.map(\.links.count) == [4, 0, 0])
    #expect(clusters.map { $0.parents.count { $0 != nil } } == [0, 2, 0])
    #expect(clusters.last?.entities.map(\.name) == ["Alone"])
    for cluster in clusters { check(cluster, "cluster") }
  }

  @Test func namesAreConnectedOnceForAllRelationships() {
    let diagram = ModelDiagram(ModelSamples.made(30))
    let lines = DiagramLayout(diagram, .names).lines.filter { !$0.links.isEmpty }
    let pairs = diagram.links.filter { $0.end.entity != $0.last }
      .map { Set([$0.end.entity, $0.last]) }
    #expect(lines.count == Set(pairs).count)
    #expect(lines.reduce(0) { $0 + $1.links.count } == pairs.count)
    #expect(lines.allSatisfy { $0.start.mark == nil && $0.end.mark == nil })
  }

  private func check(_ diagram: ModelDiagram, _ name: String) {
    let heirs = diagram.parents.count { $0 != nil }
    let layout = DiagramLayout(diagram)
    #expect(layout.lines.count == diagram.links.count + heirs, "\(name)")
    #expect(layout.lines.count { $0.start.mark == .parent } == heirs, "\(name)")
    check(layout, name)
    check(DiagramLayout(diagram, .names), "\(name), names")
  }

  private func check(_ layout: DiagramLayout, _ name: String) {
    for (number, one) in layout.frames.enumerated() {
      #expect(one.x >= 0 && one.y >= 0, "\(name)")
      #expect(one.x + one.width <= layout.width && one.y + one.height <= layout.height, "\(name)")
      #expect(one.width >= layout.boxes[number].width, "\(name)")
      for other in layout.frames[(number + 1)...] {
        let isApart =
          one.x + one.width < other.x || other.x + other.width < one.x
          || one.y + one.height < other.y || other.y + other.height < one.y
        #expect(isApart, "\(name): \(one) and \(other)")
      }
    }
    for end in layout.lines.flatMap({ [$0.start, $0.end] }) {
      let frame = layout.frames[end.box]
      #expect(end.x == (end.isLeft ? frame.x : frame.x + frame.width), "\(name)")
      #expect(end.y > frame.y && end.y < frame.y + frame.height, "\(name)")
    }
  }

  /// Entities with relationships of any kind and cardinality.
  private static func random(_ count: Int, _ random: inout SeededRandom) -> ManagedObjectModel {
    var entities = (0..<count).map { number in
      EntityDescription(
        name: "Entity\(number)",
        superentityName: number > 0 && random.below(4) == 0
          ? "Entity\(random.below(number))" : nil,
        attributes: (0..<random.below(5)).map {
          AttributeDescription(name: "attribute\($0)", type: .string)
        })
    }
    for number in 0..<random.below(4 * count) {
      let (one, other) = (random.below(count), random.below(count))
      let inverse: Name? = [nil, "r\(number)", "i\(number)"][random.below(3)]
      func add(_ name: Name, to entity: Int, _ destination: Int, _ inverse: Name?) {
        entities[entity].relationships.append(
          RelationshipDescription(
            name: name, destinationName: "Entity\(destination)", inverseName: inverse,
            minCount: random.below(3) * 1000, maxCount: [0, 1, 1, 20, 100_000][random.below(5)],
            isOptional: random.below(2) == 0))
      }
      add("r\(number)", to: one, other, inverse)
      if inverse == "i\(number)" { add("i\(number)", to: other, one, "r\(number)") }
    }
    return ManagedObjectModel(entities: entities, source: .file)
  }

  /// One entity that all others belong to.
  private static func star(_ count: Int) -> ManagedObjectModel {
    var entities = [EntityDescription(name: "Hub")]
    for number in 1..<max(2, count) {
      entities[0].relationships.append(
        RelationshipDescription(
          name: "to\(number)", destinationName: "E\(number)", inverseName: "hub", maxCount: 0))
      entities.append(
        EntityDescription(
          name: "E\(number)",
          relationships: [
            RelationshipDescription(
              name: "hub", destinationName: "Hub", inverseName: "to\(number)")
          ]))
    }
    return ManagedObjectModel(entities: entities, source: .file)
  }

  /// Entities that all inherit, two from each.
  private static func tree(_ count: Int) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: (0..<count).map { number in
        EntityDescription(
          name: "E\(number)", superentityName: number == 0 ? nil : "E\((number - 1) / 2)",
          attributes: [AttributeDescription(name: "a", type: .date)])
      }, source: .file)
  }
}
