internal import CoreDataModel

/// The places of everything in a drawing: boxes, and the corners of lines.
///
/// Boxes and signs do not overlap, a superentity is above its subentities, and no line crosses a box
/// or a label.
struct DiagramLayout: Sendable {
  /// A rectangle.
  struct Frame: Sendable, Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// A sign next to a box, which all lines that end there share.
  struct Sign: Sendable {
    let content: DiagramPlan.Sign
    /// The point at the edge of the box.
    let point: Point
    /// Whether it is left of the box.
    let isLeft: Bool
    /// The first link that ends there.
    let link: Int

    /// The place of the mark.
    var mark: Frame {
      Frame(
        x: isLeft ? point.x - markWidth : point.x, y: point.y - 5, width: markWidth, height: 10)
    }

    /// The place of the text, above the line.
    var label: Frame {
      let width = DiagramText.width(content.text, size: labelSize)
      return Frame(
        x: isLeft ? point.x - markWidth - 1 - width : point.x + markWidth + 1,
        y: point.y - labelSize - 1, width: width, height: labelSize - 1)
    }
  }

  struct Point: Sendable, Hashable {
    var x: Int
    var y: Int
  }

  /// A line with right angles.
  struct Path: Sendable, Equatable {
    var points: [Point]
  }

  static let margin = 20
  /// The minimum space between a column and the first line along it.
  static let stub = 16
  static let laneGap = 8
  static let markWidth = 9
  static let labelSize = 9
  /// The half width and the height of the triangle below a superentity.
  static let tip = (side: 6, height: 10)

  let plan: DiagramPlan
  private(set) var frames: [Frame] = []
  /// The lines of the plan, in its order.
  private(set) var lines: [Path] = []
  /// The lines of inheritance, from the superentity to the entity, by the position of the entity.
  private(set) var inheritance: [Int: Path] = [:]
  /// The signs at the ends of lines, each once.
  private(set) var signs: [Sign] = []
  private(set) var width = 0
  private(set) var height = 0

  /// The points below superentities where lines of inheritance begin, in the order of the
  /// subentities.
  var tips: [Point] {
    var seen: Set<Point> = []
    return plan.parents.indices.compactMap { inheritance[$0]?.points.first }
      .filter { seen.insert($0).inserted }
  }

  /// The boxes, in the order of the diagram.
  var boxes: [DiagramBox] { plan.boxes }

  /// Computes the layout of a diagram.
  init(_ diagram: ModelDiagram, _ detail: DiagramPlan.Detail = .properties) {
    plan = DiagramPlan(diagram, detail)
    let children = plan.parents.enumerated().compactMap { child, parent in
      parent.map { ($0, child) }
    }
    let placement = DiagramPlacement(
      .init(
        sizes: plan.boxes.map { ($0.width, $0.height) }, parents: plan.parents,
        lines: plan.lines.map { ($0.start.box, $0.end.box) } + children))
    var streets = DiagramStreets(placement, plan.boxes)
    let ways = streets.ways(of: plan.lines, children: children)
    let drawing = DiagramLanes(streets, ways)
    frames = drawing.frames
    width = drawing.width
    height = drawing.height
    lines = plan.lines.indices.map { drawing.path(of: $0) }
    for (number, (_, child)) in children.enumerated() {
      inheritance[child] = drawing.path(of: plan.lines.count + number)
    }
    placeSigns()
  }

  private mutating func placeSigns() {
    var taken: Set<Point> = []
    for (line, path) in zip(plan.lines, lines) where path.points.count > 1 {
      let points = path.points
      let ends = [
        (line.startSign, points[0], points[1]),
        (line.endSign, points[points.count - 1], points[points.count - 2]),
      ]
      for case (let content?, let point, let next) in ends where taken.insert(point).inserted {
        signs.append(
          Sign(
            content: content, point: point, isLeft: next.x < point.x, link: line.links.first ?? 0))
      }
    }
  }
}
