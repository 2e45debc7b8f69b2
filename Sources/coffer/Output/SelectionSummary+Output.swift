internal import CofferKit

extension SelectionSummary {
  /// The counts in words, including relationships to objects that were left out.
  func text(ofOthers fate: String) -> String {
    var parts = [QuantityText.count(selectedCount, "object")]
    if neededCount > 0 { parts.append("\(QuantityText.count(neededCount)) more that they need") }
    parts.append("\(QuantityText.count(omittedCount)) left out")
    if unsetCount > 0 {
      parts.append("\(QuantityText.count(unsetCount, "relationship")) to those \(fate)")
    }
    return parts.joined(separator: ", ")
  }

  /// The counts as members of a summary in JSON.
  var members: JSONMembers {
    [
      "selectedObjects": selectedCount, "neededObjects": neededCount,
      "omittedObjects": omittedCount, "unsetRelationships": unsetCount,
    ]
  }
}
