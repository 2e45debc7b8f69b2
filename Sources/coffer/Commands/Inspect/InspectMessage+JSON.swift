internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

extension InspectMessage {
  func write(to printer: JSONPrinter) throws {
    try showStore(printer)
    if let archive = inspection.archive { try show(archive, printer) }
    for entity in inspection.entities { try show(entity, printer) }
    for pairs in inspection.relationships {
      try printer.line([
        "type": "relationship", "entity": pairs.entityName.text,
        "name": pairs.relationshipName.text, "inverse": pairs.inverseName?.text,
        "pairs": pairs.pairCount,
      ])
    }
    for key in inspection.metadata {
      var object: JSONMembers = ["type": "metadata", "name": key.name]
      if showsValues { object.append("value", key.value) }
      try printer.line(object)
    }
    try showBeside(printer)
    try printer.summary(
      .done,
      [
        "objects": inspection.objectCount, "entities": inspection.entities.count,
        "kind": inspection.kind.rawValue,
      ])
  }

  private func showStore(_ printer: JSONPrinter) throws {
    var object: JSONMembers = [
      "type": "store", "kind": inspection.kind.rawValue, "path": inspection.path,
      "uuid": orNull(inspection.storeUUID), "frameworkVersion": orNull(inspection.frameworkVersion),
      "frameworkEra": orNull(inspection.frameworkEra),
      "modelSource": inspection.model.source.rawValue,
      "versionIdentifiers": inspection.versionIdentifiers.map(\.text),
      "migratedInPlace": inspection.wasMigratedInPlace, "modelProblem": inspection.modelProblem,
      "metadataProblem": inspection.metadataProblem, "bytes": inspection.byteCount,
      "freeBytes": inspection.freeByteCount, "logBytes": inspection.logByteCount,
      "contentDigest": contentDigest,
    ]
    let settings = inspection.settings
    object.append(
      "settings",
      JSONMembers([
        "pageSize": settings.pageSize, "journalMode": settings.journalMode,
        "autoVacuum": settings.autoVacuum, "encoding": settings.encoding,
        "userVersion": settings.userVersion, "applicationID": settings.applicationID,
      ]))
    try printer.line(object)
  }

  private func show(_ archive: ArchiveFacts, _ printer: JSONPrinter) throws {
    try printer.line([
      "type": "archive", "formatVersion": archive.formatVersion, "entries": archive.entryCount,
      "bytes": archive.byteCount, "plainBytes": archive.plainByteCount, "digest": archive.digest,
      "contentDigest": archive.contentDigest, "repacked": archive.isRepacked,
      "encrypted": archive.isEncrypted,
    ])
    guard let salvage = archive.salvage else { return }
    try printer.line([
      "type": "salvage", "lostRows": salvage.lostRowCount, "lostRowsExact": salvage.isExact,
      "lostValues": salvage.lostValueCount, "lostTables": salvage.lostTableCount,
      "lostFiles": salvage.lostFileCount, "missingLogBytes": salvage.missingLogByteCount,
      "known": salvage.isKnown, "dangling": salvage.danglingCount,
    ])
  }

  private func show(_ entity: EntityInspection, _ printer: JSONPrinter) throws {
    try printer.line([
      "type": "entity", "name": entity.name.text, "objects": entity.objectCount,
      "superentity": orNull(entity.superentityName?.text), "abstract": entity.isAbstract,
      "number": orNull(entity.number), "attributes": entity.attributes.map(Self.attribute),
      "relationships": entity.relationships.map(Self.relationship),
    ])
  }

  private static func attribute(_ attribute: AttributeDescription) -> JSONMembers {
    var object: JSONMembers = [
      "name": attribute.name.text, "type": attribute.type.name, "optional": attribute.isOptional,
      "transient": attribute.isTransient, "derived": attribute.isDerived,
      "external": attribute.allowsExternalBinaryDataStorage,
    ]
    if attribute.isComposite {
      object.append("elements", attribute.elements.map(Self.attribute))
    }
    return object
  }

  private static func relationship(_ relationship: RelationshipDescription) -> JSONMembers {
    [
      "name": relationship.name.text, "destination": relationship.destinationName.text,
      "inverse": orNull(relationship.inverseName?.text), "toMany": relationship.isToMany,
      "ordered": relationship.isOrdered, "optional": relationship.isOptional,
      "deleteRule": relationship.deleteRule.name,
    ]
  }

  /// Prints everything except the objects.
  private func showBeside(_ printer: JSONPrinter) throws {
    if let history = inspection.history {
      try printer.line([
        "type": "history", "transactions": history.transactionCount, "changes": history.changeCount,
        "firstDate": orNull(history.firstDate), "lastDate": orNull(history.lastDate),
      ])
    }
    let tables = [("cloudkit-table", inspection.cloudKit)]
    for (type, tables) in tables + [("unknown-table", inspection.unknownTables)] {
      for table in tables {
        try printer.line(["type": type, "name": table.name, "rows": table.rowCount])
      }
    }
    for column in inspection.unknownColumns {
      try printer.line(["type": "unknown-column", "table": column.tableName, "name": column.name])
    }
    for part in inspection.missingParts ?? [] {
      try printer.line([
        "type": "missing-part", "kind": part.kind.rawValue, "entity": part.entity.text,
        "property": part.property?.text, "expectedName": part.expectedName,
      ])
    }
    let files = inspection.externalData
    var object: JSONMembers = [
      "type": "external-data", "files": files.fileCount, "bytes": files.byteCount,
      "references": files.referenceCount, "missing": files.missingFileCount,
      "orphaned": files.orphanedFileCount,
    ]
    if files.companionFileCount > 0 {
      object.append("companionFiles", files.companionFileCount)
      object.append("companionBytes", files.companionByteCount)
    }
    try printer.line(object)
  }
}
