internal import CoreDataModel

/// A diagram as an SVG: self-contained, without scripts, for light and dark backgrounds.
struct VectorDiagram {
  let title: String
  let layout: DiagramLayout
  private let diagram: ModelDiagram
  private let detail: DiagramLayout.Detail
  private var lines: [String] = []

  /// Draws a diagram, with the name of the model for people who cannot see it.
  ///
  /// A diagram of a page has an identifier; the page provides the style sheet and marks it with the class
  /// `diagram`.
  init(
    _ diagram: ModelDiagram, title: String, _ detail: DiagramLayout.Detail = .properties,
    identifier: String? = nil
  ) {
    self.diagram = diagram
    self.title = title
    self.detail = detail
    layout = DiagramLayout(diagram, detail)
    begin(identifier)
    // Lines that pass boxes run behind them.
    for line in layout.lines { draw(line) }
    for place in diagram.entities.indices { box(place) }
    lines.append("</svg>")
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func begin(_ identifier: String?) {
    let (width, height) = (layout.width, layout.height)
    let kind = identifier == nil ? "xmlns=\"http://www.w3.org/2000/svg\"" : "class=\"diagram\""
    let prefix = identifier.map { $0 + "-" } ?? ""
    let counts = [
      Self.count(diagram.entities.count, "entity", "entities"),
      Self.count(
        diagram.links.count, "relationship or pair of inverses",
        "relationships or pairs of inverses"),
      Self.count(
        diagram.parents.count { $0 != nil }, "entity that inherits", "entities that inherit"),
    ].joined(separator: ", ")
    let names = diagram.entities.map(\.name).joined(separator: ", ")
    lines = [
      "<svg \(kind) width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" "
        + "role=\"img\" aria-labelledby=\"\(prefix)title \(prefix)desc\">",
      "<title id=\"\(prefix)title\">\(XMLText.escaped(title))</title>",
      "<desc id=\"\(prefix)desc\">\(XMLText.escaped("\(counts): \(names)"))</desc>",
      identifier == nil ? "<style>\(VectorStyle.text(within: ""))</style>" : "",
      "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>",
    ].filter { !$0.isEmpty }
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  // MARK: Lines

  private mutating func draw(_ line: DiagramLayout.Line) {
    let (start, end) = (line.start, line.end)
    let hue = start.box % VectorStyle.hues.count
    let style = line.links.isEmpty ? "inherits" : "link c\(hue)"
    let inherits = "\(diagram.entities[end.box].name) inherits from "
    let title =
      line.links.isEmpty
      ? inherits + diagram.entities[start.box].name.text
      : line.links.map { words(of: diagram.links[$0]) }.joined(separator: "\n")
    // The curve widens with the distance of the ends; within one column, it stays next to the column.
    let reach =
      start.isLeft == end.isLeft
      ? min(70, 24 + abs(start.y - end.y) / 6) : max(40, abs(start.x - end.x) / 2)
    lines.append(
      "<g class=\"\(style)\"><title>\(XMLText.escaped(title))</title>"
        + "<path d=\"M\(start.x) \(start.y)"
        + "C\(Self.x(start, reach)) \(start.y) \(Self.x(end, reach)) \(end.y) \(end.x) \(end.y)\"/>"
        + Self.mark(start) + Self.mark(end) + "</g>")
  }

  /// A distance from an end, away from its box.
  private static func x(_ end: DiagramLayout.End, _ distance: Int) -> Int {
    end.isLeft ? end.x - distance : end.x + distance
  }

  private static func mark(_ end: DiagramLayout.End) -> String {
    let (x, y) = (end.x, end.y)
    switch end.mark {
    case nil: return ""
    case .many: return "<path d=\"M\(x) \(y - 5)L\(Self.x(end, 9)) \(y)L\(x) \(y + 5)\"/>"
    case .one: return "<path d=\"M\(Self.x(end, 5)) \(y - 4)v8\"/>"
    case .arrow: return "<path class=\"tip\" d=\"M\(x) \(y)L\(Self.x(end, 8)) \(y - 4)v8z\"/>"
    case .parent: return "<path class=\"tip\" d=\"M\(x) \(y)L\(Self.x(end, 10)) \(y - 6)v12z\"/>"
    }
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

  // MARK: Boxes

  private mutating func box(_ place: Int) {
    let (box, frame) = (layout.boxes[place], layout.frames[place])
    let (x, y, width, head) = (frame.x, frame.y, frame.width, DiagramBox.headerHeight)
    let (left, right) = (x + DiagramBox.padding, x + width - DiagramBox.padding)
    lines.append(
      "<g class=\"entity h\(place % VectorStyle.hues.count)\">"
        + "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(frame.height)\" rx=\"6\"/>"
        + "<rect class=\"head\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(head)\" rx=\"6\"/>"
    )
    let style = box.isAbstract ? "name abstract" : "name"
    lines.append(Self.text(box.title, style, left, y + head / 2 + 5))
    if box.isAbstract, detail == .properties {
      lines.append(Self.text("abstract", "detail", right, y + head / 2 + 4))
    }
    for (number, row) in box.rows.enumerated() {
      let middle = y + box.middle(ofRow: number)
      if number == box.relationshipStart, number > 0 {
        lines.append("<path class=\"rule\" d=\"M\(x) \(middle - 9)h\(width)\"/>")
      }
      lines.append(Self.text(row.name, row.isFaint ? "faint" : "plain", left, middle + 4))
      lines.append(Self.text(row.detail, "detail", right, middle + 4))
    }
    lines.append("</g>")
  }

  private static func text(_ text: String, _ style: String, _ x: Int, _ y: Int) -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>"
  }
}

extension ModelDiagram {
  /// The diagram as an SVG with its own layout; needs no other program.
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

/// The colors and fonts of a drawing.
enum VectorStyle {
  /// The hues of entities and the lines that begin there: the color, and the tint of a heading on
  /// light and dark backgrounds.
  static let hues: [(light: String, dark: String, tint: String, shade: String)] = [
    ("#0969da", "#58a6ff", "#ddf4ff", "#0c2d6b"), ("#1a7f37", "#3fb950", "#dafbe1", "#033a16"),
    ("#8250df", "#bc8cff", "#fbefff", "#3c1e70"), ("#9a6700", "#d29922", "#fff8c5", "#4b2900"),
    ("#bf3989", "#f778ba", "#ffeff7", "#5e103e"), ("#1b7c83", "#39c5cf", "#d7f5f7", "#0b3b40"),
    ("#bc4c00", "#f0883e", "#fff1e5", "#5a1e02"),
  ]

  /// The style sheet of drawings; the printed version of a page is light.
  ///
  /// Without a selector, it is for a standalone drawing.
  static func text(within scope: String) -> String {
    func text(_ rules: [(selectors: String, style: String)]) -> String {
      rules.map { rule in
        let selectors = rule.selectors.split(separator: ",").map {
          scope.isEmpty ? String($0) : "\(scope) \($0)"
        }
        return "\(selectors.joined(separator: ",")){\(rule.style)}"
      }.joined()
    }
    let media = scope.isEmpty ? "(" : " screen and ("
    return text(light + colors { ($0.tint, $0.light) })
      + "@media\(media)prefers-color-scheme:dark){"
      + text(dark + colors { ($0.shade, $0.dark) }) + "}"
  }

  private static let light = [
    (
      "text",
      "font-family:-apple-system,BlinkMacSystemFont,\"Segoe UI\",Helvetica,Arial,sans-serif;"
        + "font-size:\(DiagramBox.textSize)px;fill:#1f2328"
    ),
    (".ground", "fill:#fff"), (".entity rect", "fill:#fff;stroke:#8c959f"),
    (".rule", "stroke:#d0d7de"),
    (".name", "font-size:\(DiagramBox.titleSize)px;font-weight:600"),
    (".abstract", "font-style:italic"), (".detail", "text-anchor:end;fill:#59636e"),
    (".faint", "font-style:italic;fill:#59636e"),
    (".link path,.inherits path", "fill:none;stroke-width:1.3"),
    (".inherits path", "stroke:#57606a"), (".inherits .tip", "fill:#fff"),
    (".link:hover path,.inherits:hover path", "stroke-width:3"),
  ]

  private static let dark = [
    ("text", "fill:#e6edf3"), (".ground", "fill:#0d1117"),
    (".entity rect", "fill:#161b22;stroke:#6e7681"), (".rule", "stroke:#30363d"),
    (".detail,.faint", "fill:#9198a1"), (".inherits path", "stroke:#9198a1"),
    (".inherits .tip", "fill:#0d1117"),
  ]

  private static func colors(
    _ pick: ((light: String, dark: String, tint: String, shade: String)) -> (String, String)
  ) -> [(String, String)] {
    hues.enumerated().flatMap { number, hue in
      let (heading, line) = pick(hue)
      return [
        (".entity.h\(number) .head", "fill:\(heading)"), (".c\(number) path", "stroke:\(line)"),
        (".c\(number) .tip", "fill:\(line)"),
      ]
    }
  }
}
