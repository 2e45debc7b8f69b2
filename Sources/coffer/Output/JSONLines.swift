internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Shows results as lines of JSON: each is an object with a `type`, the last is the summary.
///
/// Members are added in later versions, never renamed or removed.
struct JSONLines: Report {
  let answer: LineWriter
  /// The name of the command.
  let command: String

  init(_ command: String, answer stream: StandardStream) {
    self.command = command
    answer = LineWriter(stream)
  }

  /// Adds a line of a type.
  func line(_ type: String, _ members: JSONObject) throws {
    try answer.line(Self.text(type, members))
  }

  /// Adds the last line.
  func summary(_ status: ExitStatus, _ members: JSONObject) throws {
    var all: JSONObject = [
      "command": .string(command), "status": .integer(Int64(status.rawValue)),
    ]
    all.members += members.members
    try line("summary", all)
  }

  func exported(_ summary: ExportSummary, to archive: String, status: ExitStatus) throws {
    try show(summary.findings)
    try self.summary(
      status,
      [
        "archive": .string(archive),
        "objects": JSONLines.number(summary.objectCount),
        "relationships": JSONLines.number(summary.relationshipCount),
        "entities": JSONLines.number(summary.entityCount),
        "otherRows": JSONLines.number(summary.otherRowCount),
        "externalFiles": JSONLines.number(summary.externalFileCount),
        "bytes": JSONLines.number(summary.byteCount),
        "plainBytes": JSONLines.number(summary.plainByteCount),
        "errors": JSONLines.number(summary.errorCount),
        "salvaged": .bool(summary.isSalvaged),
        "lostRows": JSONLines.number(summary.lostRowCount),
        "lostRowsExact": .bool(summary.lostRowCountIsExact),
        "lostValues": JSONLines.number(summary.lostValueCount),
        "lostTables": JSONLines.number(summary.lostTableCount),
        "digest": .string(summary.digest),
      ])
  }

  func imported(_ summary: ImportSummary, to store: String, status: ExitStatus) throws {
    try show(summary.findings)
    let members: JSONObject = [
      "store": .string(store),
      "storeUUID": summary.storeUUID.map { .string($0) } ?? .null,
      "objects": JSONLines.number(summary.objectCount),
      "relationships": JSONLines.number(summary.relationshipCount),
      "entities": JSONLines.number(summary.entityCount),
      "otherRows": JSONLines.number(summary.otherRowCount),
      "externalFiles": JSONLines.number(summary.externalFileCount),
      "errors": JSONLines.number(summary.counts[.error] ?? 0),
      "warnings": JSONLines.number(summary.counts[.warning] ?? 0),
      "infos": JSONLines.number(summary.counts[.info] ?? 0),
      "digest": .string(summary.digest),
    ]
    try self.summary(status, members.adding(summary.losses))
  }

  func refused(_ findings: [Finding]) throws { try show(findings) }

  func warned(_ code: String, _ message: String) throws {
    let text = Self.text("warning", ["code": .string(code), "message": .string(message)])
    try StandardStream.error.write(text + [0x0A])
  }

  func failed(_ failure: Failure) { Self.show(failure) }

  func finish() throws { try answer.flush() }

  /// Writes the line of a failure to standard error.
  static func show(_ failure: Failure) {
    guard !failure.isSilent else { return }
    let text = text(
      "error",
      [
        "code": .string(failure.code), "message": .string(failure.message),
        "hint": failure.hint.map { .string($0) } ?? .null,
        "status": .integer(Int64(failure.status.rawValue)),
      ])
    try? StandardStream.error.write(text + [0x0A])
  }

  /// A number.
  static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }

  /// A text, or nothing at all.
  static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  static func text(_ type: String, _ members: JSONObject) -> [UInt8] {
    var object: JSONObject = ["type": .string(type)]
    object.members += members.members
    return JSONValue.object(object).bytes(layout: .compact)
  }

  /// Adds the line of a finding.
  func show(_ finding: Finding) throws {
    var object: JSONObject = [
      "severity": .string(finding.severity.rawValue), "code": .string(finding.code.text),
      "check": .string(finding.code.check.rawValue),
    ]
    object.append("entity", Self.text(finding.entityName))
    object.append("object", Self.text(finding.objectID?.description))
    object.append("property", Self.text(finding.propertyName))
    object.append("message", .string(finding.code.meaning))
    if !finding.detail.isEmpty { object.append("detail", .string(finding.detail)) }
    try line("finding", object)
  }

  private func show(_ findings: [Finding]) throws {
    for finding in findings { try show(finding) }
  }
}
