internal import CoreDataModel
internal import CoreDataStore

/// Checks the store metadata: one row with a UUID and a property list.
final class MetadataCheck: RunCheck, Check {
  static let name = CheckName.metadata

  func finish() throws {
    let rows = context.administration.metadata
    guard let metadata = rows.first else {
      // Unreadable metadata is reported with the damage of its page.
      if !context.administration.lacksReadable("the store metadata") {
        try report(.missingMetadata)
      }
      return
    }
    if rows.count > 1 { try report(.surplusMetadata, "\(rows.count) rows") }
    if !Self.isUUID(metadata.uuid) {
      try report(.invalidStoreUUID, metadata.uuid == nil ? "there is none" : "")
    }
    if let problem = Self.problem(of: metadata) {
      try report(.unreadableMetadata, problem)
    } else if metadata.storeType != "SQLite" {
      try report(.wrongStoreType, metadata.storeType == nil ? "there is none" : "")
    }
  }

  /// Why the property list is unusable; nil if it is usable.
  private static func problem(of metadata: StoreMetadata) -> String? {
    if metadata.propertyList.isEmpty {
      return metadata.propertyListError?.detail ?? "there is none"
    }
    do throws(CofferError) {
      let list = try PropertyListValue.parse(metadata.propertyList)
      return list.entries == nil ? "it is not a dictionary" : nil
    } catch {
      return error.detail
    }
  }

  /// Whether a text is a UUID as Core Data writes it: 32 upper-case digits, in groups of 8, 4, 4, 4
  /// and 12.
  private static func isUUID(_ text: String?) -> Bool {
    guard let text else { return false }
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }

  private func report(_ code: FindingCode, _ detail: String = "") throws {
    try context.report(code, detail: detail)
  }
}
