internal import CofferKit
internal import CoreDataModel

/// The matching of the objects of two sources.
struct MatchingMessage: Message {
  var matching: [EntityMatching]
  /// The paths of the two files, as given.
  var paths: [String]

  /// The lines about objects that match nothing because of their keys.
  func write(to printer: TextPrinter) throws {
    for entity in matching {
      for (path, side) in zip(paths, [entity.first, entity.second]) where side.count > 0 {
        let names = entity.rule.keyPaths.joined(separator: ", ")
        let counts = [
          (side.incompleteCount, "without a value in \(names)"),
          (side.repeatedCount, "with the same \(names) as another"),
        ].filter { $0.0 > 0 }.map { "\(QuantityText.count($0.0)) \($0.1)" }
        let examples = side.examples.map(\.description).listed(of: side.count)
        let verb = side.count == 1 ? "matches" : "match"
        try printer.line(
          Terminal.printable(
            "\(entity.entityName) in \(path): \(counts.joined(separator: ", ")) \(verb) nothing: "
              + examples))
      }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for entity in matching {
      var object: JSONMembers = [
        "type": "matching", "entity": entity.entityName.text, "rule": entity.rule.text,
      ]
      if !entity.rule.keyPaths.isEmpty {
        object.append("properties", entity.rule.keyPaths)
      }
      if entity.first.count > 0 { object.append("first", Self.counts(entity.first)) }
      if entity.second.count > 0 { object.append("second", Self.counts(entity.second)) }
      try printer.line(object)
    }
  }

  private static func counts(_ side: EntityMatching.Unmatchable) -> JSONMembers {
    [
      "incomplete": side.incompleteCount, "repeated": side.repeatedCount,
      "examples": side.examples.map(\.description),
    ]
  }
}

extension MatchingRule {
  /// The name of the rule for programs.
  var text: String {
    switch self {
    case .naturalKey: "natural-key"
    case .uniquenessConstraint: "uniqueness-constraint"
    case .objectID: "object-id"
    }
  }
}
