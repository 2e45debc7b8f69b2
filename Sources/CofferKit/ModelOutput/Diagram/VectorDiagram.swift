internal import CoreDataModel

/// A diagram as an SVG: self-contained, without scripts, for light and dark backgrounds.
struct VectorDiagram {
  let diagram: ModelDiagram
  let layout: DiagramLayout
  private var lines: [String] = []
  private let linkCounts: [Int]

  /// Draws a diagram, with the name of the model for people who cannot see it.
  ///
  /// - Parameters:
  ///   - diagram: the diagram to draw.
  ///   - title: the name.
  ///   - isInline: whether it is part of a page, which provides the style sheet and marks it with
  ///     the class `diagram`.
  init(_ diagram: ModelDiagram, title: String, isInline: Bool = false) {
    self.diagram = diagram
    layout = DiagramLayout(diagram)
    var counts = [Int](repeating: 0, count: diagram.entities.count)
    for link in diagram.links {
      counts[link.end.entity] += 1
      counts[link.last] += 1
    }
    linkCounts = counts
    begin(title, isInline)
    for (place, parent) in diagram.parents.enumerated() where parent != nil { inherit(place) }
    for place in diagram.links.indices { link(place) }
    for place in diagram.entities.indices { box(place) }
    lines.append("</svg>")
  }

  /// The text of the SVG.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func begin(_ title: String, _ isInline: Bool) {
    let (width, height) = (layout.width, layout.height)
    let kind = isInline ? "class=\"diagram\"" : "xmlns=\"http://www.w3.org/2000/svg\""
    let prefix = isInline ? "diagram-" : ""
    lines.append(
      "<svg \(kind) width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" "
        + "aria-labelledby=\"\(prefix)title \(prefix)desc\">")
    lines.append("<title id=\"\(prefix)title\">\(XMLText.escaped(title))</title>")
    let heirs = diagram.parents.count { $0 != nil }
    let counts = [
      Self.count(diagram.entities.count, "entity", "entities"),
      Self.count(diagram.links.count, "relationship or pair of inverses", nil),
      Self.count(heirs, "entity that inherits", "entities that inherit"),
    ]
    let names = diagram.entities.map(\.name).joined(separator: ", ")
    lines.append(
      "<desc id=\"\(prefix)desc\">"
        + "\(XMLText.escaped("\(counts.joined(separator: ", ")): \(names)"))</desc>")
    if !isInline { lines.append("<style>\(VectorStyle.text)</style>") }
    lines.append("<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>")
  }

  private static func count(_ number: Int, _ one: String, _ many: String?) -> String {
    guard number != 1 else { return "1 \(one)" }
    return "\(number) \(many ?? "relationships or pairs of inverses")"
  }

  // MARK: Lines

  private mutating func inherit(_ place: Int) {
    guard let path = layout.inheritance[place], let parent = diagram.parents[place],
      let top = path.points.first
    else { return }
    let title = "\(diagram.entities[place].name) inherits from \(diagram.entities[parent].name)"
    lines.append("<g class=\"inherits\"><title>\(XMLText.escaped(title))</title>")
    lines.append("<path d=\"\(Self.commands(path.points))\"/>")
    lines.append(
      "<path class=\"tip\" d=\"M\(top.x) \(top.y)l-6 10h12z\"/></g>")
  }

  private mutating func link(_ place: Int) {
    let link = diagram.links[place]
    let path = layout.links[place].points
    guard let first = path.first, let last = path.last, path.count > 1 else { return }
    let relationship = link.end.relationship
    // Of an entity with many lines, each has the colour of the other end.
    let owner =
      linkCounts[link.end.entity] > linkCounts[link.last] ? link.last : link.end.entity
    lines.append("<g class=\"link c\(owner % VectorStyle.hues.count)\">")
    lines.append("<title>\(XMLText.escaped(words(of: link)))</title>")
    lines.append("<path d=\"\(Self.commands(path))\"/>")
    let isLastLeft = path[path.count - 2].x < last.x
    lines.append(
      mark(
        at: last, isLeft: isLastLeft, isMany: relationship.isToMany,
        isArrow: link.inverse == nil))
    lines.append(label(relationship.cardinality, at: last, isLeft: isLastLeft))
    if let inverse = link.inverse?.relationship {
      let isLeft = path[1].x < first.x
      lines.append(mark(at: first, isLeft: isLeft, isMany: inverse.isToMany, isArrow: false))
      lines.append(label(inverse.cardinality, at: first, isLeft: isLeft))
    }
    lines.append("</g>")
  }

  private func words(of link: ModelDiagram.Link) -> String {
    func words(_ end: ModelDiagram.End) -> String {
      let relationship = end.relationship
      let order = relationship.isOrdered ? ", ordered" : ""
      return "\(diagram.entities[end.entity].name).\(relationship.name) → "
        + "\(relationship.destinationName), \(relationship.cardinality)\(order)"
    }
    guard let inverse = link.inverse else {
      return words(link.end) + (link.isSymmetric ? "; its own inverse" : "; no inverse")
    }
    return "\(words(link.end)); inverse \(words(inverse))"
  }

  /// The sign at the end of a line beside a box: to-many, to-one, or no inverse.
  private func mark(
    at point: DiagramLayout.Point, isLeft: Bool, isMany: Bool, isArrow: Bool
  ) -> String {
    let side = isLeft ? -1 : 1
    let (x, y) = (point.x, point.y)
    if isMany {
      return "<path d=\"M\(x) \(y - 5)L\(x + 9 * side) \(y)L\(x) \(y + 5)\"/>"
    }
    if isArrow {
      return "<path class=\"tip\" d=\"M\(x) \(y)l\(8 * side) -4v8z\"/>"
    }
    return "<path d=\"M\(x + 5 * side) \(y - 4)v8\"/>"
  }

  private func label(_ text: String, at point: DiagramLayout.Point, isLeft: Bool) -> String {
    let anchor = isLeft ? "end" : "start"
    let x = point.x + (isLeft ? -10 : 10)
    return "<text x=\"\(x)\" y=\"\(point.y - 2)\" text-anchor=\"\(anchor)\">\(text)</text>"
  }

  /// The commands of a path with rounded corners.
  static func commands(_ points: [DiagramLayout.Point]) -> String {
    guard let first = points.first, let last = points.last else { return "" }
    var text = "M\(first.x) \(first.y)"
    for (position, point) in points.enumerated().dropFirst().dropLast() {
      let (before, after) = (points[position - 1], points[position + 1])
      let isStraight =
        (before.x == point.x && after.x == point.x) || (before.y == point.y && after.y == point.y)
      guard !isStraight else { continue }
      let room = min(distance(before, point), distance(point, after)) / 2
      let radius = min(5, room)
      let start = step(from: point, to: before, radius)
      let end = step(from: point, to: after, radius)
      text += "L\(start.x) \(start.y)Q\(point.x) \(point.y) \(end.x) \(end.y)"
    }
    return text + "L\(last.x) \(last.y)"
  }

  private static func distance(_ one: DiagramLayout.Point, _ other: DiagramLayout.Point) -> Int {
    abs(one.x - other.x) + abs(one.y - other.y)
  }

  private static func step(
    from point: DiagramLayout.Point, to other: DiagramLayout.Point, _ length: Int
  ) -> DiagramLayout.Point {
    .init(
      x: point.x + (other.x - point.x).signum() * length,
      y: point.y + (other.y - point.y).signum() * length)
  }

  // MARK: Boxes

  private mutating func box(_ place: Int) {
    let (box, frame) = (layout.boxes[place], layout.frames[place])
    let (x, y, width) = (frame.x, frame.y, frame.width)
    let right = x + width - DiagramBox.padding
    let hue = place % VectorStyle.hues.count
    lines.append("<g class=\"entity h\(hue)\">")
    lines.append(
      "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(frame.height)\" rx=\"6\"/>")
    lines.append(
      "<path class=\"head\" d=\"M\(x) \(y + DiagramBox.headerHeight)v-22q0 -6 6 -6h\(width - 12)"
        + "q6 0 6 6v22z\"/>")
    let style = box.isAbstract ? "name abstract" : "name"
    let middle = y + box.headerMiddle
    lines.append(Self.text(box.title, style, x + DiagramBox.padding, middle + 5))
    if box.isAbstract { lines.append(Self.text("abstract", "detail", right, middle + 4)) }
    for (place, row) in box.attributes.enumerated() {
      self.row(row, x + DiagramBox.padding, right, y + box.attributeMiddle(place), "")
    }
    if !box.relationships.isEmpty, !box.attributes.isEmpty {
      let line = y + box.relationshipMiddle(0) - DiagramBox.rowHeight / 2 - 4
      lines.append("<path class=\"rule\" d=\"M\(x) \(line)h\(width)\"/>")
    }
    for (place, row) in box.relationships.enumerated() {
      self.row(row, x + DiagramBox.padding, right, y + box.relationshipMiddle(place), " to")
    }
    lines.append("</g>")
  }

  private mutating func row(
    _ row: DiagramBox.Row, _ left: Int, _ right: Int, _ middle: Int, _ kind: String
  ) {
    let style = row.isFaint ? "faint" : "plain"
    lines.append(Self.text(row.name, style, left, middle + 4))
    lines.append(Self.text(row.detail, "detail\(kind)", right, middle + 4))
  }

  private static func text(_ text: String, _ style: String, _ x: Int, _ y: Int) -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>"
  }
}

extension ModelDiagram {
  /// The diagram as an SVG with its own layout; needs no other program.
  ///
  /// Boxes do not overlap and no line crosses one. The time grows with the square of the number of
  /// entities; ``largestDrawing`` takes a second or two.
  ///
  /// - Parameter title: the name of the model, for people who cannot see the drawing.
  /// - Returns: the text of the SVG.
  public func svg(title: String) -> String { VectorDiagram(self, title: title).text }

  /// The maximum number of entities and of links in a drawing; beyond it, use DOT.
  public static let largestDrawing = (entities: 400, links: 2000)

  /// Whether the diagram is small enough to draw.
  public var isDrawable: Bool {
    entities.count <= Self.largestDrawing.entities && links.count <= Self.largestDrawing.links
  }
}
