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

  static let headerHeight = 28
  static let titleSize = 13
  static let textSize = 11
  /// The space at both sides of a text.
  static let padding = 10
  private static let rowHeight = 17

  let title: String
  let isAbstract: Bool
  /// The attributes, composite ones followed by their elements, the relationships in order, and the fetched
  /// properties; none in a drawing of names.
  let rows: [Row]
  /// The position of the first relationship.
  let relationshipStart: Int
  let width: Int

  init(_ entity: EntityDescription, _ detail: DiagramLayout.Detail) {
    title = entity.name.text
    isAbstract = entity.isAbstract
    let attributes = detail == .names ? [] : entity.attributes.flatMap { Self.rows($0, indent: "") }
    relationshipStart = attributes.count
    rows = detail == .names ? [] : attributes + Self.relationships(of: entity)
    let texts = rows.map { row in
      Self.width(row.name, size: Self.textSize) + Self.width(row.detail, size: Self.textSize)
        + 2 * Self.padding + 16
    }
    let heading = Self.width(title, size: Self.titleSize) * 13 / 12 + 2 * Self.padding
    let note = isAbstract && detail == .properties ? 60 : 0
    width = max(detail == .names ? 60 : 120, heading + note, texts.max() ?? 0)
  }

  private static func relationships(of entity: EntityDescription) -> [Row] {
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
  }

  private static func rows(_ attribute: AttributeDescription, indent: String) -> [Row] {
    let own = Row(
      name: indent + attribute.name.text, detail: attribute.diagramType,
      isFaint: attribute.isTransient || attribute.isDerived)
    return [own] + attribute.elements.flatMap { rows($0, indent: indent + "· ") }
  }

  var height: Int {
    Self.headerHeight + (rows.isEmpty ? 0 : rows.count * Self.rowHeight + 8)
  }

  /// The vertical center of a row, from the top of the box.
  func middle(ofRow row: Int) -> Int {
    Self.headerHeight + 4 + row * Self.rowHeight + Self.rowHeight / 2
  }

  /// The vertical center of a relationship's row, or of the heading, from the top of the box.
  func middle(ofRelationship place: Int?) -> Int {
    guard let place, !rows.isEmpty else { return Self.headerHeight / 2 }
    return middle(ofRow: relationshipStart + place)
  }

  /// The approximate width of a text in a sans-serif font, too large rather than too small.
  ///
  /// No real font is used, so that text has the same width everywhere.
  private static func width(_ text: String, size: Int) -> Int {
    (text.unicodeScalars.reduce(0) { $0 + width($1) } * size + 999) / 1000
  }

  /// The width of a character in thousandths of the font size.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 320
    case "f", "t", "r", " ", "(", ")", "[", "]", "-", "/": 420
    case "m", "w", "M", "W", "@", "%", "→", "≥": 930
    case "A"..."Z": 710
    case "\u{0}"..."\u{7F}": 610
    // Wide scripts of Asia, and pictures.
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
      "\u{FE30}"..."\u{FE6F}", "\u{FF00}"..."\u{FF60}", "\u{1F000}"..."\u{3FFFF}":
      1050
    default: 750
    }
  }
}
