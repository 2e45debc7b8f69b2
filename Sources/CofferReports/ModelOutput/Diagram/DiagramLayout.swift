internal import CoreDataModel

/// The places of a drawing: boxes in columns, and the ends of the lines between them.
///
/// Boxes do not overlap. Lines are curves from side to side; one that passes a column runs behind its boxes.
struct DiagramLayout: Sendable {
  enum Detail: Sendable {
    /// Entities with their properties, and a line for each relationship or pair of inverses.
    case properties
    /// The names of entities, and a line for each two that a relationship connects.
    case names
  }

  /// The symbol at the end of a line.
  enum Mark: Sendable {
    /// To-many: a crow's foot.
    case many
    /// To-one: a bar.
    case one
    /// To-one without an inverse: an arrowhead.
    case arrow
    /// A superentity: a triangle.
    case parent
  }

  /// One end of a line: a height of a box, and the symbol next to it.
  struct End: Sendable {
    let box: Int
    /// The distance from the top of the box.
    let offset: Int
    let mark: Mark?
    /// The point at the edge of the box.
    fileprivate(set) var x = 0
    fileprivate(set) var y = 0
    fileprivate(set) var isLeft = false
  }

  /// A line between two boxes.
  struct Line: Sendable {
    var start: End
    var end: End
    /// The positions of its links in the diagram; none for inheritance, from the superentity to the entity.
    var links: [Int]
  }

  struct Frame: Sendable {
    var x = 0
    var y = 0
    var width = 0
    var height = 0
  }

  private static let margin = 20
  private static let columnGap = 100
  private static let rowGap = 28
  /// The space that a line within a column takes next to it.
  private static let bulge = 56

  let boxes: [DiagramBox]
  private(set) var frames: [Frame]
  private(set) var lines: [Line]
  private(set) var width = 0
  private(set) var height = 0
  /// The boxes that a line connects with each box.
  private let neighbors: [[Int]]

  init(_ diagram: ModelDiagram, _ detail: Detail = .properties) {
    boxes = diagram.entities.map { DiagramBox($0, detail) }
    lines = Self.lines(of: diagram, boxes)
    var neighbors = [[Int]](repeating: [], count: boxes.count)
    for line in lines where line.start.box != line.end.box {
      neighbors[line.start.box].append(line.end.box)
      neighbors[line.end.box].append(line.start.box)
    }
    self.neighbors = neighbors
    frames = boxes.map { Frame(width: $0.width, height: $0.height) }
    var columns = fillColumns()
    for _ in 0..<4 {
      stack(columns)
      for index in columns.indices { columns[index] = sorted(columns[index]) }
    }
    stack(columns)
    connect()
  }

  // MARK: Lines

  private static func lines(of diagram: ModelDiagram, _ boxes: [DiagramBox]) -> [Line] {
    func mark(_ relationship: RelationshipDescription, _ hasInverse: Bool) -> Mark? {
      relationship.isToMany ? .many : hasInverse ? .one : .arrow
    }
    var lines: [Line] = []
    var places: [[Int]: Int] = [:]
    for (place, link) in diagram.links.enumerated() {
      let hasInverse = link.inverse != nil
      let isNamed = boxes[link.end.entity].rows.isEmpty
      if isNamed, link.end.entity == link.last { continue }
      let start = End(
        box: link.end.entity, offset: boxes[link.end.entity].middle(ofRelationship: link.end.place),
        mark: isNamed ? nil : link.inverse.flatMap { mark($0.relationship, true) })
      let end = End(
        box: link.last,
        offset: boxes[link.last].middle(ofRelationship: link.inverse?.place),
        mark: isNamed ? nil : mark(link.end.relationship, hasInverse))
      let key = [start.box, start.offset, end.box, end.offset]
      let pair =
        isNamed && start.box > end.box ? [end.box, end.offset, start.box, start.offset] : key
      if let known = places[pair] {
        lines[known].links.append(place)
      } else {
        places[pair] = lines.count
        lines.append(Line(start: start, end: end, links: [place]))
      }
    }
    for (child, parent) in diagram.parents.enumerated() {
      guard let parent else { continue }
      lines.append(
        Line(
          start: End(box: parent, offset: boxes[parent].middle(ofRelationship: nil), mark: .parent),
          end: End(box: child, offset: boxes[child].middle(ofRelationship: nil), mark: nil),
          links: []))
    }
    return lines
  }

  /// Determines the ends of all lines: facing sides of boxes in different columns, otherwise right sides.
  private mutating func connect() {
    for index in lines.indices {
      let (one, other) = (frames[lines[index].start.box], frames[lines[index].end.box])
      lines[index].start.isLeft = other.x < one.x
      lines[index].end.isLeft = one.x < other.x
      Self.place(&lines[index].start, one)
      Self.place(&lines[index].end, other)
      let (start, end) = (lines[index].start, lines[index].end)
      if start.isLeft == end.isLeft { width = max(width, start.x + Self.bulge + Self.margin) }
    }
  }

  private static func place(_ end: inout End, _ frame: Frame) {
    end.x = end.isLeft ? frame.x : frame.x + frame.width
    end.y = frame.y + end.offset
  }

  // MARK: Boxes

  /// Assigns each box a column: the boxes with the most lines first, each near the boxes that it is
  /// connected with.
  private func fillColumns() -> [[Int]] {
    let total = frames.reduce(0) { $0 + $1.height + Self.rowGap }
    let step = frames.reduce(0) { $0 + $1.width } / max(1, frames.count) + Self.columnGap
    // About one and a half times as wide as high.
    let count = max(1, Int((1.5 * Double(total) / Double(step)).squareRoot().rounded()))
    var columns = [[Int]](repeating: [], count: min(count, max(1, frames.count)))
    var bottoms = columns.map { _ in 0 }
    var places = [Int?](repeating: nil, count: frames.count)
    for box in walk() {
      let placed = neighbors[box].compactMap { places[$0] }
      func cost(_ column: Int) -> Int {
        let distances = placed.reduce(0) { $0 + abs(column - $1) } * step
        return 2 * bottoms[column] + distances / max(1, placed.count)
          + abs(2 * column - columns.count)
      }
      let column = columns.indices.min { cost($0) < cost($1) } ?? 0
      columns[column].append(box)
      places[box] = column
      bottoms[column] += frames[box].height + Self.rowGap
    }
    return columns.filter { !$0.isEmpty }
  }

  /// The boxes: the one with the most lines, then its neighbors, and so on.
  private func walk() -> [Int] {
    func byLines(_ boxes: some Sequence<Int>) -> [Int] {
      boxes.sorted { (neighbors[$1].count, $0) < (neighbors[$0].count, $1) }
    }
    var order: [Int] = []
    var seen: Set<Int> = []
    for start in byLines(frames.indices) where seen.insert(start).inserted {
      var next = order.count
      order.append(start)
      while next < order.count {
        order += byLines(neighbors[order[next]]).filter { seen.insert($0).inserted }
        next += 1
      }
    }
    return order
  }

  /// Stacks the boxes of each column, which get the same width; shorter columns are centered.
  private mutating func stack(_ columns: [[Int]]) {
    let heights = columns.map { column in
      column.reduce(-Self.rowGap) { $0 + frames[$1].height + Self.rowGap }
    }
    let tallest = heights.max() ?? 0
    var x = Self.margin
    for (column, height) in zip(columns, heights) {
      let width = column.map { boxes[$0].width }.max() ?? 0
      var y = Self.margin + (tallest - height) / 2
      for box in column {
        (frames[box].x, frames[box].y, frames[box].width) = (x, y, width)
        y += frames[box].height + Self.rowGap
      }
      x += width + Self.columnGap
    }
    width = max(2 * Self.margin, x - Self.columnGap + Self.margin)
    height = tallest + 2 * Self.margin
  }

  /// A column by the mean height of the boxes that each box is connected with.
  private func sorted(_ column: [Int]) -> [Int] {
    func middle(_ box: Int) -> Int { frames[box].y + frames[box].height / 2 }
    let wishes = column.map { box in
      let others = neighbors[box].filter { frames[$0].x != frames[box].x }.map(middle)
      return others.isEmpty ? middle(box) : others.reduce(0, +) / others.count
    }
    return column.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }.map { column[$0] }
  }
}
