internal import CoreDataModel

/// A diagram as an SVG: self-contained, without scripts, for light and dark backgrounds.
struct VectorDiagram {
  let diagram: ModelDiagram
  let title: String
  let layout: DiagramLayout
  private let detail: DiagramPlan.Detail
  private var lines: [String] = []
  private let linkCounts: [Int]

  /// Draws a diagram, with the name of the model for people who cannot see it.
  ///
  /// - Parameters:
  ///   - diagram: the diagram to draw.
  ///   - title: the name.
  ///   - detail: the detail that it shows.
  ///   - identifier: the beginning of its identifiers if it is part of a page, which provides the style
  ///     sheet and marks it with the class `diagram`; nil for a standalone drawing.
  init(
    _ diagram: ModelDiagram, title: String, _ detail: DiagramPlan.Detail = .properties,
    identifier: String? = nil
  ) {
    self.diagram = diagram
    self.title = title
    self.detail = detail
    layout = DiagramLayout(diagram, detail)
    var counts = [Int](repeating: 0, count: diagram.entities.count)
    for link in diagram.links {
      counts[link.end.entity] += 1
      counts[link.last] += 1
    }
    linkCounts = counts
    begin(title, identifier)
    for (place, parent) in diagram.parents.enumerated() where parent != nil { inherit(place) }
    tips()
    for (line, path) in zip(layout.plan.lines, layout.lines) { link(line, path.points) }
    for place in diagram.entities.indices { box(place) }
    lines.append("</svg>")
  }

  /// The text of the SVG.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func begin(_ title: String, _ identifier: String?) {
    let (width, height) = (layout.width, layout.height)
    let kind =
      identifier == nil ? "xmlns=\"http://www.w3.org/2000/svg\"" : "class=\"diagram\""
    let prefix = identifier.map { $0 + "-" } ?? ""
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
    if identifier == nil { lines.append("<style>\(VectorStyle.text)</style>") }
    lines.append("<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>")
  }

  private static func count(_ number: Int, _ one: String, _ many: String?) -> String {
    guard number != 1 else { return "1 \(one)" }
    return "\(number) \(many ?? "relationships or pairs of inverses")"
  }

  // MARK: Lines

  private mutating func inherit(_ place: Int) {
    guard let path = layout.inheritance[place], let parent = diagram.parents[place] else { return }
    let title = "\(diagram.entities[place].name) inherits from \(diagram.entities[parent].name)"
    lines.append("<g class=\"inherits\"><title>\(XMLText.escaped(title))</title>")
    lines.append("<path d=\"\(Self.commands(path.points))\"/></g>")
  }

  /// The triangles below superentities, which the lines of all subentities share.
  private mutating func tips() {
    let (side, height) = DiagramLayout.tip
    for point in layout.tips {
      lines.append(
        "<g class=\"inherits tips\"><path class=\"tip\" "
          + "d=\"M\(point.x) \(point.y)l-\(side) \(height)h\(2 * side)z\"/></g>")
    }
  }

  private mutating func link(_ line: DiagramPlan.Line, _ path: [DiagramLayout.Point]) {
    guard path.count > 1 else { return }
    // Each line of an entity with many lines has the color of its other end.
    let (start, end) = (line.start.box, line.end.box)
    let owner = linkCounts[start] > linkCounts[end] ? end : start
    lines.append("<g class=\"link c\(owner % VectorStyle.hues.count)\">")
    let title = line.links.map { words(of: diagram.links[$0]) }.joined(separator: "\n")
    lines.append("<title>\(XMLText.escaped(title))</title>")
    lines.append("<path d=\"\(Self.commands(path))\"/>")
    for sign in layout.signs where line.links.contains(sign.link) {
      if sign.point == path.first || sign.point == path.last { draw(sign) }
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

  /// The mark at the end of a line next to a box, and its cardinality.
  private mutating func draw(_ sign: DiagramLayout.Sign) {
    let side = sign.isLeft ? -1 : 1
    let (x, y) = (sign.point.x, sign.point.y)
    switch sign.content.mark {
    case .many: lines.append("<path d=\"M\(x) \(y - 5)L\(x + 9 * side) \(y)L\(x) \(y + 5)\"/>")
    case .arrow: lines.append("<path class=\"tip\" d=\"M\(x) \(y)l\(8 * side) -4v8z\"/>")
    case .one: lines.append("<path d=\"M\(x + 5 * side) \(y - 4)v8\"/>")
    }
    let label = sign.label
    lines.append(
      "<text x=\"\(sign.isLeft ? label.x + label.width : label.x)\" y=\"\(y - 2)\" "
        + "text-anchor=\"\(sign.isLeft ? "end" : "start")\">\(sign.content.text)</text>")
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
    let (head, straight) = (box.headerHeight, box.headerHeight - 6)
    // Without properties, there is only the heading.
    lines.append(
      frame.height > head
        ? "<path class=\"head\" d=\"M\(x) \(y + head)v-\(straight)q0 -6 6 -6h\(width - 12)"
          + "q6 0 6 6v\(straight)z\"/>"
        : "<rect class=\"head\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(head)\" "
          + "rx=\"6\"/>")
    let style = box.isAbstract ? "name abstract" : "name"
    let middle = y + (detail == .names ? head / 2 : box.headerMiddle(0))
    lines.append(Self.text(box.title, style, x + DiagramBox.padding, middle + 5))
    if box.isAbstract, detail == .properties {
      lines.append(Self.text("abstract", "detail", right, middle + 4))
    }
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
  package func svg(title: String) -> String { VectorDiagram(self, title: title).text }

  /// The maximum number of entities and of links in a drawing; beyond it, use DOT.
  package static let largestDrawing = (entities: 400, links: 2000)

  /// Whether the diagram is small enough to draw.
  package var isDrawable: Bool {
    entities.count <= Self.largestDrawing.entities && links.count <= Self.largestDrawing.links
  }
}
