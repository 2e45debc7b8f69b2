internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Contradictions of two stores.
struct ConflictsMessage: Message {
  /// The maximum number of conflicts in text.
  private static let shown = 20

  var conflicts: MergeConflicts
  /// The path of the store that the policy prefers, as given; nil if nothing settled them.
  var winner: String?

  func write(to printer: TextPrinter) throws {
    let word = winner.map { "conflict, settled for \(Terminal.printable($0))" } ?? "conflict"
    for conflict in conflicts.list.prefix(Self.shown) {
      try printer.complaint.line("\(word): \(Terminal.printable(conflict.description))")
    }
    let rest = conflicts.count - Self.shown
    if rest > 0 {
      try printer.complaint.line("… and \(QuantityText.count(rest)) more; --json lists them")
    }
  }

  func write(to printer: JSONPrinter) throws {
    for conflict in conflicts.list {
      var object: JSONObject = [
        "kind": .string(conflict.kind.rawValue), "object": .string(conflict.objectID.description),
      ]
      object.append("property", .text(conflict.propertyName))
      try printer.line("conflict", object)
    }
  }
}
