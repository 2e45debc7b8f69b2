internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Writes a verification as SARIF 2.1.0, with a result for each finding.
///
/// Results are written immediately. The rules, which are the codes that occurred, follow them.
final class SARIFVerification: VerificationReport {
  /// The maximum number of results, because services accept no more.
  static let resultLimit = 5000

  private let answer: LineWriter
  private let location: SARIFLocation
  private let limit: Int
  private var rules: [FindingCode] = []
  private var indexes: [FindingCode: Int] = [:]
  private var fingerprints: [UInt64: Int] = [:]
  private var count = 0

  /// Creates a report about a file, named by its path as given.
  init(_ answer: LineWriter, path: String, limit: Int = resultLimit) {
    self.answer = answer
    self.limit = limit
    location = SARIFLocation(path: path)
  }

  func found(_ finding: Finding) throws {
    count += 1
    let index = index(of: finding.code)
    guard count <= limit else { return }
    if count == 1 { try begin() }
    let bytes = JSONValue.object(result(finding, index)).bytes(layout: .compact)
    try answer.line((count > 1 ? [0x2C] : []) + bytes)
  }

  func verified(_ outcome: VerificationOutcome) throws {
    let summary = outcome.summary
    try end(
      status: outcome.status, notifications: [],
      [
        "kind": .string(summary.kind.rawValue),
        "storeUUID": summary.storeUUID.map { .string($0) } ?? .null,
        "objects": .number(summary.objectCount),
        "checks": .array(summary.checks.map { .string($0.rawValue) }),
        "checksNotRun": .array(summary.checksNotRun.map { .string($0.rawValue) }),
      ])
  }

  func failed(_ failure: Failure) throws {
    let notification = Self.notification(failure.message, "error", id: failure.code)
    try end(status: failure.status, notifications: [notification], nil)
  }

  private func index(of code: FindingCode) -> Int {
    if let index = indexes[code] { return index }
    indexes[code] = rules.count
    rules.append(code)
    return rules.count - 1
  }

  private func result(_ finding: Finding, _ index: Int) -> JSONObject {
    let place = finding.place.isEmpty ? "" : "\(finding.place): "
    let detail = finding.detail.isEmpty ? "" : " (\(finding.detail))"
    let hash = Self.fingerprint(of: finding)
    let occurrence = (fingerprints[hash] ?? 0) + 1
    fingerprints[hash] = occurrence
    let fingerprint = JSONValue.string(
      "\(String(decoding: Hexadecimal.digits(of: hash), as: UTF8.self)):\(occurrence)")
    return [
      "ruleId": .string(finding.code.text), "ruleIndex": .number(index),
      "level": .string(Self.level(of: finding.severity)),
      "message": Self.message("\(place)\(finding.code.meaning)\(detail)"),
      "locations": .array([location.value(of: finding)]),
      // Code scanning uses the second one to recognize known results.
      "partialFingerprints": .object([
        "coffer/v1": fingerprint, "primaryLocationLineHash": fingerprint,
      ]),
    ]
  }

  private func begin() throws {
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas"
    try answer.line(
      "{\"$schema\":\"\(schema)/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"results\":["
    )
  }

  private func end(
    status: ExitStatus, notifications: [JSONValue], _ properties: JSONObject?
  ) throws {
    if count == 0 { try begin() }
    var notifications = notifications
    if count > limit {
      let text = "The first \(limit) of \(count) findings are listed."
      notifications.append(Self.notification(text, "warning", id: "too-many-results"))
    }
    var invocation: JSONObject = [
      "executionSuccessful": .bool(status == .done || status == .findings),
      "exitCode": .integer(Int64(status.rawValue)),
    ]
    if !notifications.isEmpty {
      invocation.append("toolExecutionNotifications", .array(notifications))
    }
    let run: JSONObject = [
      "tool": .object([
        "driver": .object([
          "name": .string("coffer"), "version": .string(Version.text),
          "rules": .array(rules.map(Self.rule)),
        ])
      ]),
      "invocations": .array([.object(invocation)]), "properties": properties.map { .object($0) },
    ]
    // The members of these objects continue after the results.
    let members = JSONValue.object(run).bytes(layout: .compact).dropFirst()
    try answer.line(Array("],".utf8) + members + Array("]}".utf8))
    try answer.flush()
  }

  private static func rule(_ code: FindingCode) -> JSONValue {
    let explanation = [code.cause, code.effect].filter { !$0.isEmpty }.joined(separator: " ")
    return .object([
      "id": .string(code.text), "shortDescription": message(code.meaningSentence),
      "fullDescription": message(explanation.isEmpty ? code.meaningSentence : explanation),
      "help": message(code.remedy.isEmpty ? code.meaningSentence : code.remedyText()),
      "defaultConfiguration": .object(["level": .string(level(of: code.severity))]),
      "properties": .object(["tags": .array([.string(code.check.rawValue)])]),
    ])
  }

  private static func notification(_ text: String, _ level: String, id: String) -> JSONValue {
    .object([
      "level": .string(level), "message": message(text),
      "descriptor": .object(["id": .string(id)]),
    ])
  }

  private static func message(_ text: String) -> JSONValue { .object(["text": .string(text)]) }

  private static func level(of severity: FindingSeverity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  /// A number that is the same for the same finding in every run (FNV-1a).
  private static func fingerprint(of finding: Finding) -> UInt64 {
    // If no object is named, only the detail may distinguish two findings.
    let parts = [finding.code.text, finding.place, finding.objectID == nil ? finding.detail : ""]
    return parts.joined(separator: "\0").utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}

/// The SARIF location of findings: the file, and the object and property in it.
struct SARIFLocation {
  private let file: JSONValue

  /// Creates the location of a file, named by its path as given.
  init(path: String) {
    file = .object([
      "artifactLocation": .object(["uri": .string(Self.uri(path))]),
      // A store has no lines, but services that show text require a region.
      "region": .object([
        "startLine": .integer(1), "startColumn": .integer(1), "endLine": .integer(1),
        "endColumn": .integer(1),
      ]),
    ])
  }

  func value(of finding: Finding) -> JSONValue {
    var location: JSONObject = ["physicalLocation": file]
    if !finding.place.isEmpty {
      let kind =
        finding.propertyName != nil ? "property" : finding.objectID != nil ? "object" : "type"
      location.append(
        "logicalLocations",
        .array([.object(["fullyQualifiedName": .string(finding.place), "kind": .string(kind)])]))
    }
    return .object(location)
  }

  /// A path as a URI reference (RFC 3986): an absolute path with a scheme, a relative one as given.
  static func uri(_ path: String) -> String {
    let text = PercentEncoding.encode(path, keeping: isPlain)
    return path.hasPrefix("/") ? "file://\(text)" : text
  }

  /// Whether a byte needs no encoding in any path.
  ///
  /// A colon could end a scheme.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true
    default: PercentEncoding.isAlphanumeric(byte)
    }
  }
}
