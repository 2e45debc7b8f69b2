/// Reads the members of a JSON document and knows where it is when one is not what it should be.
package struct DocumentReader {
  private let value: JSONValue
  private let path: String

  /// A reader of a whole document.
  package init(_ value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  /// The error of a member.
  package func failure(_ key: String, _ expected: String) -> DocumentError {
    DocumentError(path: "\(path): \(key)", expected: expected)
  }

  /// The member of that key, or nil where it is missing or null.
  package func optional(_ key: String) -> JSONValue? {
    guard let member = value[key] else { return nil }
    if case .null = member { return nil }
    return member
  }

  /// A text.
  package func string(_ key: String) throws(DocumentError) -> String {
    guard case .string(let text) = optional(key) else { throw failure(key, "a text") }
    return text
  }

  /// A text, or nil where the member is missing.
  package func optionalString(_ key: String) throws(DocumentError) -> String? {
    optional(key) == nil ? nil : try string(key)
  }

  /// An integer.
  package func integer(_ key: String) throws(DocumentError) -> Int64 {
    guard case .integer(let number) = optional(key) else { throw failure(key, "an integer") }
    return number
  }

  /// An integer, or nil where the member is missing.
  package func optionalInteger(_ key: String) throws(DocumentError) -> Int64? {
    optional(key) == nil ? nil : try integer(key)
  }

  /// A truth value, or nil where the member is missing.
  package func optionalBool(_ key: String) throws(DocumentError) -> Bool? {
    guard let member = optional(key) else { return nil }
    guard case .bool(let flag) = member else { throw failure(key, "true or false") }
    return flag
  }

  /// The elements of a list, each with a reader of its own.
  package func array(_ key: String) throws(DocumentError) -> [DocumentReader] {
    guard case .array(let elements) = optional(key) else { throw failure(key, "a list") }
    return elements.enumerated().map { DocumentReader($1, path: "\(path): \(key)[\($0)]") }
  }

  /// A list of texts.
  package func strings(_ key: String) throws(DocumentError) -> [String] {
    guard case .array(let elements) = optional(key) else { throw failure(key, "a list") }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw failure(key, "a list of texts") }
      texts.append(text)
    }
    return texts
  }

  /// An object with a reader of its own, or nil where the member is missing.
  package func object(_ key: String) throws(DocumentError) -> DocumentReader? {
    guard let member = optional(key) else { return nil }
    guard case .object = member else { throw failure(key, "an object") }
    return DocumentReader(member, path: "\(path): \(key)")
  }
}
