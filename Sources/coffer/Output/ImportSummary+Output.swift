internal import CofferKit

extension ImportSummary.Losses {
  /// The losses in words; nil if nothing is lost.
  var text: String? {
    var parts: [String] = []
    if entryCount > 0 { parts.append(QuantityText.count(entryCount, "entry", "entries")) }
    if lineCount > 0 { parts.append(QuantityText.count(lineCount, "line")) }
    if objectCount > 0 { parts.append(QuantityText.count(objectCount, "object")) }
    if valueCount > 0 { parts.append(QuantityText.count(valueCount, "value")) }
    if !isComplete { parts.append(parts.isEmpty ? "unknown" : "possibly more") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The losses as members of an answer.
  var members: JSONMembers {
    [
      "lostEntries": entryCount, "lostObjects": objectCount, "lostLines": lineCount,
      "lostValues": valueCount, "lossesComplete": isComplete,
    ]
  }
}

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

  var members: JSONMembers {
    [
      "selectedObjects": selectedCount, "neededObjects": neededCount,
      "omittedObjects": omittedCount, "unsetRelationships": unsetCount,
    ]
  }
}
