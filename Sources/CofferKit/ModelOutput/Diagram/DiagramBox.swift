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

  init(_ entity: EntityDescription) {
    title = entity.name
    isAbstract = entity.isAbstract
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
    let heading =
      DiagramText.width(title, size: Self.titleSize, isBold: true) + 2 * Self.padding
      + (isAbstract ? 60 : 0)
    width = max(120, heading, texts.max() ?? 0)
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
    return Self.headerHeight + count * Self.rowHeight + gaps
  }

  /// The vertical center of an attribute's line, from the top of the box.
  func attributeMiddle(_ place: Int) -> Int {
    Self.headerHeight + 4 + place * Self.rowHeight + Self.rowHeight / 2
  }

  /// The vertical center of a relationship's line, from the top of the box.
  func relationshipMiddle(_ place: Int) -> Int {
    let above = attributes.isEmpty ? 0 : attributes.count * Self.rowHeight + 8
    return Self.headerHeight + above + 4 + place * Self.rowHeight + Self.rowHeight / 2
  }

  /// The vertical center of the heading, from the top of the box.
  var headerMiddle: Int { Self.headerHeight / 2 }
}
