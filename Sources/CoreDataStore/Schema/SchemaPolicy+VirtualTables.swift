extension SchemaPolicy {
  /// The modules for spatial search; their arguments are columns.
  private static let spatialModules: Set<String> = ["rtree", "rtree_i32", "geopoly"]
  /// The modules for full-text search; some of their arguments are options.
  private static let textModules: Set<String> = ["fts3", "fts4", "fts5"]
  /// The tokenizers that come with SQLite, Apple's included.
  private static let tokenizers: Set<String> = [
    "ascii", "icu", "porter", "simple", "trigram", "unicode61",
  ]
  /// Options that only say how much is kept.
  private static let plainOptions: Set<String> = [
    "columnsize", "content_rowid", "contentless_delete", "contentless_unindexed", "detail",
    "languageid", "locale", "matchinfo", "notindexed", "order", "prefix", "tokendata",
  ]

  /// The objection to the creation of a virtual table, from `VIRTUAL` on.
  func virtualTable(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("VIRTUAL"), reader.take("TABLE"), reader.takeName() != nil,
      reader.take("USING"), let name = reader.takeName()
    else { return "does not create a virtual table" }
    let module = name.lowercased()
    guard Self.spatialModules.contains(module) || Self.textModules.contains(module) else {
      return "is of the module \(name)"
    }
    let arguments = reader.takeParenthesis()
    guard reader.rest.isEmpty else { return "has something behind its arguments" }
    for argument in SQLTokenReader.list(arguments ?? []) {
      if argument.contains(where: { $0.isSign(";") || $0.isSign("(") }) {
        return "has an argument that is no column"
      }
      guard Self.textModules.contains(module),
        let equals = argument.firstIndex(where: { $0.isSign("=") })
      else { continue }
      let key = argument[..<equals].map(\.text).joined(separator: " ").lowercased()
      let value = argument[(equals + 1)...].map(\.text).joined(separator: " ")
      if let objection = option(key, value) { return objection }
    }
    return nil
  }

  private func option(_ key: String, _ value: String) -> String? {
    switch key {
    case "content":
      return value.isEmpty || tables.contains(SchemaName(value))
        ? nil : "indexes the table \(value), which is none of the store's"
    case "tokenize":
      let words = value.lowercased().split { $0 == " " || $0 == "'" || $0 == "\"" }
      // The tokenizer that porter builds on stands behind it.
      guard let first = words.first, Self.tokenizers.contains(String(first)) else {
        return "uses the tokenizer \(value)"
      }
      return nil
    case let key where Self.plainOptions.contains(key): return nil
    default: return "has the option \(key)"
    }
  }
}
