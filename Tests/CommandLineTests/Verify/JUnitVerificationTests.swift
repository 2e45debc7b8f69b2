internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import coffer

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

@Suite struct JUnitVerificationTests {
  private func text(_ made: MadeUpFindings, failure: Failure? = nil) throws -> String {
    try made.text(failure: failure) { stream in
      JUnitVerification(LineWriter(stream), path: "a&b.sqlite", threshold: made.threshold)
    }
  }

  @Test func everyCheckIsATestCase() throws {
    let document = try XMLElements(try text(.mixed))
    let cases = document.named("testcase")
    #expect(
      cases.map { $0["name"] }
        == [
          "versions", "references", "inverses", "order", "required", "validation", "verification",
        ])
    #expect(cases.allSatisfy { $0["classname"] == "coffer" })
    for name in ["testsuites", "testsuite"] {
      let element = try #require(document.named(name).first)
      #expect(element["tests"] == "7" && element["failures"] == "1" && element["errors"] == "0")
    }
    let suite = try #require(document.named("testsuite").first)
    #expect(suite["name"] == "a&b.sqlite" && suite["skipped"] == "1")
    let properties = document.named("property").map { "\($0["name"] ?? "")=\($0["value"] ?? "")" }
    #expect(
      properties
        == ["kind=store", "storeUUID=3D68CB99-B4E7-4F85-B347-295CD7A4FCDC", "objects=1234"])
  }

  @Test func aFailureHasAllCodesOfItsCheckWithCountsAndExamples() throws {
    let document = try XMLElements(try text(.mixed))
    let failures = document.named("failure")
    #expect(failures.count == 1)
    let failure = try #require(failures.first)
    #expect(failure.path == ["testsuites", "testsuite", "testcase", "failure"])
    #expect(failure["type"] == "dangling-relationship")
    #expect(failure["message"] == "dangling-relationship (7), wrong-destination (1)")
    #expect(
      failure.text.hasPrefix(
        """
        error: dangling-relationship: the relationship leads to an object that does not exist: 7
          Person/p1.manager
          Person/p2.manager: key 99

        """))
    #expect(failure.text.contains("\n  … and 2 more\n"))
    #expect(failure.text.contains("\nerror: wrong-destination: "))
  }

  @Test func warningsAreOutputUnlessTheyCount() throws {
    let outputs = try XMLElements(try text(.mixed)).named("system-out")
    #expect(outputs.count == 3)
    #expect(outputs.contains { $0.text.hasPrefix("warning: invalid-value: ") })
    #expect(outputs.contains { $0.text.hasPrefix("info: history-version-set: ") })
    var made = MadeUpFindings.mixed
    made.threshold = .warning
    let document = try XMLElements(try text(made))
    #expect(
      document.named("failure").map { $0["type"] }
        == ["dangling-relationship", "invalid-value", "check-not-run"])
    #expect(document.named("testsuite").first?["failures"] == "3")
    #expect(document.named("system-out").count == 1)
  }

  @Test func checksThatCouldNotRunAreSkippedWithTheReason() throws {
    let skipped = try XMLElements(try text(.mixed)).named("skipped")
    #expect(skipped.map { $0["message"] } == ["the model is only inferred from the tables"])
    var made = MadeUpFindings()
    made.notRun = [.model]
    #expect(try XMLElements(try text(made)).named("skipped").count == 1)
  }

  @Test func aFailureOfTheWorkIsAnError() throws {
    let document = try XMLElements(try text(.mixed, failure: MadeUpFindings.failure))
    let error = try #require(document.named("error").first)
    #expect(error["type"] == "truncated-archive")
    #expect(error["message"] == "a<b: truncated archive: it ends too early")
    #expect(error.text == "Fetch it again.")
    #expect(document.named("testsuite").first?["errors"] == "1")
    #expect(document.named("failure").count == 1)
  }

  @Test func everyTextIsEscaped() throws {
    var made = MadeUpFindings()
    let name = "<&>\"'\u{1}\u{B}\u{FFFE}\u{1F600}]]>"
    made.findings = [Finding(.invalidText, entityName: Name(name), propertyName: "a\tb")]
    let failure = try #require(try XMLElements(try text(made)).named("failure").first)
    #expect(failure.text.contains("\n  <&>\"'\u{FFFD}\u{FFFD}\u{FFFD}\u{1F600}]]>.a\tb"))
    #expect(
      XMLText.tag("a", [("b", "1\n2\t\"<\u{0}")]) == "<a b=\"1&#10;2&#9;&quot;&lt;\u{FFFD}\"")
    #expect(XMLText.escaped("a\r\n\"") == "a&#13;\n\"")
  }
}

/// The elements of an XML document, as Foundation's parser reads them.
struct XMLElements {
  /// One element.
  struct Element {
    /// The names from the root to the element.
    var path: [String]
    var attributes: [String: String]
    /// The characters between the tags.
    var text = ""

    subscript(name: String) -> String? { attributes[name] }
  }

  /// The text is no XML.
  struct Malformed: Error {}

  /// All elements, in the order of their starts.
  let all: [Element]

  /// Reads a text.
  init(_ text: String) throws {
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    guard parser.parse() else { throw Malformed() }
    all = reader.elements
  }

  /// The elements of a name.
  func named(_ name: String) -> [Element] { all.filter { $0.path.last == name } }

  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let path = (open.last.map { elements[$0].path } ?? []) + [name]
      open.append(elements.count)
      elements.append(Element(path: path, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }
  }
}
