internal import TestSupport
internal import Testing

@testable internal import CofferKit

/// Where things stand in a drawing.
@Suite struct DiagramLayoutTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 21, 30, 45, 60])
  func boxesDoNotOverlapAndNoLineCrossesOne(_ count: Int) throws {
    for model in [ModelSamples.made(count), Self.star(count), Self.tree(count)] {
      check(ModelDiagram(model), "\(count)")
    }
  }

  @Test func drawingsOfRealModelsAreInOrder() throws {
    for store in RealStores.any {
      guard let model = try? ModelLoader.model(from: store.path) else { continue }
      check(ModelDiagram(model), store.name)
    }
  }

  private func check(_ diagram: ModelDiagram, _ name: String) {
    let layout = DiagramLayout(diagram)
    #expect(layout.frames.count == diagram.entities.count)
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
    for (child, parent) in diagram.parents.enumerated() {
      guard let parent else { continue }
      let bottom = layout.frames[parent].y + layout.frames[parent].height
      #expect(bottom < layout.frames[child].y, "\(name)")
      #expect(layout.inheritance[child]?.points.first?.y == bottom, "\(name)")
      #expect(layout.inheritance[child]?.points.last?.y == layout.frames[child].y, "\(name)")
    }
    #expect(layout.links.count == diagram.links.count)
    for path in layout.links + layout.inheritance.values { checkPath(path, layout, name) }
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
