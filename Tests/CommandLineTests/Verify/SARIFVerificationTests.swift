internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import coffer

@Suite struct SARIFVerificationTests {
  private func run(
    _ made: MadeUpFindings, limit: Int = 5000, failure: Failure? = nil
  ) throws -> [String: Any] {
    let text = try made.text(failure: failure) { stream in
      SARIFVerification(LineWriter(stream), path: "my stores/Trips.sqlite", limit: limit)
    }
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    #expect((log["$schema"] as? String)?.hasSuffix("/sarif-schema-2.1.0.json") == true)
    let runs = try #require(log["runs"] as? [[String: Any]])
    #expect(runs.count == 1)
    return try #require(runs.first)
  }

  private func list(_ value: Any?) throws -> [[String: Any]] {
    try #require(value as? [[String: Any]])
  }

  private func driver(_ run: [String: Any]) throws -> [String: Any] {
    let tool = try #require(run["tool"] as? [String: Any])
    return try #require(tool["driver"] as? [String: Any])
  }

  private func text(_ value: Any?) -> String? { (value as? [String: Any])?["text"] as? String }

  @Test func everyFindingIsAResultWithItsRule() throws {
    let made = MadeUpFindings.mixed
    let run = try run(made)
    let driver = try driver(run)
    #expect(driver["name"] as? String == "coffer")
    #expect(driver["version"] as? String == Version.text)
    let rules = try list(driver["rules"])
    let results = try list(run["results"])
    #expect(results.count == made.findings.count)
    for (result, finding) in zip(results, made.findings) {
      #expect(result["ruleId"] as? String == finding.code.text)
      let rule = rules[try #require(result["ruleIndex"] as? Int)]
      #expect(rule["id"] as? String == finding.code.text)
      let level = finding.severity == .info ? "note" : finding.severity.rawValue
      #expect(result["level"] as? String == level)
      #expect((rule["defaultConfiguration"] as? [String: String])?["level"] == level)
      #expect(text(result["message"])?.contains(finding.code.meaning) == true)
      #expect(text(result["message"])?.contains(finding.detail) != false || finding.detail.isEmpty)
    }
    #expect(Set(rules.compactMap { $0["id"] as? String }).count == rules.count)
  }

  @Test func rulesExplainThemselves() throws {
    let rules = try list(driver(run(.mixed))["rules"])
    let rule = try #require(rules.first)
    let code = FindingCode.danglingRelationship
    #expect(
      text(rule["shortDescription"]) == "The relationship leads to an object that does not exist.")
    for (key, part) in [("fullDescription", code.cause), ("help", code.remedy)] {
      let text = try #require(self.text(rule[key]))
      #expect(!text.isEmpty && (part.isEmpty || text.contains(part)))
    }
  }

  @Test func locationsNameFileAndObject() throws {
    let result = try #require(try list(run(.mixed)["results"]).first)
    let location = try #require(try list(result["locations"]).first)
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    #expect(
      physical["artifactLocation"] as? [String: String] == ["uri": "my%20stores/Trips.sqlite"])
    #expect(
      location["logicalLocations"] as? [[String: String]]
        == [["fullyQualifiedName": "Person/p1.manager", "kind": "property"]])
  }

  @Test(
    arguments: [
      ("Trips.sqlite", "Trips.sqlite"), ("./a b/ü%.x", "./a%20b/%C3%BC%25.x"),
      ("/tmp/a#b", "file:///tmp/a%23b"), ("C:x", "C%3Ax"),
      ("standard input", "standard%20input"),
    ])
  func pathsAreURIs(_ path: String, _ uri: String) {
    #expect(SARIFLocation.uri(path) == uri)
  }

  @Test func fingerprintsAreStableAndDiffer() throws {
    let twice = try (0..<2).map { _ in
      try list(run(.mixed)["results"]).compactMap { $0["partialFingerprints"] as? [String: String] }
    }
    #expect(twice[0] == twice[1])
    #expect(twice[0].count == MadeUpFindings.mixed.findings.count)
    #expect(Set(twice[0]).count == twice[0].count)
    // What services have stored must be found again by later versions.
    #expect(twice[0][0]["coffer/v1"] == "d8b7c9a4829cae2a:1")
    var made = MadeUpFindings()
    made.findings = Array(repeating: MadeUpFindings.mixed.findings[0], count: 2)
    let prints = try list(run(made)["results"])
      .compactMap { ($0["partialFingerprints"] as? [String: String])?["coffer/v1"] }
    #expect(prints == ["d8b7c9a4829cae2a:1", "d8b7c9a4829cae2a:2"])
  }

  @Test func tooManyResultsAreCutOffAndThatIsSaid() throws {
    let run = try run(.mixed, limit: 3)
    #expect(try list(run["results"]).count == 3)
    let invocation = try #require(try list(run["invocations"]).first)
    let notifications = try list(invocation["toolExecutionNotifications"])
    #expect(
      notifications.map { text($0["message"]) } == ["The first 3 of 11 findings are listed."])
    #expect(try list(driver(run)["rules"]).count == 5)
    let all = try #require(try list(try self.run(.mixed, limit: 11)["invocations"]).first)
    #expect(all["toolExecutionNotifications"] == nil)
    #expect(SARIFVerification.resultLimit == 5000)
  }

  @Test func theInvocationSaysHowItEnded() throws {
    for (made, status) in [(MadeUpFindings.mixed, 3), (MadeUpFindings(), 0)] {
      let run = try run(made)
      let invocation = try #require(try list(run["invocations"]).first)
      #expect(invocation["executionSuccessful"] as? Bool == true)
      #expect(invocation["exitCode"] as? Int == status)
      let properties = try #require(run["properties"] as? [String: Any])
      #expect(properties["checksNotRun"] as? [String] == made.notRun.map(\.rawValue))
    }
    let run = try run(.mixed, failure: MadeUpFindings.failure)
    let invocation = try #require(try list(run["invocations"]).first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    #expect(invocation["exitCode"] as? Int == 12)
    #expect(try list(run["results"]).count == 11)
    let notification = try #require(try list(invocation["toolExecutionNotifications"]).first)
    #expect(text(notification["message"]) == "a<b: truncated archive: it ends too early")
  }
}
