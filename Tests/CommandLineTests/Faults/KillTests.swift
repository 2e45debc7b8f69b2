internal import Foundation
internal import TestSupport
internal import Testing

/// Commands that take a while, killed at random moments.
///
/// 20 kills are made (``Effort``); the seed is printed.
@Suite struct KillTests {
  private static let count = Effort.tries(20)
  /// The number of objects in the stores; enough for the commands to take a while.
  private static let objectCount = count > 20 ? 20_000 : 4000

  private static let names: Set = [
    "export", "export --force", "import", "import --force", "apply", "merge --undo",
    "merge tables", "dedupe --output --force", "compact", "repair --apply --undo",
    "apply the undo of a repair", "anonymize --force",
  ]

  @Test func aKilledCommandLeavesTheOldTargetOrNothingOrTheNewOne() throws {
    let seed: UInt64 = Effort.seed()
    print("KillTests: \(Self.count) kills, seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let templates = try FaultTemplates(objectCount: Self.objectCount)
    let repairs: [FaultScenario] = [.repairing, .takingRepairBack]
    let others = FaultScenario.writing.filter { scenario in
      !repairs.contains { $0.name == scenario.name }
    }
    let scenarios = (others + repairs).filter { Self.names.contains($0.name) }
    #expect(scenarios.count == Self.names.count)
    let campaigns = try scenarios.filter(\.isWanted).map { scenario in
      let began = ContinuousClock.now
      let campaign = try FaultCampaign(scenario, templates, notesCalls: false)
      return (campaign: campaign, seconds: (ContinuousClock.now - began) / .seconds(1))
    }
    try #require(!campaigns.isEmpty)
    var tally: [String: Int] = [:]
    for number in 0..<Self.count {
      let (campaign, seconds) = campaigns[number % campaigns.count]
      let scene = try campaign.scene()
      let process = try scene.start()
      Thread.sleep(forTimeInterval: Double.random(in: 0...seconds, using: &random))
      process.send(signal: 9)
      let wasKilled = try process.wait().signal == 9
      let target = try scene.targetAfterDeath(new: campaign.new).word
      tally["\(campaign.scenario.name), \(wasKilled ? target : "done")", default: 0] += 1
      if wasKilled { #expect(try campaign.problemsAfterDeath(scene) == [], "kill \(number)") }
    }
    for (what, count) in tally.sorted(by: { $0.key < $1.key }) { print("\(count)  \(what)") }
  }
}
