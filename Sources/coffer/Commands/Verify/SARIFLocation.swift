internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

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

  /// The location of a finding.
  func value(of finding: Finding) -> JSONValue {
    var location: JSONObject = ["physicalLocation": file]
    if !finding.place.isEmpty {
      let kind =
        finding.propertyName != nil ? "property" : finding.objectID != nil ? "object" : "type"
      location.append(
        "logicalLocations",
        .array([
          .object(["fullyQualifiedName": .string(finding.place), "kind": .string(kind)])
        ]))
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
