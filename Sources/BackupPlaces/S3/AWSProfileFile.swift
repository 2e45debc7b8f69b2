/// A file of settings as the AWS tools have them, such as `~/.aws/config`: sections of `key = value`.
///
/// Indented lines below a key without a value are settings of their own: `s3 =` and below it
/// `endpoint_url = …` make the key `s3.endpoint_url`. Lines that begin with `#` or `;` are comments.
package struct AWSProfileFile: Sendable, Equatable {
  /// The settings of each section, with keys in lower case.
  package private(set) var sections: [String: [String: String]] = [:]

  /// Parses a text; like the AWS tools, it skips lines that are no settings.
  package init(_ text: String) {
    var section: String?
    var outer: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let content = line.trimmed
      guard let first = content.first, first != "#", first != ";" else { continue }
      if first == "[" {
        section = Self.sectionName(content)
        outer = nil
        if let section, sections[section] == nil { sections[section] = [:] }
        continue
      }
      guard let section, let equals = content.firstIndex(of: "=") else { continue }
      let key = content[..<equals].trimmed.lowercased()
      let value = String(content[content.index(after: equals)...].trimmed)
      if line.first?.isWhitespace == true, let outer {
        sections[section]?["\(outer).\(key)"] = value
      } else {
        outer = value.isEmpty ? key : nil
        sections[section]?[key] = value
      }
    }
  }

  /// Finds a profile.
  ///
  /// - Parameters:
  ///   - name: the name of the profile.
  ///   - isPrefixed: whether sections of profiles are called `profile NAME`, as in `config`; the
  ///     profile `default` may go without.
  /// - Returns: its settings; nil if there is none.
  func profile(_ name: String, isPrefixed: Bool) -> [String: String]? {
    guard isPrefixed else { return sections[name] }
    return sections["profile \(name)"] ?? (name == "default" ? sections[name] : nil)
  }

  /// The name in `[NAME]`, with one space between its words and without quotation marks.
  private static func sectionName(_ line: Substring) -> String? {
    guard let end = line.lastIndex(of: "]") else { return nil }
    let words = line[..<end].dropFirst().split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ").filter { $0 != "\"" && $0 != "'" }
  }
}

extension Substring {
  /// The text without white space around it.
  fileprivate var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
