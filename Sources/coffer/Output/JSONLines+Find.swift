internal import CofferKit
internal import CoreDataArchive
internal import Foundation

extension JSONLines {
  func found(_ store: FoundStore) throws {
    var object: JSONObject = [
      "path": .string(store.path), "bytes": Self.number(store.byteCount),
    ]
    object.append("devicePath", Self.text(store.devicePath))
    let date = store.modified.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
    object.append("modified", Self.text(date))
    object.append("uuid", Self.text(store.storeUUID))
    object.append("frameworkVersion", store.frameworkVersion.map { .integer($0) })
    object.append("frameworkEra", Self.text(store.frameworkEra))
    object.append("entities", .array(store.entityNames.map { .string($0) }))
    object.append("objects", Self.number(store.objectCount))
    object.append("problem", Self.text(store.problem))
    try line("found", object)
  }

  func searched(_ summary: FindSummary, status: ExitStatus) throws {
    try self.summary(
      status,
      [
        "stores": Self.number(summary.storeCount), "files": Self.number(summary.fileCount),
        "unreadableFolders": Self.number(summary.unreadableFolders.count),
      ])
  }
}
