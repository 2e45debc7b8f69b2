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
  /// The distance of lines that end at a box without properties.
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
    title = entity.name
    isAbstract = entity.isAbstract
    headerHeight = Self.headerHeight + max(0, landingCount - 1) * Self.rowHeight
    attributes = entity.attributes.flatMap { Self.rows($0, indent: "") }
    relationships =
      entity.relationships.map { relationship in
        let order = relationship.isOrdered ? " ordered" : ""
        return Row(
          name: relationship.name,
          detail: "→ \(relationship.destinationName) \(relationship.cardinality)\(order)",
          isFaint: relationship.isTransient)
      }
      + entity.fetchedProperties.map {
        Row(name: $0.name, detail: "fetched \($0.fetchedEntityName ?? "")", isFaint: true)
      }
    let texts = (attributes + relationships).map { row in
      DiagramText.width(row.name, size: Self.textSize)
        + DiagramText.width(row.detail, size: Self.textSize) + 2 * Self.padding + 16
    }
    let heading = Self.titleWidth(entity.name) + (entity.isAbstract ? 60 : 0)
    width = max(120, heading, texts.max() ?? 0)
  }

  /// The box of an entity's name.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - lineCount: the number of lines that end at the box.
  init(nameOf entity: EntityDescription, lineCount: Int) {
    title = entity.name
    isAbstract = entity.isAbstract
    (attributes, relationships) = ([], [])
    headerHeight = max(Self.headerHeight, (lineCount + 1) * Self.lineHeight)
    width = max(60, Self.titleWidth(entity.name))
  }

  private static func titleWidth(_ title: String) -> Int {
    DiagramText.width(title, size: titleSize, isBold: true) + 2 * padding
  }

  private static func rows(_ attribute: AttributeDescription, indent: String) -> [Row] {
    let own = Row(
      name: indent + attribute.name, detail: attribute.diagramType,
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
