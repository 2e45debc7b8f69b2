internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The parts that only the verbose form shows.
extension InspectMessage {
  /// Prints entities with their properties, metadata, and everything except the objects.
  func showDetails(_ printer: TextPrinter) throws {
    try showEntities(printer)
    try showMetadata(printer)
    try showBeside(printer)
  }

  private func showEntities(_ printer: TextPrinter) throws {
    for entity in inspection.entities {
      let parent = entity.superentityName.map { ": \($0)" } ?? ""
      let abstract = entity.isAbstract ? ", abstract" : ""
      let name = entity.name.isEmpty ? "(unknown entity)" : entity.name.text
      let title = printer.style.bold(Terminal.printable(name + parent))
      try printer.line("")
      try printer.line("\(title)  \(QuantityText.count(entity.objectCount, "object"))\(abstract)")
      var block = FieldBlock()
      for attribute in entity.attributes { Self.add(attribute, to: &block, indent: "") }
      for relationship in entity.relationships {
        block.add(relationship.name.text, Self.text(of: relationship))
      }
      try printer.block(block)
    }
    guard !inspection.relationships.isEmpty else { return }
    try printer.heading("Many-to-many relationships")
    var block = FieldBlock()
    for pairs in inspection.relationships {
      block.add(
        "\(pairs.entityName).\(pairs.relationshipName)",
        QuantityText.count(pairs.pairCount, "pair"))
    }
    try printer.block(block)
  }

  private static func add(
    _ attribute: AttributeDescription, to block: inout FieldBlock, indent: String
  ) {
    var notes = [attribute.type.name]
    if attribute.isOptional { notes.append("optional") }
    if attribute.isTransient { notes.append("transient") }
    if attribute.isDerived { notes.append("derived") }
    if attribute.allowsExternalBinaryDataStorage { notes.append("allows external storage") }
    block.add(indent + attribute.name.text, notes.joined(separator: ", "))
    for element in attribute.elements { add(element, to: &block, indent: indent + "  ") }
  }

  private static func text(of relationship: RelationshipDescription) -> String {
    var notes = [relationship.isToMany ? "to-many" : "to-one"]
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isOptional { notes.append("optional") }
    if let inverse = relationship.inverseName { notes.append("inverse \(inverse)") }
    return "→ \(relationship.destinationName), \(notes.joined(separator: ", "))"
  }

  /// Prints the names of the app's metadata, and the values on request.
  func showMetadata(_ printer: TextPrinter) throws {
    guard !inspection.metadata.isEmpty || inspection.metadataProblem != nil else { return }
    try printer.heading("Metadata of the app")
    var block = FieldBlock()
    block.add("problem", inspection.metadataProblem)
    for key in inspection.metadata { block.add(key.name, showsValues ? key.value : "") }
    try printer.block(block)
  }

  private func showBeside(_ printer: TextPrinter) throws {
    if let history = inspection.history { try show(history, printer) }
    try show(inspection.externalData, printer)
    try show(inspection.cloudKit, under: "CloudKit mirroring", printer)
    try show(inspection.unknownTables, under: "Unknown tables", printer)
    if !inspection.unknownColumns.isEmpty {
      try printer.heading("Unknown columns")
      for column in inspection.unknownColumns {
        try printer.line("  \(Terminal.printable("\(column.tableName).\(column.name)"))")
      }
    }
    guard let parts = inspection.missingParts, !parts.isEmpty else { return }
    try printer.heading("Missing from the store")
    var block = FieldBlock()
    for part in parts {
      let property = part.property.map { ".\($0)" } ?? ""
      block.add("\(part.entity)\(property)", "\(part.kind.rawValue) \(part.expectedName)")
    }
    try printer.block(block)
  }

  private func show(_ history: HistoryInspection, _ printer: TextPrinter) throws {
    try printer.heading("Persistent history")
    var block = FieldBlock()
    block.add("transactions", QuantityText.count(history.transactionCount))
    block.add("changes", QuantityText.count(history.changeCount))
    block.add("from", history.firstDate)
    block.add("to", history.lastDate)
    try printer.block(block)
  }

  private func show(_ files: ExternalDataInspection, _ printer: TextPrinter) throws {
    let (missing, orphaned) = (files.missingFileCount ?? 0, files.orphanedFileCount ?? 0)
    guard files.fileCount > 0 || missing > 0 || files.companionFileCount > 0 else { return }
    try printer.heading("External data")
    var block = FieldBlock()
    func add(_ name: String, _ count: Int, _ bytes: Int) {
      block.add(name, "\(QuantityText.count(count)), \(QuantityText.bytes(bytes))")
    }
    add("files", files.fileCount, files.byteCount)
    if files.companionFileCount > 0 {
      add("of CloudKit", files.companionFileCount, files.companionByteCount)
    }
    if missing > 0 { block.add("missing", QuantityText.count(missing)) }
    if orphaned > 0 { block.add("unused", QuantityText.count(orphaned)) }
    try printer.block(block)
  }

  private func show(_ tables: [TableInspection], under title: String, _ printer: TextPrinter) throws
  {
    guard !tables.isEmpty else { return }
    try printer.heading(title)
    var block = FieldBlock()
    for table in tables { block.add(table.name, QuantityText.count(table.rowCount, "row")) }
    try printer.block(block)
  }
}
