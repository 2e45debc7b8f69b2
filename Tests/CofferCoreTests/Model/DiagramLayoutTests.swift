internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

/// Where things stand in a drawing.
@Suite struct DiagramLayoutTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 21, 30, 45, 60])
  func boxesDoNotOverlapAndNoLineCrossesOne(_ count: Int) throws {
    for model in [
      ModelSamples.made(count), Self.star(count), Self.tree(count), Self.withoutInverses(count),
    ] {
      check(ModelDiagram(model), "\(count)")
    }
  }

  /// Labels and marks have places of their own in random models too: with inverses and without, of
  /// every cardinality, to the same entity, and inherited.
  @Test func nothingCollidesInRandomModels() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("DiagramLayoutTests: seed \(seed)")
    var random = SeededRandom(seed)
    for round in 0..<40 {
      let model = Self.random(1 + random.below(14), &random)
      check(ModelDiagram(model), "seed \(seed), round \(round)")
    }
  }

  @Test func relationshipsWithoutAnInverseShareASignOfTheirKind() {
    let diagram = ModelDiagram(Self.withoutInverses(8))
    let layout = DiagramLayout(diagram)
    #expect(diagram.links.count == 14)
    // To-one and to-many, at one side or both.
    #expect((2...4).contains(layout.signs.count))
    #expect(Set(layout.signs.map(\.content)).count == 2)
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
    let layout = DiagramLayout(diagram, .names)
    let pairs = diagram.links.filter { $0.end.entity != $0.last }
      .map { Set([$0.end.entity, $0.last]) }
    #expect(layout.lines.count == Set(pairs).count)
    #expect(layout.plan.lines.reduce(0) { $0 + $1.links.count } == pairs.count)
    #expect(layout.signs.isEmpty)
  }

  @Test func drawingsOfRealModelsAreInOrder() throws {
    for store in RealStores.any {
      guard let model = try? ModelLoader.model(from: store.path) else { continue }
      check(ModelDiagram(model), store.name)
    }
  }

  private func check(_ diagram: ModelDiagram, _ name: String) {
    let layout = DiagramLayout(diagram)
    #expect(layout.lines.count == diagram.links.count)
    check(layout, name)
    check(DiagramLayout(diagram, .names), "\(name), names")
  }

  private func check(_ layout: DiagramLayout, _ name: String) {
    let plan = layout.plan
    #expect(layout.frames.count == plan.boxes.count)
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
    for (child, parent) in plan.parents.enumerated() {
      guard let parent else { continue }
      let bottom = layout.frames[parent].y + layout.frames[parent].height
      #expect(bottom < layout.frames[child].y, "\(name)")
      #expect(layout.inheritance[child]?.points.first?.y == bottom, "\(name)")
      #expect(layout.inheritance[child]?.points.last?.y == layout.frames[child].y, "\(name)")
    }
    for path in layout.lines + layout.inheritance.values { checkPath(path, layout, name) }
    checkSigns(layout, name)
  }

  /// No two marks, labels, triangles or boxes overlap, all are in the drawing, and no line crosses a
  /// label, a mark that is not its own, or a triangle.
  private func checkSigns(_ layout: DiagramLayout, _ name: String) {
    let (side, height) = DiagramLayout.tip
    let labels = layout.signs.map { ("label \($0.content.text)", $0.label) }
    let marks = layout.signs.map { ("mark", $0.mark) }
    let tips = layout.tips.map {
      ("triangle", DiagramLayout.Frame(x: $0.x - side, y: $0.y, width: 2 * side, height: height))
    }
    let all = labels + marks + tips + layout.frames.map { ("box", $0) }
    for (number, (kind, one)) in all.enumerated() {
      #expect(one.x >= 0 && one.y >= 0, "\(name): \(kind)")
      #expect(one.x + one.width <= layout.width && one.y + one.height <= layout.height, "\(name)")
      for (otherKind, other) in all[(number + 1)...] {
        let isApart =
          one.x + one.width <= other.x || other.x + other.width <= one.x
          || one.y + one.height <= other.y || other.y + other.height <= one.y
        #expect(isApart, "\(name): \(kind) \(one) and \(otherKind) \(other)")
      }
    }
    for path in layout.lines + layout.inheritance.values {
      let ends = [path.points.first, path.points.last]
      for (one, other) in zip(path.points, path.points.dropFirst()) {
        for sign in layout.signs {
          #expect(!crosses(one, other, sign.label), "\(name): a line crosses \(sign.label)")
          if !ends.contains(sign.point) {
            #expect(!crosses(one, other, sign.mark), "\(name): a line crosses \(sign.mark)")
          }
        }
        for (tip, (_, frame)) in zip(layout.tips, tips) where !ends.contains(tip) {
          #expect(!crosses(one, other, frame), "\(name): a line crosses a triangle")
        }
      }
    }
  }

  private func crosses(
    _ one: DiagramLayout.Point, _ other: DiagramLayout.Point, _ frame: DiagramLayout.Frame
  ) -> Bool {
    max(one.x, other.x) > frame.x && min(one.x, other.x) < frame.x + frame.width
      && max(one.y, other.y) > frame.y && min(one.y, other.y) < frame.y + frame.height
  }

  private func checkPath(
    _ path: DiagramLayout.Path, _ layout: DiagramLayout, _ name: String
  ) {
    #expect(path.points.count >= 2, "\(name)")
    for (one, other) in zip(path.points, path.points.dropFirst()) {
      #expect(one.x == other.x || one.y == other.y, "\(name): \(one) to \(other)")
      #expect((0...layout.width).contains(other.x) && (0...layout.height).contains(other.y))
      for frame in layout.frames {
        let isOutside =
          max(one.x, other.x) <= frame.x || min(one.x, other.x) >= frame.x + frame.width
          || max(one.y, other.y) <= frame.y || min(one.y, other.y) >= frame.y + frame.height
        #expect(isOutside, "\(name): \(one) to \(other) crosses \(frame)")
      }
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

  /// One entity to which all others lead, by a to-one and a to-many relationship without an inverse.
  private static func withoutInverses(_ count: Int) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: (0..<count).map { number in
        EntityDescription(
          name: "E\(number)",
          relationships: number == 0
            ? []
            : [
              RelationshipDescription(name: "one", destinationName: "E0", maxCount: 1),
              RelationshipDescription(name: "many", destinationName: "E0", maxCount: 0),
            ])
      }, source: .file)
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
