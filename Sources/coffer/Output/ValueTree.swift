internal import CoreDataModel

/// A value of a keyed archive as lines, each level indented by two spaces.
enum ValueTree {
  /// How many elements of a list or a dictionary are shown.
  private static let shown = 50

  /// The lines of a value; at least one.
  static func lines(_ value: ModelValue) -> [String] {
    switch value {
    case .array(let elements):
      let rest = elements.count > shown ? ["… and \(elements.count - shown) more"] : []
      return ["\(elements.count) elements"] + indented(elements.prefix(shown).flatMap(lines) + rest)
    case .dictionary(let entries): return ["\(entries.count) entries"] + members(entries)
    case .object(let className, let fields): return [className] + members(fields)
    case .cycle(let className): return ["\(className), which contains this"]
    case .string(let text): return [text]
    default: return [value.formatDescription]
    }
  }

  private static func members(_ values: [ExactString: ModelValue]) -> [String] {
    let sorted = values.sorted { $0.key.text < $1.key.text }
    var text = indented(
      sorted.prefix(shown).flatMap { name, value in
        var lines = lines(value)
        lines[0] = "\(name): \(lines[0])"
        return lines
      })
    if sorted.count > shown { text.append("  … and \(sorted.count - shown) more") }
    return text
  }

  private static func indented(_ lines: [String]) -> [String] { lines.map { "  \($0)" } }
}
