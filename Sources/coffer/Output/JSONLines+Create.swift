internal import CofferKit
internal import CoreDataArchive

extension JSONLines {
  func created(_ summary: CreationSummary, at store: String, status: ExitStatus) throws {
    try self.summary(
      status,
      [
        "store": .string(store), "storeUUID": .string(summary.storeUUID),
        "frameworkVersion": .integer(summary.frameworkVersion),
        "frameworkEra": .string(summary.frameworkEra),
        "entities": JSONLines.number(summary.entityCount),
        "tables": JSONLines.number(summary.tableCount),
        "indexes": JSONLines.number(summary.indexCount),
        "triggers": JSONLines.number(summary.triggerCount),
        "versionHashes": .bool(summary.hasVersionHashes),
        "notes": .array(summary.notes.map { .string($0) }),
      ])
  }
}
