internal import CoreDataModel

/// A report as JUnit XML: test suites with their cases.
///
/// A case has at most one failure, because several readers of the format use only the first. The document
/// contains no times.
struct JUnitDocument {
  enum Outcome {
    /// Nothing is wrong.
    case passed
    /// Something is wrong, of this kind.
    case failed(type: String, message: String, text: String)
    /// The work ended with an error.
    case broken(Failure)
    /// There was no work, for this reason.
    case skipped(String)

    fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
    fileprivate var isBroken: Bool { if case .broken = self { true } else { false } }
    fileprivate var isSkipped: Bool { if case .skipped = self { true } else { false } }
  }

  struct Case {
    var className: String
    var name: String
    var outcome = Outcome.passed
    /// The output of a successful case; empty for none.
    var output = ""
  }

  struct Suite {
    var name: String
    var properties: [(String, String)] = []
    var cases: [Case]
  }

  /// The name of the report, such as the name of the command.
  var name: String
  var suites: [Suite]

  func write(to answer: LineWriter) throws {
    try answer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    let all = suites.flatMap(\.cases)
    try answer.line(XMLText.tag("testsuites", [("name", name)] + Self.counts(all)) + ">")
    for suite in suites { try write(suite, to: answer) }
    try answer.line("</testsuites>")
    try answer.flush()
  }

  private static func counts(_ cases: [Case]) -> [(String, String)] {
    [
      ("tests", cases.count), ("failures", cases.count(where: \.outcome.isFailed)),
      ("errors", cases.count(where: \.outcome.isBroken)),
    ].map { ($0.0, String($0.1)) }
  }

  private func write(_ suite: Suite, to answer: LineWriter) throws {
    let skipped = ("skipped", String(suite.cases.count(where: \.outcome.isSkipped)))
    let attributes = [("name", suite.name)] + Self.counts(suite.cases) + [skipped]
    try answer.line("  " + XMLText.tag("testsuite", attributes) + ">")
    if !suite.properties.isEmpty {
      try answer.line("    <properties>")
      for (name, value) in suite.properties {
        try answer.line(
          "      " + XMLText.tag("property", [("name", name), ("value", value)]) + "/>")
      }
      try answer.line("    </properties>")
    }
    for item in suite.cases { try write(item, to: answer) }
    try answer.line("  </testsuite>")
  }

  private func write(_ item: Case, to answer: LineWriter) throws {
    let tag = XMLText.tag("testcase", [("classname", item.className), ("name", item.name)])
    let parts = Self.lines(of: item.outcome) + (item.output.isEmpty ? [] : [output(item)])
    guard !parts.isEmpty else { return try answer.line("    \(tag)/>") }
    try answer.line("    \(tag)>")
    for part in parts { try answer.line("      \(part)") }
    try answer.line("    </testcase>")
  }

  private func output(_ item: Case) -> String {
    "<system-out>\(XMLText.escaped(item.output))</system-out>"
  }

  private static func lines(of outcome: Outcome) -> [String] {
    func element(_ name: String, _ type: String, _ message: String, _ text: String) -> String {
      let start = XMLText.tag(name, [("type", type), ("message", message)])
      return "\(start)>\(XMLText.escaped(text))</\(name)>"
    }
    return switch outcome {
    case .passed: []
    case .failed(let type, let message, let text): [element("failure", type, message, text)]
    case .broken(let failure):
      [element("error", failure.code, failure.message, failure.hint ?? "")]
    case .skipped(let reason): [XMLText.tag("skipped", [("message", reason)]) + "/>"]
    }
  }
}

extension JUnitDocument.Case {
  /// The case of a command that failed.
  static func completion(_ failure: Failure) -> Self {
    Self(className: "coffer", name: "completion", outcome: .broken(failure))
  }
}
