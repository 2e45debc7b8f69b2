internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func inspected(_ inspection: Inspection, showsValues: Bool) throws {
    try showStore(inspection)
    if let archive = inspection.archive { try show(archive) }
    for entity in inspection.entities { try show(entity) }
    for pairs in inspection.relationships {
      var object: JSONObject = [
        "entity": .string(pairs.entityName), "name": .string(pairs.relationshipName),
      ]
      object.append("inverse", Self.text(pairs.inverseName))
      object.append("pairs", Self.number(pairs.pairCount))
      try line("relationship", object)
    }
    for key in inspection.metadata {
      var object: JSONObject = ["name": .string(key.name)]
      if showsValues { object.append("value", .string(key.value)) }
      try line("metadata", object)
    }
    try showBeside(inspection)
    try summary(
      .done,
      [
        "objects": Self.number(inspection.objectCount),
        "entities": Self.number(inspection.entities.count),
        "kind": .string(inspection.kind.rawValue),
      ])
  }

  func drew(_ report: StoreReport, showsValues: Bool, to path: String) throws {
    try inspected(report.inspection, showsValues: showsValues)
  }

  private func showStore(_ inspection: Inspection) throws {
    var object: JSONObject = [
      "kind": .string(inspection.kind.rawValue), "path": .string(inspection.path),
      "uuid": Self.text(inspection.storeUUID) ?? .null,
      "frameworkVersion": inspection.frameworkVersion.map { .integer($0) } ?? .null,
      "frameworkEra": Self.text(inspection.frameworkEra) ?? .null,
      "modelSource": .string(inspection.model.source.rawValue),
      "versionIdentifiers": .array(inspection.versionIdentifiers.map { .string($0) }),
      "migratedInPlace": .bool(inspection.wasMigratedInPlace),
    ]
    object.append("modelProblem", Self.text(inspection.modelProblem))
    object.append("metadataProblem", Self.text(inspection.metadataProblem))
    object.append("bytes", inspection.byteCount.map(Self.number))
    let settings = inspection.settings
    object.append(
      "settings",
      .object([
        "pageSize": .integer(settings.pageSize), "journalMode": .string(settings.journalMode),
        "autoVacuum": .string(settings.autoVacuum), "encoding": .string(settings.encoding),
        "userVersion": .integer(settings.userVersion),
        "applicationID": .integer(settings.applicationID),
      ]))
    try line("store", object)
  }

  private func show(_ archive: ArchiveFacts) throws {
    try line(
      "archive",
      [
        "formatVersion": .integer(archive.formatVersion),
        "entries": Self.number(archive.entryCount), "bytes": Self.number(archive.byteCount),
        "plainBytes": Self.number(archive.plainByteCount), "digest": .string(archive.digest),
        "repacked": .bool(archive.isRepacked),
        "encrypted": .bool(archive.isEncrypted),
      ])
    guard let salvage = archive.salvage else { return }
    try line(
      "salvage",
      [
        "lostRows": Self.number(salvage.lostRowCount), "lostRowsExact": .bool(salvage.isExact),
        "lostValues": Self.number(salvage.lostValueCount),
        "lostTables": Self.number(salvage.lostTableCount),
        "lostFiles": Self.number(salvage.lostFileCount),
        "dangling": Self.number(salvage.danglingCount),
      ])
  }

  private func show(_ entity: EntityInspection) throws {
    var object: JSONObject = [
      "name": .string(entity.name), "objects": Self.number(entity.objectCount),
      "superentity": Self.text(entity.superentityName) ?? .null,
      "abstract": .bool(entity.isAbstract),
      "number": entity.number.map { .integer($0) } ?? .null,
    ]
    object.append("attributes", .array(entity.attributes.map(Self.attribute)))
    object.append("relationships", .array(entity.relationships.map(Self.relationship)))
    try line("entity", object)
  }

  private static func attribute(_ attribute: AttributeDescription) -> JSONValue {
    var object: JSONObject = [
      "name": .string(attribute.name), "type": .string(attribute.type.name),
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
      "name": .string(relationship.name),
      "destination": .string(relationship.destinationName),
      "inverse": text(relationship.inverseName) ?? .null,
      "toMany": .bool(relationship.isToMany), "ordered": .bool(relationship.isOrdered),
      "optional": .bool(relationship.isOptional),
      "deleteRule": .string(relationship.deleteRule.name),
    ])
  }

  /// What there is beside the objects.
  private func showBeside(_ inspection: Inspection) throws {
    if let history = inspection.history {
      try line(
        "history",
        [
          "transactions": Self.number(history.transactionCount),
          "changes": Self.number(history.changeCount),
          "firstDate": Self.text(history.firstDate) ?? .null,
          "lastDate": Self.text(history.lastDate) ?? .null,
        ])
    }
    let tables = [("cloudkit-table", inspection.cloudKit)]
    for (type, tables) in tables + [("unknown-table", inspection.unknownTables)] {
      for table in tables {
        try line(type, ["name": .string(table.name), "rows": Self.number(table.rowCount)])
      }
    }
    for column in inspection.unknownColumns {
      try line(
        "unknown-column", ["table": .string(column.tableName), "name": .string(column.name)])
    }
    for part in inspection.missingParts ?? [] {
      var object: JSONObject = [
        "kind": .string(part.kind), "entity": .string(part.entityName),
      ]
      object.append("property", Self.text(part.propertyName))
      object.append("expectedName", .string(part.expectedName))
      try line("missing-part", object)
    }
    let files = inspection.externalData
    var object: JSONObject = [
      "files": Self.number(files.fileCount), "bytes": Self.number(files.byteCount),
    ]
    object.append("references", files.referenceCount.map(Self.number))
    object.append("missing", files.missingFileCount.map(Self.number))
    object.append("orphaned", files.orphanedFileCount.map(Self.number))
    try line("external-data", object)
  }
}
