internal import CofferKit
internal import Testing

/// The limits on archives are described as they are.
@Suite struct LimitTableTests {
  private static func rows() throws -> [String: String] {
    let section = try #require(try MarkdownPage("docs/security.md").section("## Limits"))
    var rows: [String: String] = [:]
    for match in section.matches(of: /\n\| `([a-z-]+)` \| ([0-9]+[KMGT]?) \|/) {
      rows[String(match.output.1)] = String(match.output.2)
    }
    return rows
  }

  @Test(arguments: ArchiveLimits.Name.allCases)
  func everyLimitIsDescribedWithItsValue(_ limit: ArchiveLimits.Name) throws {
    let text = try #require(try Self.rows()[limit.rawValue], "\(limit.rawValue) has no row")
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { shifts[$0] }
    let number = try #require(Int(shift == nil ? text : String(text.dropLast())))
    #expect(number << (shift ?? 0) == ArchiveLimits.standard[limit])
  }

  @Test func noLimitIsDescribedThatIsNotThere() throws {
    #expect(Set(try Self.rows().keys) == Set(ArchiveLimits.Name.allCases.map(\.rawValue)))
  }

  /// The names are those of the properties, so that each has one.
  @Test func everyPropertyHasAName() throws {
    let properties = Mirror(reflecting: ArchiveLimits.standard).children.compactMap(\.label)
    #expect(properties.count == ArchiveLimits.Name.allCases.count)
    for name in ArchiveLimits.Name.allCases {
      var limits = ArchiveLimits.standard
      limits[name] += 1
      #expect(limits != .standard)
      #expect(ArchiveLimits.standard[name] <= name.largestValue)
    }
  }
}
