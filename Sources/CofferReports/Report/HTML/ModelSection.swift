internal import CofferCore
internal import CoreDataModel

/// The managed object model: a diagram and its entities.
struct ModelSection: HTMLSection {
  let report: StoreReport

  let identifier = "model"
  let title = "Model"

  private var inspection: Inspection { report.inspection }

  func write(to page: inout HTMLText) {
    page.element("p", ["class": "lead"], text: summary)
    guard !inspection.model.entities.isEmpty else { return }
    draw(&page)
    page.element("h3", text: "Entities")
    let known = inspection.entities.filter { !$0.name.isEmpty }
    let isLong = known.count > Self.maxWithProperties
    let full = isLong ? known.filter { $0.objectCount > 0 } : known
    list(full.prefix(Self.maxWithProperties), &page)
    let more = full.dropFirst(Self.maxWithProperties)
    if !more.isEmpty {
      page.fold("\(QuantityText.count(more.count)) more") { list(more, &$0) }
    }
    let empty = known.filter { $0.objectCount == 0 }
    guard isLong, !empty.isEmpty else { return }
    page.fold("\(QuantityText.count(empty.count, "entity", "entities")) without objects") {
      list(empty, &$0)
    }
  }

  private func list(_ entities: some Sequence<EntityInspection>, _ page: inout HTMLText) {
    page.element("div", ["class": "entity-list"]) { page in
      for entity in entities { list(entity, &page) }
    }
    page.line()
  }

  private var summary: String {
    let entities = inspection.model.entities
    guard !entities.isEmpty else { return "The model has no entities." }
    func count(_ number: Int, _ noun: String) -> String { QuantityText.count(number, noun) }
    let attributes = count(entities.reduce(0) { $0 + $1.attributes.count }, "attribute")
    let relationships = count(entities.reduce(0) { $0 + $1.relationships.count }, "relationship")
    let abstract = entities.count(where: \.isAbstract)
    let name = QuantityText.count(entities.count, "entity", "entities")
    return
      "\(name)\(abstract > 0 ? ", \(QuantityText.count(abstract)) of them abstract" : ""), with "
      + "\(attributes) and \(relationships)."
  }

  private func draw(_ page: inout HTMLText) {
    let diagram = ModelDiagram(inspection.model)
    guard diagram.isDrawable else {
      page.element("p", text: "The model is too large to draw. Its entities are listed below.")
      return
    }
    guard diagram.entities.count > Self.maxWithProperties else {
      return canvas(
        VectorDiagram(diagram, title: "Diagram of the model", identifier: "diagram"), &page)
    }
    page.element(
      "p", ["class": "lead"],
      text: "Lines are relationships; a triangle marks a superentity.")
    var single: [Name] = []
    page.element("div", ["class": "clusters"]) { page in
      for (number, cluster) in diagram.clusters.enumerated() {
        if cluster.entities.count == 1 {
          single += cluster.entities.map(\.name)
        } else {
          draw(cluster, "diagram-\(number + 1)", &page)
        }
      }
    }
    names(single.map(\.text), &page)
  }

  /// The number of entities up to which a drawing shows properties at once.
  private static let maxWithProperties = 20

  /// Draws connected entities with their names, and folded with their properties.
  private func draw(_ cluster: ModelDiagram, _ identifier: String, _ page: inout HTMLText) {
    let count = QuantityText.count(cluster.entities.count)
    page.element("figure") { page in
      page.element("figcaption") { page in
        page.element("span", ["class": "title"], text: "\(count) connected entities")
      }
      canvas(
        VectorDiagram(
          cluster, title: "\(count) connected entities", .names, identifier: identifier),
        &page)
      page.element("details") { page in
        page.element("summary", text: "With their properties")
        canvas(
          VectorDiagram(
            cluster, title: "\(count) connected entities with their properties",
            identifier: identifier + "-full"), &page)
      }
    }
    page.line()
  }

  /// Lists entities that nothing connects.
  private func names(_ names: [String], _ page: inout HTMLText) {
    guard !names.isEmpty else { return }
    page.fold("\(QuantityText.count(names.count, "entity", "entities")) without relationships") {
      $0.names(names)
    }
  }

  private func canvas(_ drawing: VectorDiagram, _ page: inout HTMLText) {
    // A drawing that is not wider than the page has only one size.
    if drawing.layout.width > 340 {
      let isWide = drawing.layout.width > 1050
      page.element("label", ["class": isWide ? "zoom" : "zoom narrow"]) { page in
        page.open("input", ["type": "checkbox"])
        page.write("Show the diagram at full size")
      }
    }
    page.element(
      "div",
      ["class": "canvas", "role": "region", "tabindex": "0", "aria-label": drawing.title]
    ) { $0.markup(drawing.text) }
    page.line()
  }

  private func list(_ entity: EntityInspection, _ page: inout HTMLText) {
    page.element("details") { page in
      page.element("summary") { page in
        page.element("span", ["class": "title"]) { $0.name(entity.name.text) }
        page.write(" ")
        page.element("span", ["class": "note"]) { page in
          if let parent = entity.superentityName {
            page.write("inherits from ")
            page.name(parent.text)
            page.write(", ")
          }
          if entity.isAbstract { page.write("abstract, ") }
          page.write(QuantityText.count(entity.objectCount, "object"))
        }
      }
      properties(entity, &page)
      if let hash = report.versionHashes[entity.name] {
        page.element("p", ["class": "hash"]) { page in
          page.write("Version hash ")
          page.element("code", text: hash)
        }
      }
    }
    page.line()
  }

  private func properties(_ entity: EntityInspection, _ page: inout HTMLText) {
    guard !entity.attributes.isEmpty || !entity.relationships.isEmpty else {
      return page.element("p", text: "No own properties.")
    }
    DataTable(
      caption: "Properties of \(entity.name)", hidesCaption: true, isWhole: true,
      columns: [("Property", .text), ("Type", .text), ("Notes", .text)],
      rows: entity.attributes.flatMap { Self.rows($0, prefix: "") }
        + entity.relationships.map(Self.row)
    ).write(to: &page)
  }

  private static func rows(
    _ attribute: AttributeDescription, prefix: String
  ) -> [[DataTable.Cell]] {
    var notes: [String] = []
    if attribute.isOptional { notes.append("optional") }
    if attribute.isTransient { notes.append("transient") }
    if attribute.isDerived { notes.append("derived") }
    if attribute.allowsExternalBinaryDataStorage { notes.append("allows external storage") }
    let name = prefix + attribute.name.text
    let row: [DataTable.Cell] = [
      .name(name), .text(attribute.type.name), .text(notes.joined(separator: ", ")),
    ]
    return [row] + attribute.elements.flatMap { rows($0, prefix: name + ".") }
  }

  private static func row(_ relationship: RelationshipDescription) -> [DataTable.Cell] {
    var notes = [relationship.isToMany ? "to-many" : "to-one"]
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isOptional { notes.append("optional") }
    if let inverse = relationship.inverseName { notes.append("inverse \(inverse)") }
    return [
      .name(relationship.name.text), .name("→ \(relationship.destinationName)"),
      .name(notes.joined(separator: ", ")),
    ]
  }
}
