internal import CofferKit
internal import Testing

/// The documented limits on archives are right.
@Suite struct LimitTableTests {
  private struct Row: Equatable {
    var group: String
    var value: String
  }

  private static func rows() throws -> [String: Row] {
    let section = try #require(try MarkdownPage("docs/security.md").section("## Limits"))
    var rows: [String: Row] = [:]
    for match in section.matches(of: /\n\| `([a-z-]+)` \| `([a-z-]+)` \| ([0-9]+[KMGT]?) \|/) {
      rows[String(match.output.2)] = Row(
        group: String(match.output.1), value: String(match.output.3))
    }
    return rows
  }

  @Test(arguments: ArchiveLimits.Name.allCases)
  func everyLimitIsDescribedWithItsValueAndItsGroup(_ limit: ArchiveLimits.Name) throws {
    let row = try #require(try Self.rows()[limit.rawValue], "\(limit.rawValue) has no row")
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = row.value.last.flatMap { shifts[$0] }
    let number = try #require(Int(shift == nil ? row.value : String(row.value.dropLast())))
    #expect(number << (shift ?? 0) == ArchiveLimits.standard[limit])
    #expect(row.group == limit.group.rawValue)
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

  @Test(arguments: ArchiveLimits.Group.allCases)
  func aFactorMultipliesTheLimitsOfItsGroupAlone(_ group: ArchiveLimits.Group) {
    for (factor, effective) in [(3.0, 3), (100, 100), (1e9, 100)] {
      var limits = ArchiveLimits.standard
      limits.multiply(group, by: factor)
      for name in ArchiveLimits.Name.allCases {
        let standard = ArchiveLimits.standard[name]
        let raised = min(standard * effective, name.largestValue)
        #expect(limits[name] == (name.group == group ? raised : standard))
      }
    }
    for factor in [0, -1, .nan, 1e-30] {
      var limits = ArchiveLimits.standard
      limits.multiply(group, by: factor)
      #expect(ArchiveLimits.Name.allCases.allSatisfy { $0.group != group || limits[$0] == 1 })
    }
  }

  @Test(arguments: ArchiveLimits.Name.allCases)
  func theFactorForAValueLetsItPass(_ name: ArchiveLimits.Name) {
    let standard = ArchiveLimits.standard[name]
    for value in [standard, standard + 1, 2 * standard - 1, 2 * standard] {
      var limits = ArchiveLimits.standard
      limits.multiply(name.group, by: Double(name.factor(for: value)))
      #expect(limits[name] >= min(value, name.largestValue))
    }
    #expect(name.factor(for: standard + 1) == 2)
  }
}
