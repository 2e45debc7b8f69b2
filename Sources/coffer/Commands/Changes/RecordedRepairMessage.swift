internal import CofferKit
internal import CoreDataArchive

/// A repair that a plan records.
struct RecordedRepairMessage: Message {
  var repair: RecordedRepair

  func write(to printer: TextPrinter) throws {
    let owner = repair.objectText ?? repair.entityName ?? ""
    let place = [owner, repair.propertyName ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
    try printer.line(
      Terminal.printable("\(place): \(repair.change) (\(repair.codeText))"))
  }

  func write(to printer: JSONPrinter) throws {
    var object: JSONObject = ["code": .string(repair.codeText)]
    object.append("entity", .text(repair.entityName))
    object.append("object", .text(repair.objectText))
    object.append("property", .text(repair.propertyName))
    object.append("change", .string(repair.change))
    var keys = JSONObject()
    for (name, list) in repair.keys.sorted(by: { $0.key < $1.key }) {
      keys.append(name, .array(list.map(JSONValue.integer)))
    }
    object.append("keys", .object(keys))
    try printer.line("repair", object)
  }
}

/// How many findings of each code a plan mends.
struct RecordedRepairsMessage: Message {
  var counts: [String: Int]

  func write(to printer: TextPrinter) throws {
    var block = FieldBlock()
    for (code, count) in counts.sorted(by: { $0.key < $1.key }) {
      block.add(code, QuantityText.count(count, "repair"))
    }
    try printer.heading("What the plan repairs")
    try printer.block(block)
  }

  func write(to printer: JSONPrinter) {}
}
