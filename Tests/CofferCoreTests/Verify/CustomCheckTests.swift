import CofferKit
// Only the imports of an app.
internal import LibrarySupport
import Testing

/// Checks that an app adds see every object once, in stores and archives alike.
@Suite struct CustomCheckTests {
  /// Reports every object of an entity with all its values.
  private struct Witness: ObjectCheck {
    static let code = FindingCode(own: "seen", severity: .info, meaning: "it was seen")
    var entityName: Name
    var propertyNames: [Name]
    var text: @Sendable (borrowing CheckedObject) -> String

    func findings(about object: borrowing CheckedObject) -> [Finding] {
      [Finding(Self.code, objectID: object.id, detail: text(object))]
    }
  }

  private let sample: ExportedSample

  init() throws { sample = try ExportedSample() }

  /// The findings of a check in the store, which must be the same in the archive.
  private func seen(_ check: Witness) throws -> [String] {
    var options = VerificationOptions()
    options.objectChecks = [check]
    options.checks = [.own]
    var found: [[String]] = []
    for path in [sample.store, sample.archive] {
      var texts: [String] = []
      let summary = try Verifier(options: options).verify(path) { finding in
        guard finding.code == Witness.code else { return }
        texts.append("\(finding.objectID?.description ?? "-") \(finding.detail)")
      }
      #expect(summary.checks.contains(.own))
      #expect(summary.checksNotRun == [])
      #expect(summary.counts[.info, default: 0] == texts.count)
      found.append(texts)
    }
    #expect(found[0] == found[1])
    return found[0]
  }

  @Test func objectsOfSubEntitiesAreSeenOnce() throws {
    let items = try seen(Witness(entityName: "ItemEntity", propertyNames: []) { _ in "" })
    #expect(items.count == 9)
    #expect(Set(items).count == 9)
    #expect(items.contains { $0.hasPrefix("RecurringTodoEntity/p") })
    let recurring = try seen(
      Witness(entityName: "RecurringTodoEntity", propertyNames: []) { _ in "" })
    #expect(recurring.count == 1)
  }

  @Test func valuesAreThoseThatAreShown() throws {
    let tags = try seen(
      Witness(entityName: "TagEntity", propertyNames: ["name", "color"]) { tag in
        "\(tag.text("name") ?? "-") \(tag.integer("color").map(String.init) ?? "-")"
      })
    var shown: [String] = []
    try ObjectBrowser().show(sample.store, ObjectQuery(entityName: "TagEntity")) { tag in
      let values = Dictionary(uniqueKeysWithValues: tag.attributes.map { ($0.name, $0.value) })
      guard case .text(let name)? = values["name"], case .integer(let color)? = values["color"]
      else { return }
      shown.append("\(tag.id) \(name) \(color)")
    }
    #expect(shown.count == 7)
    #expect(tags == shown)
  }

  @Test func destinationsDatesAndSizesAreReported() throws {
    let attachments = try seen(
      Witness(
        entityName: "AttachmentEntity", propertyNames: ["item", "content", "size", "uuid"]
      ) { file in
        let item = file.destination("item")?.description ?? "-"
        return "\(item) \(file.size("content").map(String.init) ?? "-") \(file.isNil("uuid"))"
      })
    #expect(!attachments.isEmpty)
    #expect(attachments.allSatisfy { $0.contains("Entity/p") && $0.hasSuffix(" false") })
    let items = try seen(
      Witness(entityName: "ItemEntity", propertyNames: ["createdAt", "title"]) { item in
        "\(item.number("createdAt") != nil) \(item.number("title") == nil)"
      })
    #expect(items.allSatisfy { $0.hasSuffix("true true") })
  }

  @Test(
    arguments: [
      ("Missing", [], "there is no entity named Missing"),
      ("TagEntity", ["name", "colour"], "TagEntity stores no property colour"),
      ("ItemEntity", ["isSelected"], "ItemEntity stores no property isSelected"),
    ])
  func aCheckThatCannotRunIsNotSilent(
    _ entity: Name, _ properties: [Name], _ reason: String
  ) throws {
    var options = VerificationOptions()
    options.objectChecks = [Witness(entityName: entity, propertyNames: properties) { _ in "" }]
    for path in [sample.store, sample.archive] {
      var findings: [Finding] = []
      let summary = try Verifier(options: options).verify(path) { findings.append($0) }
      #expect(summary.checksNotRun == [.own])
      #expect(!summary.checks.contains(.own))
      let told = try #require(findings.first { $0.code == .checkNotRun })
      #expect(told.detail == "own: Witness: \(reason)")
    }
  }

  @Test func withoutChecksOfTheAppNothingIsSaidOfThem() throws {
    let summary = try Verifier().verify(sample.store) { _ in }
    #expect(!summary.checks.contains(.own))
    #expect(!CheckName.allCases.contains(.own))
  }

  @Test func whatACheckThrowsEndsTheVerification() throws {
    struct Stop: Error {}
    struct Thrower: ObjectCheck {
      let entityName: Name = "TagEntity"
      let propertyNames: [Name] = []
      func findings(about object: borrowing CheckedObject) throws -> [Finding] { throw Stop() }
    }
    var options = VerificationOptions()
    options.objectChecks = [Thrower()]
    #expect(throws: Stop.self) { try Verifier(options: options).verify(sample.store) { _ in } }
  }
}
