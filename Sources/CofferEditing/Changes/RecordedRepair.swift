internal import CofferCore
internal import CoreDataArchive
package import CoreDataModel

/// A repair that a plan records: the finding, the fix, and the objects that it changes.
package struct RecordedRepair: Sendable, Hashable {
  /// The text of the finding's code.
  package var codeText: String
  /// The entity of the finding; nil if there is none.
  package var entityName: Name?
  /// The ID of the object of the finding, such as `Person/p7`; nil if there is none.
  package var objectText: String?
  /// The property of the finding; nil if there is none.
  package var propertyName: Name?
  /// The change, as a clause.
  package var change: String
  /// The keys of the objects that the repair changes, by their root entities: at most 1,000.
  package var keys: [Name: [Int64]] = [:]

  /// The maximum number of keys.
  static let maxKeys = 1000

  init(_ finding: Finding, change: String) {
    codeText = finding.code.text
    entityName = finding.entityName
    objectText = finding.objectID?.description
    propertyName = finding.propertyName
    self.change = change
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    codeText = try node.required("code").string()
    entityName = try node.name("entity")
    objectText = try node.string("object")
    propertyName = try node.name("property")
    change = try node.required("change").string()
    for (name, list) in try node.optional("keys")?.members() ?? [] {
      let keys = try list.elements().map { key throws(DocumentError) in try key.integer() }
      self.keys[Name(name)] = keys
    }
  }

  /// The line, without a line feed.
  fileprivate var line: [UInt8] {
    var members: JSONObject = ["code": .string(codeText)]
    members.append("entity", entityName)
    members.append("object", objectText.map(JSONValue.string))
    members.append("property", propertyName)
    members.append("change", .string(change))
    if !keys.isEmpty {
      var lists = JSONObject()
      for name in keys.keys.sorted() {
        lists.append(name.text, .array((keys[name] ?? []).map(JSONValue.integer)))
      }
      members.append("keys", .object(lists))
    }
    return JSONValue.object(members).bytes(layout: .compact)
  }
}

/// Writes the repairs of a plan after its changes, part by part.
final class RepairRecorder {
  private let output: ChangesOutput
  private var bytes: ContiguousArray<UInt8> = []
  private var rowCount = 0
  private var partCount = 0

  /// The size at which a part ends.
  private static let partSize = 1 << 20

  init(_ output: ChangesOutput) { self.output = output }

  func add(_ repair: RecordedRepair) throws(CofferError) {
    bytes.append(contentsOf: repair.line)
    bytes.append(UInt8(ascii: "\n"))
    rowCount += 1
    if bytes.count >= Self.partSize { try finish() }
  }

  /// Writes the remaining lines.
  func finish() throws(CofferError) {
    guard rowCount > 0 else { return }
    try output.addRepairs(bytes, rowCount: rowCount, part: partCount)
    partCount += 1
    (bytes, rowCount) = ([], 0)
  }
}

extension ChangesFile {
  /// Passes on the repairs that a plan records, in order; none for other changes.
  ///
  /// - Throws: ``CofferError`` with `damaged-archive` if a line is invalid; errors from reading and from
  ///   the closure; `CancellationError`.
  func forEachRepair(_ body: (RecordedRepair) throws -> Void) throws {
    for entry in archive.file.index.entries
    where entry.name.hasPrefix(ArchiveEntryName.repairs + "/") {
      try Task<Never, Never>.checkCancellation()
      let lines = try archive.file.read(entry.name)
      for line in lines.split(separator: UInt8(ascii: "\n")) {
        do {
          try body(RecordedRepair(DocumentNode(JSONValue.parse(line), name: entry.name)))
        } catch let error as DocumentError {
          throw error.archiveError(path: path)
        } catch let error as JSONError {
          throw CofferError(
            .damagedArchive, path: path, entry: entry.name, detail: "a line is not JSON: \(error)")
        }
      }
    }
  }
}
