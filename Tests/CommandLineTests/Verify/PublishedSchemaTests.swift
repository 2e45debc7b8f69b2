internal import CofferKit
internal import TestSupport
internal import Testing

@testable internal import coffer

/// Reports conform to their published schemas.
@Suite(.enabled(if: PublishedSchemas.areThere, "scripts/fetch-schemas was not run"))
struct PublishedSchemaTests {
  /// What is reported, with and without a failure, by a name for the report of the test.
  private static var cases: [(made: MadeUpFindings, failure: Failure?)] {
    var strange = MadeUpFindings()
    strange.findings = FindingCode.allCases.map { code in
      Finding(code, entityName: "\u{1}<&\"'>\u{FFFE}\n", propertyName: "]]>", detail: "\u{0}")
    }
    strange.threshold = .warning
    return [
      (MadeUpFindings(), nil), (.mixed, nil), (strange, nil),
      (.mixed, MadeUpFindings.failure), (MadeUpFindings(), MadeUpFindings.failure),
    ]
  }

  @Test(arguments: 0..<5) func documentsOfJUnitAreValid(_ index: Int) throws {
    let (made, failure) = Self.cases[index]
    let text = try made.text(failure: failure) { stream in
      JUnitVerification(LineWriter(stream), path: "a&b", threshold: made.threshold)
    }
    #expect(try PublishedSchemas.problems(of: text, .junit) == "")
  }

  @Test(arguments: 0..<5) func documentsOfSARIFAreValid(_ index: Int) throws {
    let (made, failure) = Self.cases[index]
    for limit in [2, 5000] {
      let text = try made.text(failure: failure) { stream in
        SARIFVerification(LineWriter(stream), path: "a b", limit: limit)
      }
      #expect(try PublishedSchemas.problems(of: text, .sarif) == "")
    }
  }

  @Test func invalidDocumentsAreFound() throws {
    let junit = "<testsuites><testsuite name=\"a\"><other/></testsuite></testsuites>"
    #expect(try PublishedSchemas.problems(of: junit, .junit) != "")
    let sarif = "{\"version\":\"2.1.0\",\"runs\":[{\"results\":[]}]}"
    #expect(try PublishedSchemas.problems(of: sarif, .sarif).contains("'tool'"))
  }

  @Test func whatTheProgramWritesIsValid() throws {
    let sandbox = try Sandbox(.abstractEntity)
    let junit = try sandbox.coffer("verify", "Todo.sqlite", "--format", "junit")
    #expect(try PublishedSchemas.problems(of: junit.output, .junit) == "")
    let sarif = try sandbox.coffer("verify", "Todo.sqlite", "--format", "sarif")
    #expect(try PublishedSchemas.problems(of: sarif.output, .sarif) == "")
    #expect(junit.status == 3 && sarif.status == 3)
  }
}
