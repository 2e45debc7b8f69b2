internal import ArgumentParser

/// An entity, or one of its objects, as it is typed: `Person` or `Person/p7`.
struct ObjectArgument {
  let entityName: String
  let primaryKey: Int64?

  init(_ text: String) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let key = parts.count == 2 && parts[1].hasPrefix("p") ? Int64(parts[1].dropFirst()) : nil
    guard let name = parts.first, !name.isEmpty, parts.count == 1 || key != nil else {
      throw ValidationError(
        "'\(text)' is neither an entity, such as Person, nor an object, such as Person/p7.")
    }
    entityName = String(name)
    primaryKey = key
  }
}
