internal import CoreDataModel

/// The content of a drawing before it is laid out: boxes, and lines between their edges.
struct DiagramPlan: Sendable {
  /// The detail of a drawing.
  enum Detail: Sendable {
    /// Entities with their properties, and a line for each relationship or pair of inverses.
    case properties
    /// The names of entities, and a line for each two that a relationship connects.
    case names
  }

  /// A line of a box at whose left or right end a line may begin.
  struct Port: Sendable, Hashable {
    let box: Int
    /// The distance from the top of the box.
    let offset: Int
  }

  /// The sign at the end of a line: a mark next to the box, and a cardinality above the line.
  struct Sign: Sendable, Hashable {
    /// The drawing.
    enum Mark: Sendable {
      /// To-many: a crow's foot.
      case many
      /// To-one: a bar.
      case one
      /// To-one without an inverse: an arrowhead.
      case arrow
    }

    let mark: Mark
    let text: String

    /// The width that it takes next to the box, including some space behind it.
    var reach: Int {
      DiagramLayout.markWidth + 1 + DiagramText.width(text, size: DiagramLayout.labelSize) + 6
    }
  }

  /// A line between two boxes.
  struct Line: Sendable {
    let start: Port
    let end: Port
    /// The sign at the start; nil for none.
    let startSign: Sign?
    /// The sign at the end; nil for none.
    let endSign: Sign?
    /// The positions of its links in the diagram.
    let links: [Int]
  }

  private(set) var boxes: [DiagramBox] = []
  private(set) var lines: [Line] = []
  /// The superentity of each box.
  let parents: [Int?]

  /// Plans the drawing of a diagram.
  init(_ diagram: ModelDiagram, _ detail: Detail = .properties) {
    parents = diagram.parents
    switch detail {
    case .properties: planProperties(diagram)
    case .names: planNames(diagram)
    }
  }

  /// The places on a heading where relationships without an inverse end: one for each sign, which
  /// they share.
  private mutating func planProperties(_ diagram: ModelDiagram) {
    var landings = [[Sign]](repeating: [], count: diagram.entities.count)
    for link in diagram.links where link.inverse == nil {
      let sign = Self.sign(link.end.relationship, hasInverse: false)
      if !landings[link.destination].contains(sign) { landings[link.destination].append(sign) }
    }
    boxes = zip(diagram.entities, landings).map { DiagramBox($0, landingCount: $1.count) }
    func port(_ end: ModelDiagram.End) -> Port {
      Port(box: end.entity, offset: boxes[end.entity].relationshipMiddle(end.place))
    }
    lines = diagram.links.enumerated().map { place, link in
      let sign = Self.sign(link.end.relationship, hasInverse: link.inverse != nil)
      if let inverse = link.inverse {
        return Line(
          start: port(link.end), end: port(inverse),
          startSign: Self.sign(inverse.relationship, hasInverse: true), endSign: sign,
          links: [place])
      }
      let landing = landings[link.destination].firstIndex(of: sign) ?? 0
      let heading = Port(
        box: link.destination, offset: boxes[link.destination].headerMiddle(landing))
      return Line(
        start: port(link.end), end: heading, startSign: nil, endSign: sign, links: [place])
    }
  }

  private static func sign(_ relationship: RelationshipDescription, hasInverse: Bool) -> Sign {
    Sign(
      mark: relationship.isToMany ? .many : hasInverse ? .one : .arrow,
      text: relationship.cardinality)
  }

  private mutating func planNames(_ diagram: ModelDiagram) {
    var pairs: [(one: Int, other: Int, links: [Int])] = []
    var positions: [[Int]: Int] = [:]
    for (place, link) in diagram.links.enumerated() where link.end.entity != link.last {
      let ends = [link.end.entity, link.last].sorted()
      if let position = positions[ends] {
        pairs[position].links.append(place)
      } else {
        positions[ends] = pairs.count
        pairs.append((ends[0], ends[1], [place]))
      }
    }
    var counts = [Int](repeating: 0, count: diagram.entities.count)
    let ends = pairs.map { pair in
      defer {
        counts[pair.one] += 1
        counts[pair.other] += 1
      }
      return (counts[pair.one], counts[pair.other])
    }
    boxes = zip(diagram.entities, counts).map { DiagramBox(nameOf: $0, lineCount: $1) }
    lines = zip(pairs, ends).map { pair, places in
      Line(
        start: Port(box: pair.one, offset: boxes[pair.one].lineMiddle(places.0)),
        end: Port(box: pair.other, offset: boxes[pair.other].lineMiddle(places.1)),
        startSign: nil, endSign: nil, links: pair.links)
    }
  }
}
