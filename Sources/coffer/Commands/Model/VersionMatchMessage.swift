internal import CofferKit

/// The version of a model that wrote a store, or the nearest one.
struct VersionMatchMessage: ResultMessage {
  var match: VersionMatch
  /// The path of the store or the archive, as given.
  var store: String
  /// The path of the model, as given.
  var model: String

  var status: ExitStatus { match.versions.isEmpty ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    let names = (Terminal.printable(store), Terminal.printable(model))
    let versions = Terminal.printable(match.versions.joined(separator: ", "))
    guard match.versions.isEmpty else {
      let words = match.versions.count == 1 ? "the version is" : "the version is one of"
      return try printer.line(
        printer.style.bold("\(names.0): \(words) \(versions), by \(evidence)"))
    }
    let count = QuantityText.count(match.nearest.differences.count, "difference")
    try printer.line(
      printer.style.bold("\(names.0): no version in \(names.1) is the store's, by \(evidence)"))
    try printer.line("The nearest is \(Terminal.printable(match.nearest.name)), with \(count):")
    for difference in match.nearest.differences {
      try printer.line(printer.style.yellow("  \(Terminal.printable(difference))"))
    }
  }

  private var evidence: String {
    switch match.evidence {
    case .hashes: "its version hashes"
    case .model: "its copy of the model"
    case .tables: "its tables"
    }
  }

  func write(to printer: JSONPrinter) throws {
    for difference in match.nearest.differences {
      try printer.line(["type": "difference", "message": difference])
    }
    try printer.summary(
      status,
      [
        "store": store, "model": model, "versions": match.versions,
        "evidence": match.evidence.rawValue, "nearest": match.nearest.name,
        "differences": match.nearest.differences.count,
      ])
  }
}
