internal import ArgumentParser
internal import CofferKit
internal import Testing

@testable internal import coffer

@Suite struct TextVerificationTests {
  private func text(
    _ made: MadeUpFindings, _ options: [String] = [], all: Bool = false, failure: Failure? = nil
  ) throws -> String {
    let output = try OutputOptions.parse(options)
    return try made.text(failure: failure) { stream in
      TextVerification(
        TextPrinter(output, answer: stream), path: "Trips.sqlite", showsAll: all,
        threshold: made.threshold)
    }
  }

  /// The text without remedies, whose words are not this test's.
  private func withoutRemedies(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("What to do:") }.joined(separator: "\n")
  }

  @Test func findingsAreGroupedBySeverityAndCode() throws {
    #expect(
      withoutRemedies(try text(.mixed)) == """
        Errors
          the relationship leads to an object that does not exist: 7 (dangling-relationship)
            Person/p1.manager
            Person/p2.manager: key 99
            Person/p3.manager
            Person/p4.manager
            Person/p5.manager
            … and 2 more; --all shows them
          the relationship leads to an object that does not belong to its destination entity: 1 \
        (wrong-destination)
            Person/p1.manager

        Warnings
          a check could not run, or only in part: 1 (check-not-run)
            required: the model is only inferred from the tables
          the value does not pass a validation of the model: 1 (invalid-value)
            Person.settings

        Notes
          rows of the persistent history have version counters, which Core Data leaves empty: 1 \
        (history-version-set)
            12 rows

        Trips.sqlite: store
          store UUID     3D68CB99-B4E7-4F85-B347-295CD7A4FCDC
          objects        1,234
          checks         references, inverses, order
          could not run  required
          time           1.2 seconds

        Trips.sqlite: 8 errors, 2 warnings, 1 note; 1 check could not run

        """)
  }

  @Test func everyGroupHasARemedyAndSaysHowToLearnMore() throws {
    let remedies = try text(.mixed).split(separator: "\n").filter {
      $0.contains("    What to do: ")
    }
    #expect(remedies.count == 5)
    for (line, code) in zip(
      remedies,
      [
        FindingCode.danglingRelationship, .wrongDestination, .checkNotRun, .invalidValue,
        .historyVersionSet,
      ])
    {
      #expect(line.contains(code.remedy))
      #expect(line.contains("coffer verify --explain \(code.text)"))
    }
  }

  @Test func allFindingsAreShownAsTheyCome() throws {
    let lines = try text(.mixed, all: true).split(separator: "\n")
    #expect(lines.prefix(11).map { $0.hasSuffix("]") } == Array(repeating: true, count: 11))
    #expect(
      lines[1] == """
        error: Person/p2.manager: the relationship leads to an object that does not exist (key 99) \
        [dangling-relationship]
        """)
    #expect(lines[11] == "Trips.sqlite: store")
    #expect(lines.last == "Trips.sqlite: 8 errors, 2 warnings, 1 note; 1 check could not run")
  }

  @Test func aSoundStoreHasNoGroups() throws {
    let text = try text(MadeUpFindings())
    #expect(text.hasPrefix("Trips.sqlite: store\n"))
    #expect(text.hasSuffix("\n\nTrips.sqlite: no findings\n"))
  }

  @Test func quietShowsOnlyWhatMakesTheAnswerBad() throws {
    var made = MadeUpFindings.mixed
    let errors = try text(made, ["--quiet"])
    #expect(errors.hasPrefix("Errors\n"))
    #expect(errors.contains("(wrong-destination)"))
    #expect(!errors.contains("Warnings") && !errors.contains("time"))
    made.threshold = .warning
    let more = try text(made, ["--quiet"])
    #expect(more.contains("Warnings\n") && !more.contains("Notes"))
    #expect(try text(MadeUpFindings(), ["--quiet"]) == "")
  }

  @Test func whatWasFoundBeforeAFailureIsShown() throws {
    let text = try text(.mixed, failure: MadeUpFindings.failure)
    #expect(text.contains("7 (dangling-relationship)\n"))
    #expect(!text.contains("Trips.sqlite:"))
  }

  @Test func namesCannotControlTheTerminal() throws {
    var made = MadeUpFindings()
    made.findings = [Finding(.invalidText, entityName: "Ev\u{1B}[2Jil", propertyName: "a\u{202E}")]
    #expect(try text(made).contains("\n    Ev?[2Jil.a?\n"))
    #expect(try text(made, all: true).hasPrefix("error: Ev?[2Jil.a?: "))
    #expect(try !text(made).contains("\u{1B}"))
  }

  @Test(
    arguments: [
      (Duration.zero, "0.0 seconds"), (.milliseconds(1249), "1.2 seconds"),
      (.seconds(59), "59.0 seconds"), (.seconds(60), "1:00"), (.seconds(3723), "1:02:03"),
    ])
  func timesAreShort(_ duration: Duration, _ text: String) {
    #expect(QuantityText.elapsed(duration) == text)
  }

  @Test func paragraphsAreBrokenBetweenWords() {
    #expect(
      TextPrinter.paragraph("one two three internationalization four", width: 9)
        == ["one two", "three", "internationalization", "four"])
    #expect(TextPrinter.paragraph("", width: 9) == [])
  }
}
