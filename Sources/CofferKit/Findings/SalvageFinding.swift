internal import CoreDataArchive

/// The finding about an archive that was made from a damaged store.
enum SalvageFinding {
  /// The finding for an entry `salvage.json`.
  ///
  /// - Parameter text: the bytes of the entry; an unreadable entry is a finding too.
  /// - Returns: the finding, with the losses.
  static func finding(_ text: ContiguousArray<UInt8>) -> Finding {
    guard let document = document(text) else {
      return Finding(.salvagedArchive, detail: "what was lost cannot be read")
    }
    return Finding(.salvagedArchive, detail: detail(document))
  }

  /// The document of an entry; nil if it is unreadable.
  static func document(_ text: ContiguousArray<UInt8>) -> SalvageDocument? {
    guard let value = try? JSONValue.parse(text) else { return nil }
    return try? SalvageDocument(value)
  }

  private static func detail(_ document: SalvageDocument) -> String {
    var parts: [String] = []
    let rows = count(document.lostRowCount, "row")
    parts.append(
      document.isExact
        ? rows : document.lostRowCount == 0 ? "an unknown number of rows" : "about \(rows)")
    if document.lostValueCount > 0 { parts.append(count(document.lostValueCount, "value")) }
    if document.lostTableCount > 0 { parts.append(count(document.lostTableCount, "whole table")) }
    if !document.files.isEmpty { parts.append(count(document.files.count, "file")) }
    if document.danglingCount > 0 {
      parts.append(count(document.danglingCount, "dangling reference"))
    }
    return parts.joined(separator: ", ")
  }

  private static func count(_ count: Int, _ unit: String) -> String {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
