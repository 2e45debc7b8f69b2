#if os(Linux)
  internal import Foundation
  internal import TestSupport
  internal import Testing

  /// Killed before or after any call that changes files, a command leaves the old target, nothing, or
  /// the new one; all other files have names of leftovers, and the next run removes them.
  @Suite(.enabled(if: FaultLibrary.isAvailable, "needs a C compiler"))
  struct DeathTests {
    private static let changing: [Fault.CallClass] = [
      .open, .write, .sync, .rename, .remove, .make, .resize,
    ]

    @Test(arguments: FaultScenario.exports)
    func aKilledExportLeavesTheOldArchiveOrTheNewOne(_ scenario: FaultScenario) throws {
      try tryDeaths(scenario)
    }

    @Test(arguments: FaultScenario.imports)
    func aKilledImportLeavesTheOldStoreOrNothingOrTheNewOne(_ scenario: FaultScenario) throws {
      try tryDeaths(scenario)
    }

    /// What is written before anything gets its name is written as by an import.
    @Test(arguments: FaultScenario.edits + FaultScenario.shares)
    func aKilledEditLeavesTheOldStoreOrTheNewOne(_ scenario: FaultScenario) throws {
      try tryDeaths(
        scenario, at: FaultCampaign.isComplete ? Self.changing : [.rename, .remove, .make])
    }

    @Test func aKilledVerificationLeavesNoNamelessFiles() throws {
      try tryDeaths(FaultScenario.reading[0])
      try tryDeaths(FaultScenario.reading[2])
    }

    private func tryDeaths(
      _ scenario: FaultScenario, at classes: [Fault.CallClass] = changing
    ) throws {
      let campaign = try FaultCampaign(scenario)
      for action in [Fault.Action.dieBefore, .dieAfter] {
        let fault = Fault(classes, action)
        let calls = action == .dieBefore ? campaign.tried(fault) : campaign.triedLast(fault)
        let problems = try campaign.run(fault, at: calls) { scene, outcome, _ in
          let wasKilled = outcome.result.signal == SIGKILL
          return try (wasKilled ? [] : ["it was not killed"]) + campaign.problemsAfterDeath(scene)
        }
        #expect(problems == [])
      }
    }
  }
#endif
