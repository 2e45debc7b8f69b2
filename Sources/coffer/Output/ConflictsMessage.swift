internal import CofferKit
internal import CoreDataModel

/// The conflicts between two stores.
struct ConflictsMessage: Message {
  /// The maximum number of conflicts in text.
  private static let shown = 20
  /// The maximum number of characters of a value in text.
  private static let longestValue = 200

  var conflicts: MergeConflicts
  /// The path of the store that the policy prefers, as given; nil if nothing settled them.
  var winner: String?
  /// Whether the rest of the merge is shown, although the conflicts prevent it.
  var isPreview = false

  func write(to printer: TextPrinter) throws {
    let word = winner.map { "conflict, settled for \(Terminal.printable($0))" } ?? "conflict"
    for conflict in conflicts.list.prefix(Self.shown) {
      try printer.complaint.line("\(word): \(Terminal.printable(conflict.description))")
      for (name, value) in Self.sides(conflict) {
        let text = value.count > Self.longestValue ? value.prefix(Self.longestValue) + "…" : value
        try printer.complaint.line("  \(name)\(Terminal.printable(text))")
      }
    }
    let rest = conflicts.count - Self.shown
    if rest > 0 {
      try printer.complaint.line("… and \(QuantityText.count(rest)) more; --json lists them")
    }
    if isPreview, winner == nil {
      try printer.complaint.line(
        "\(QuantityText.count(conflicts.count, "conflict")). The merge writes nothing until none is left; "
          + "--prefer settles most. Its other changes:")
    }
  }

  /// The state on each side, in lines of text.
  private static func sides(_ conflict: MergeConflict) -> [(String, String)] {
    var lines: [(String, String)] = []
    if let title = conflict.title { lines.append(("object  ", title)) }
    if let values = conflict.values {
      let none = conflict.kind.isOfValues ? "no value" : "no such object"
      if values.hasBase { lines.append(("base    ", values.base ?? none)) }
      lines.append(("ours    ", values.ours ?? none))
      lines.append(("theirs  ", values.theirs ?? none))
      if let holder = values.holder { lines.append(("holder  ", holder)) }
    }
    return lines
  }

  func write(to printer: JSONPrinter) throws {
    for conflict in conflicts.list {
      try printer.line([
        "type": "conflict", "kind": conflict.kind.rawValue, "object": conflict.objectID.description,
        "property": conflict.propertyName?.text, "title": conflict.title,
        "base": conflict.values?.base, "ours": conflict.values?.ours,
        "theirs": conflict.values?.theirs, "holder": conflict.values?.holder,
      ])
    }
  }
}

extension MergeConflict.Kind {
  /// Whether the object exists, so that a side without a text lacks only a value.
  fileprivate var isOfValues: Bool {
    switch self {
    case .property, .order, .uniqueness: true
    case .changedHere, .deletedHere, .cascade, .denied, .missingDestination: false
    }
  }
}
