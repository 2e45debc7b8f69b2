internal import CofferKit
internal import CoreDataArchive

extension JSONLines {
  func shaped(_ summary: DataExportSummary, to folder: String, status: ExitStatus) throws {
    for part in summary.parts {
      var members: JSONObject = [
        "file": .string(part.fileName), "entity": .string(part.entityName),
      ]
      members.append("relationship", Self.text(part.relationshipName))
      let unit = part.relationshipName == nil ? "objects" : "pairs"
      members.append(unit, Self.number(part.count))
      try line("written", members)
    }
    try self.summary(
      status,
      [
        "folder": .string(folder), "format": .string(summary.format.rawValue),
        "objects": Self.number(summary.objectCount), "pairs": Self.number(summary.pairCount),
        "files": Self.number(summary.fileNames.count),
        "externalFiles": Self.number(summary.externalFileCount),
        "excludedEntities": Self.number(summary.excludedEntityCount),
        "otherTables": Self.number(summary.otherTableCount),
        "otherColumns": Self.number(summary.otherColumnCount),
        "warnings": .array(
          summary.warnings.map {
            .object(["code": .string($0.code.rawValue), "count": Self.number($0.count)])
          }),
      ])
  }
}
