/// Facts with their names, one below the other.
struct FactList {
  enum Value {
    case text(String)
    /// Text of the page with file names and commands in backticks.
    case prose(String)
    /// Text from the store.
    case name(String)
    /// Text from the store that is shown literally.
    case code(String)
  }

  private var facts: [(name: Value, value: Value)] = []

  /// Adds a fact; nil adds nothing.
  mutating func add(_ name: String, _ value: String?) {
    if let value { facts.append((.text(name), .text(value))) }
  }

  /// Adds a fact from the store; nil adds nothing.
  mutating func add(_ name: Value, _ value: Value?) {
    if let value { facts.append((name, value)) }
  }

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
