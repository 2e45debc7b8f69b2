/// Facts with their names, one below the other.
struct FactList {
  /// A fact.
  enum Value {
    /// A text of the page.
    case text(String)
    /// A text of the page with names of files and commands between backticks.
    case prose(String)
    /// A text of the store.
    case name(String)
    /// A text of the store that is read letter by letter.
    case code(String)
  }

  private var facts: [(name: Value, value: Value)] = []

  /// Whether there is none.
  var isEmpty: Bool { facts.isEmpty }

  /// Adds a fact; nil adds nothing.
  mutating func add(_ name: String, _ value: String?) {
    if let value { facts.append((.text(name), .text(value))) }
  }

  /// Adds a fact that the store tells; nil adds nothing.
  mutating func add(_ name: Value, _ value: Value?) {
    if let value { facts.append((name, value)) }
  }

  /// Writes the list.
  func write(to page: inout HTMLText) {
    page.element("dl", ["class": "facts"]) { page in
      for fact in facts {
        page.element("dt") { Self.write(fact.name, &$0) }
        page.element("dd") { Self.write(fact.value, &$0) }
      }
    }
    page.line()
  }

  private static func write(_ value: Value, _ page: inout HTMLText) {
    switch value {
    case .text(let text): page.write(text)
    case .prose(let text):
      for (place, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      {
        if place % 2 == 1 {
          page.element("code", text: String(part))
        } else {
          page.write(String(part))
        }
      }
    case .name(let name): page.name(name)
    case .code(let code): page.element("code") { $0.name(code) }
    }
  }
}
