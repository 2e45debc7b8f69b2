internal import CofferKit
internal import CoreDataArchive

extension JSONLines {
  func explained(_ code: FindingCode) throws { try listed([code]) }

  func listed(_ codes: [FindingCode]) throws {
    for code in codes {
      try line(
        "code",
        [
          "code": .string(code.text), "severity": .string(code.severity.rawValue),
          "check": .string(code.check.rawValue), "meaning": .string(code.meaning),
          "cause": .string(code.cause), "effect": .string(code.effect),
          "remedy": .string(code.remedy),
          "consequences": .array(code.consequences.map(JSONValue.string)),
        ])
    }
    try summary(.done, ["codes": Self.number(codes.count)])
  }
}
