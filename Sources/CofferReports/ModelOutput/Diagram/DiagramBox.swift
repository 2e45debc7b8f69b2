internal import CoreDataModel

/// The box of an entity in a drawing: its texts and their size.
struct DiagramBox: Sendable {
  /// A line of text for a property.
  struct Row: Sendable {
    let name: String
    let detail: String
    /// Whether it exists only in memory, or is computed.
    let isFaint: Bool
  }

  private static let headerHeight = 28
  /// The distance between lines that end at a box without properties.
  private static let lineHeight = 9
  static let rowHeight = 17
  static let titleSize = 13
  static let textSize = 11
  /// The space at both sides of a text.
  static let padding = 10

  let title: String
  let isAbstract: Bool
  /// The attributes, composite ones followed by their elements.
  let attributes: [Row]
  /// The relationships in order, followed by the fetched properties.
  let relationships: [Row]
  let width: Int
  /// The height of the heading.
  let headerHeight: Int

  /// The box of an entity with its properties.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - landingCount: the number of places at the heading where lines end.
  init(_ entity: EntityDescription, landingCount: Int) {
    title = entity.name.text
    isAbstract = entity.isAbstract
    headerHeight = Self.headerHeight + max(0, landingCount - 1) * Self.rowHeight
    attributes = entity.attributes.flatMap { Self.rows($0, indent: "") }
    relationships =
      entity.relationships.map { relationship in
        let order = relationship.isOrdered ? " ordered" : ""
        return Row(
          name: relationship.name.text,
          detail: "→ \(relationship.destinationName) \(relationship.cardinality)\(order)",
          isFaint: relationship.isTransient)
      }
      + entity.fetchedProperties.map {
        Row(name: $0.name.text, detail: "fetched \($0.fetchedEntityName ?? "")", isFaint: true)
      }
    let texts = (attributes + relationships).map { row in
      DiagramText.width(row.name, size: Self.textSize)
        + DiagramText.width(row.detail, size: Self.textSize) + 2 * Self.padding + 16
    }
    let heading = Self.titleWidth(entity.name.text) + (entity.isAbstract ? 60 : 0)
    width = max(120, heading, texts.max() ?? 0)
  }

  /// The box of an entity's name.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - lineCount: the number of lines that end at the box.
  init(nameOf entity: EntityDescription, lineCount: Int) {
    title = entity.name.text
    isAbstract = entity.isAbstract
    (attributes, relationships) = ([], [])
    headerHeight = max(Self.headerHeight, (lineCount + 1) * Self.lineHeight)
    width = max(60, Self.titleWidth(entity.name.text))
  }

  private static func titleWidth(_ title: String) -> Int {
    DiagramText.width(title, size: titleSize, isBold: true) + 2 * padding
  }

  private static func rows(_ attribute: AttributeDescription, indent: String) -> [Row] {
    let own = Row(
      name: indent + attribute.name.text, detail: attribute.diagramType,
      isFaint: attribute.isTransient || attribute.isDerived)
    return [own] + attribute.elements.flatMap { rows($0, indent: indent + "· ") }
  }

  /// The height of the box.
  var height: Int {
    let count = attributes.count + relationships.count
    let gaps = (attributes.isEmpty ? 0 : 8) + (relationships.isEmpty ? 0 : 8)
    return headerHeight + count * Self.rowHeight + gaps
  }

  /// The vertical center of an attribute's line, from the top of the box.
  func attributeMiddle(_ place: Int) -> Int {
    headerHeight + 4 + place * Self.rowHeight + Self.rowHeight / 2
  }

  /// The vertical center of a relationship's line, from the top of the box.
  func relationshipMiddle(_ place: Int) -> Int {
    let above = attributes.isEmpty ? 0 : attributes.count * Self.rowHeight + 8
    return headerHeight + above + 4 + place * Self.rowHeight + Self.rowHeight / 2
  }

  /// The vertical center of a place at the heading, from the top of the box.
  func headerMiddle(_ landing: Int) -> Int {
    Self.headerHeight / 2 + landing * Self.rowHeight
  }

  /// The height of a line that ends at a box without properties, from the top of the box.
  func lineMiddle(_ place: Int) -> Int { (place + 1) * Self.lineHeight }
}

/// The approximate width of text in a sans-serif font.
///
/// No real font is used, so that text has the same width everywhere.
enum DiagramText {
  /// The width of a text in points, too large rather than too small.
  static func width(_ text: String, size: Int, isBold: Bool = false) -> Int {
    var thousandths = 0
    for scalar in text.unicodeScalars { thousandths += width(scalar) }
    if isBold { thousandths += thousandths / 12 }
    return (thousandths * size + 999) / 1000
  }

  /// The width of a character in thousandths of the font size.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 320
    case "f", "t", "r", " ", "(", ")", "[", "]", "-", "/": 420
    case "m", "w", "M", "W", "@", "%", "→", "≥": 930
    case "A"..."Z": 710
    case "a"..."z", "0"..."9", "_": 610
    case "\u{0}"..."\u{7F}": 600
    // Wide scripts of Asia, and pictures.
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
      "\u{FE30}"..."\u{FE6F}", "\u{FF00}"..."\u{FF60}", "\u{1F000}"..."\u{3FFFF}":
      1050
    default: 750
    }
  }
}
