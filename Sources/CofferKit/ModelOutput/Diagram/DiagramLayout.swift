internal import CoreDataModel

/// The places of everything in a drawing: boxes, and the corners of lines.
///
/// Boxes do not overlap, a superentity is above its subentities, and no line crosses a box.
struct DiagramLayout: Sendable {
  /// A rectangle.
  struct Frame: Sendable, Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// A point.
  struct Point: Sendable, Equatable {
    var x: Int
    var y: Int
  }

  /// A line with right angles.
  struct Path: Sendable, Equatable {
    var points: [Point]
  }

  static let margin = 20
  static let stub = 30
  static let laneGap = 8

  let boxes: [DiagramBox]
  private(set) var frames: [Frame] = []
  /// The lines of the links, in their order.
  private(set) var links: [Path] = []
  /// The lines of inheritance, from the superentity to the entity, by the position of the entity.
  private(set) var inheritance: [Int: Path] = [:]
  private(set) var width = 0
  private(set) var height = 0

  /// Computes the layout of a diagram.
  init(_ diagram: ModelDiagram) {
    boxes = diagram.entities.map(DiagramBox.init)
    let children = diagram.parents.enumerated().compactMap { child, parent in
      parent.map { ($0, child) }
    }
    let placement = DiagramPlacement(
      .init(
        sizes: boxes.map { ($0.width, $0.height) }, parents: diagram.parents,
        lines: diagram.links.map { ($0.end.entity, $0.last) } + children))
    var streets = DiagramStreets(placement, boxes)
    let ways = streets.ways(of: diagram, children: children)
    let drawing = DiagramLanes(streets, ways)
    frames = drawing.frames
    width = drawing.width
    height = drawing.height
    links = ways.prefix(diagram.links.count).indices.map { drawing.path(of: $0) }
    for (number, (_, child)) in children.enumerated() {
      inheritance[child] = drawing.path(of: diagram.links.count + number)
    }
  }
}
