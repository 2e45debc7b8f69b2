internal import ArgumentParser
internal import CoreDataModel

/// An entity or one of its objects, as typed: `Person`, `Person/p7`, `Person/7`, or the URI of an object
/// if that is allowed.
struct ObjectArgument {
  let entityName: Name
  let primaryKey: Int64?
  /// The UUID of the store in a URI; nil without one.
  let storeUUID: String?

  /// The caller checks the store in a URI.
  ///
  /// - Throws: `ValidationError` for a text that is neither an entity nor an object.
  init(_ text: String, takesURI: Bool) throws {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    var uuid: String?
    if takesURI, parts.count == 5, parts[0].lowercased() == "x-coredata:", parts[1].isEmpty {
      uuid = String(parts[2])
      parts.removeFirst(3)
    }
    let digits = parts.count == 2 ? parts[1].drop { $0 == "p" || $0 == "P" } : ""
    let key = parts.count == 2 && digits.count + 1 >= parts[1].count ? Int64(digits) : nil
    guard let name = parts.first, !name.isEmpty, uuid == nil && parts.count == 1 || key != nil
    else {
      throw ValidationError(
        "'\(text)' is neither an entity, such as Person, nor an object, such as Person/p7.")
    }
    entityName = Name(String(name))
    primaryKey = key
    storeUUID = uuid
  }
}
