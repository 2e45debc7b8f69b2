internal import Foundation
internal import Fuzzing
internal import Testing

/// A short campaign of every target with a fixed seed; a long one is `make fuzz`.
///
/// A trap ends the whole run of the tests; `coffer-fuzz TARGET --seed 1` then shows the input.
@Suite struct ShortCampaignTests {
  /// The maximum number of seconds for each target; the number of inputs is bounded too.
  private static let seconds = 1.0
  private static let runs = 400
  private static let seed: UInt64 = 1

  @Test(arguments: FuzzTarget.all.map(\.name))
  func noInputIsAFinding(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let campaign = try FuzzCampaign(target, seed: Self.seed)
    FuzzFolder.use { Self.run(campaign) }
  }

  private static func run(_ campaign: FuzzCampaign) {
    #expect(!campaign.corpus.isEmpty)
    let end = Date().addingTimeInterval(seconds)
    for number in 0..<runs {
      // Every seed is run, whatever the time.
      if number >= campaign.corpus.count, Date() >= end { break }
      do throws(BrokenLaw) {
        try campaign.target.run(campaign.input(number))
      } catch {
        Issue.record("\(campaign.target.name), seed \(seed), run \(number): \(error)")
      }
    }
  }

  @Test func inputsFollowFromTheSeed() throws {
    let target = try #require(FuzzTarget.named("json"))
    let (first, second) = (try FuzzCampaign(target, seed: 5), try FuzzCampaign(target, seed: 5))
    let other = try FuzzCampaign(target, seed: 6)
    let numbers = 100..<200
    #expect(numbers.map(first.input) == numbers.map(second.input))
    #expect(numbers.map(first.input) != numbers.map(other.input))
  }

  @Test func targetsHaveDifferentNames() {
    #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
  }
}
