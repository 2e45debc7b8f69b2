internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

extension InspectMessage {
  func write(to printer: JSONPrinter) throws {
    try showStore(printer)
    if let archive = inspection.archive { try show(archive, printer) }
    for entity in inspection.entities { try show(entity, printer) }
    for pairs in inspection.relationships {
      try printer.line(
        "relationship",
        [
          "entity": .string(pairs.entityName.text), "name": .string(pairs.relationshipName.text),
          "inverse": .text(pairs.inverseName?.text), "pairs": .number(pairs.pairCount),
        ])
    }
    for key in inspection.metadata {
      var object: JSONObject = ["name": .string(key.name)]
      if showsValues { object.append("value", .string(key.value)) }
      try printer.line("metadata", object)
    }
    try showBeside(printer)
    try printer.summary(
      .done,
      [
        "objects": .number(inspection.objectCount),
        "entities": .number(inspection.entities.count),
        "kind": .string(inspection.kind.rawValue),
      ])
  }

  private func showStore(_ printer: JSONPrinter) throws {
    var object: JSONObject = [
      "kind": .string(inspection.kind.rawValue), "path": .string(inspection.path),
      "uuid": .text(inspection.storeUUID) ?? .null,
      "frameworkVersion": inspection.frameworkVersion.map { .integer($0) } ?? .null,
      "frameworkEra": .text(inspection.frameworkEra) ?? .null,
      "modelSource": .string(inspection.model.source.rawValue),
      "versionIdentifiers": .array(inspection.versionIdentifiers.map { .string($0.text) }),
      "migratedInPlace": .bool(inspection.wasMigratedInPlace),
      "modelProblem": .text(inspection.modelProblem),
      "metadataProblem": .text(inspection.metadataProblem),
      "bytes": inspection.byteCount.map(JSONValue.number),
      "freeBytes": inspection.freeByteCount.map(JSONValue.number),
      "logBytes": inspection.logByteCount.map(JSONValue.number),
      "contentDigest": .text(contentDigest),
    ]
    let settings = inspection.settings
    object.append(
      "settings",
      .object([
        "pageSize": .integer(settings.pageSize), "journalMode": .string(settings.journalMode),
        "autoVacuum": .string(settings.autoVacuum), "encoding": .string(settings.encoding),
        "userVersion": .integer(settings.userVersion),
        "applicationID": .integer(settings.applicationID),
      ]))
    try printer.line("store", object)
  }

  private func show(_ archive: ArchiveFacts, _ printer: JSONPrinter) throws {
    try printer.line(
      "archive",
      [
        "formatVersion": .integer(archive.formatVersion),
        "entries": .number(archive.entryCount), "bytes": .number(archive.byteCount),
        "plainBytes": .number(archive.plainByteCount), "digest": .string(archive.digest),
        "contentDigest": .string(archive.contentDigest),
        "repacked": .bool(archive.isRepacked),
        "encrypted": .bool(archive.isEncrypted),
      ])
    guard let salvage = archive.salvage else { return }
    try printer.line(
      "salvage",
      [
        "lostRows": .number(salvage.lostRowCount), "lostRowsExact": .bool(salvage.isExact),
        "lostValues": .number(salvage.lostValueCount),
        "lostTables": .number(salvage.lostTableCount),
        "lostFiles": .number(salvage.lostFileCount),
        "missingLogBytes": .number(salvage.missingLogByteCount),
        "known": .bool(salvage.isKnown),
        "dangling": .number(salvage.danglingCount),
      ])
  }

  private func show(_ entity: EntityInspection, _ printer: JSONPrinter) throws {
    try printer.line(
      "entity",
      [
        "name": .string(entity.name.text), "objects": .number(entity.objectCount),
        "superentity": .text(entity.superentityName?.text) ?? .null,
        "abstract": .bool(entity.isAbstract),
        "number": entity.number.map { .integer($0) } ?? .null,
        "attributes": .array(entity.attributes.map(Self.attribute)),
        "relationships": .array(entity.relationships.map(Self.relationship)),
      ])
  }

  private static func attribute(_ attribute: AttributeDescription) -> JSONValue {
    var object: JSONObject = [
      "name": .string(attribute.name.text), "type": .string(attribute.type.name),
      "optional": .bool(attribute.isOptional), "transient": .bool(attribute.isTransient),
      "derived": .bool(attribute.isDerived),
      "external": .bool(attribute.allowsExternalBinaryDataStorage),
    ]
    if attribute.isComposite {
      object.append("elements", .array(attribute.elements.map(Self.attribute)))
    }
    return .object(object)
  }

  private static func relationship(_ relationship: RelationshipDescription) -> JSONValue {
    .object([
      "name": .string(relationship.name.text),
      "destination": .string(relationship.destinationName.text),
      "inverse": .text(relationship.inverseName?.text) ?? .null,
      "toMany": .bool(relationship.isToMany), "ordered": .bool(relationship.isOrdered),
      "optional": .bool(relationship.isOptional),
      "deleteRule": .string(relationship.deleteRule.name),
    ])
  }

  /// Prints everything except the objects.
  private func showBeside(_ printer: JSONPrinter) throws {
    if let history = inspection.history {
      try printer.line(
        "history",
        [
          "transactions": .number(history.transactionCount),
          "changes": .number(history.changeCount),
          "firstDate": .text(history.firstDate) ?? .null,
          "lastDate": .text(history.lastDate) ?? .null,
        ])
    }
    let tables = [("cloudkit-table", inspection.cloudKit)]
    for (type, tables) in tables + [("unknown-table", inspection.unknownTables)] {
      for table in tables {
        try printer.line(type, ["name": .string(table.name), "rows": .number(table.rowCount)])
      }
    }
    for column in inspection.unknownColumns {
      try printer.line(
        "unknown-column", ["table": .string(column.tableName), "name": .string(column.name)])
    }
    for part in inspection.missingParts ?? [] {
      try printer.line(
        "missing-part",
        [
          "kind": .string(part.kind.rawValue), "entity": .string(part.entity.text),
          "property": .text(part.property?.text), "expectedName": .string(part.expectedName),
        ])
    }
    let files = inspection.externalData
    var object: JSONObject = [
      "files": .number(files.fileCount), "bytes": .number(files.byteCount),
      "references": files.referenceCount.map(JSONValue.number),
      "missing": files.missingFileCount.map(JSONValue.number),
      "orphaned": files.orphanedFileCount.map(JSONValue.number),
    ]
    if files.companionFileCount > 0 {
      object.append("companionFiles", .number(files.companionFileCount))
      object.append("companionBytes", .number(files.companionByteCount))
    }
    try printer.line("external-data", object)
  }
}
