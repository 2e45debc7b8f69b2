internal import CofferKit
internal import CoreDataArchive

extension JSONObject {
  /// The object with members for what an import could not restore; as it is where nothing was to be salvaged.
  func adding(_ losses: ImportSummary.Losses?) -> JSONObject {
    guard let losses else { return self }
    var object = self
    object.append("lostEntries", JSONLines.number(losses.entryCount))
    object.append("lostObjects", JSONLines.number(losses.objectCount))
    object.append("lostLines", JSONLines.number(losses.lineCount))
    object.append("lostValues", JSONLines.number(losses.valueCount))
    object.append("lossesComplete", .bool(losses.isComplete))
    return object
  }
}

extension ImportSummary.Losses {
  /// What is lost, in words; nil where nothing is.
  var text: String? {
    var parts: [String] = []
    if entryCount > 0 { parts.append(QuantityText.count(entryCount, "entry", "entries")) }
    if lineCount > 0 { parts.append(QuantityText.count(lineCount, "line")) }
    if objectCount > 0 { parts.append(QuantityText.count(objectCount, "object")) }
    if valueCount > 0 { parts.append(QuantityText.count(valueCount, "value")) }
    if !isComplete { parts.append(parts.isEmpty ? "unknown" : "perhaps more") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
