internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Where findings are, as SARIF says it: the file, and within it the object and the property.
struct SARIFLocation {
  private let file: JSONValue

  /// Creates the location of a file, by its path as it was given.
  init(path: String) {
    file = .object([
      "artifactLocation": .object(["uri": .string(Self.uri(path))]),
      // A store has no lines; services that show text ask for a region all the same.
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

  /// A path as a URI reference (RFC 3986): absolute with its scheme, relative as it was given.
  static func uri(_ path: String) -> String {
    let text = PercentEncoding.encode(path, keeping: isPlain)
    return path.hasPrefix("/") ? "file://\(text)" : text
  }

  /// Whether a byte stands for itself in any path; a colon could end a scheme.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true
    default: PercentEncoding.isAlphanumeric(byte)
    }
  }
}
