#if os(Linux)
  internal import POSIX
  internal import TestSupport
  internal import Testing

  /// Whatever call of the operating system fails, a command ends with an error that says so, the target
  /// is the old one or the complete new one, and no other file is left.
  ///
  /// In a long run every call is tried, not only one of each kind, and with
  /// every error, where else errors of the same calls take turns.
  @Suite(.enabled(if: FaultLibrary.isAvailable, "needs a C compiler"))
  struct FaultInjectionTests {
    private static let fullDisk = Fault([.write, .resize], .failOn, ENOSPC)
    private static let unreadable = Fault([.read], .fail, EIO)
    private static let tooManyFiles = Fault([.open], .fail, EMFILE)

    /// What goes wrong with commands that write.
    private static let faults = [
      fullDisk, unreadable, tooManyFiles, Fault([.write], .short, ENOSPC),
      Fault([.write], .fail, EIO), Fault([.open], .fail, EACCES), Fault([.sync], .fail, EIO),
      Fault([.rename], .fail, EACCES), Fault([.make], .fail, EDQUOT),
      Fault([.lock], .fail, ENOLCK), Fault([.map], .fail, ENOMEM),
    ]
    /// Files cannot be examined, or folders listed.
    private static let unknown = Fault([.state, .list], .fail, EIO)

    /// Errors of the same calls.
    private static let alike = [
      (Fault.CallClass.write, faults.filter { $0.classes.first == .write }),
      (Fault.CallClass.open, faults.filter { $0.classes.first == .open }),
    ]

    /// The calls at which a fault is tried.
    ///
    /// Where several errors can befall a call it is given one of them, and another one in the next of the
    /// scenarios, which have most calls in common.
    private static func calls(_ campaign: FaultCampaign, _ fault: Fault) -> [FaultCall] {
      let tried = campaign.tried(fault)
      guard !FaultCampaign.isComplete,
        let (shared, faults) = alike.first(where: { fault.classes.first == $0.0 }),
        let turn = faults.firstIndex(where: { $0.description == fault.description }),
        let scenario = FaultScenario.writing.firstIndex(where: {
          $0.name == campaign.scenario.name
        })
      else { return tried }
      var number = scenario
      return tried.filter { call in
        guard call.callClass == shared else { return true }
        number += 1
        return number % faults.count == turn
      }
    }

    @Test(arguments: FaultScenario.writing)
    func aFailedCallLeavesTheOldTargetOrTheNewOne(_ scenario: FaultScenario) throws {
      let campaign = try FaultCampaign(scenario)
      for fault in Self.faults {
        let problems = try campaign.run(fault, at: Self.calls(campaign, fault)) {
          try Self.problems(campaign, $0, $1, $2)
        }
        #expect(problems == [])
      }
    }

    @Test(arguments: FaultScenario.exports)
    func whatCannotBeToldIsNotTakenForMissing(_ scenario: FaultScenario) throws {
      let campaign = try FaultCampaign(scenario)
      for fault in [Self.unknown, Fault([.rename], .failOn, EACCES)] {
        let problems = try campaign.run(fault) {
          try Self.problems(campaign, $0, $1, $2)
        }
        #expect(problems == [])
      }
    }

    /// The first import looks for nothing that the others do not look for.
    @Test(
      arguments: (FaultCampaign.isComplete
        ? FaultScenario.imports : Array(FaultScenario.imports.dropFirst())) + FaultScenario.edits
        + FaultScenario.shares)
    func whatCannotBeToldIsNotTakenForMissingByAnImport(_ scenario: FaultScenario) throws {
      let campaign = try FaultCampaign(scenario)
      let problems = try campaign.run(Self.unknown) {
        try Self.problems(campaign, $0, $1, $2)
      }
      #expect(problems == [])
    }

    @Test(arguments: FaultScenario.reading)
    func aFailedCallIsNoAnswer(_ scenario: FaultScenario) throws {
      let campaign = try FaultCampaign(scenario)
      for fault in FaultCampaign.isComplete
        ? Self.faults + [Self.unknown] : [Self.fullDisk, Self.unreadable, Self.tooManyFiles]
      {
        let problems = try campaign.run(fault) {
          try Self.problems(campaign, $0, $1, $2)
        }
        #expect(problems == [])
      }
    }

    /// SQLite takes a page that it cannot read for a damaged one, and the next read may succeed.
    @Test
    func noPageThatCannotBeReadOnceIsPassedOver() throws {
      var campaign = try FaultCampaign(FaultScenario.reading[0])
      campaign.triesEveryCall = true
      let problems = try campaign.run(Self.unreadable) {
        try Self.problems(campaign, $0, $1, $2)
      }
      #expect(problems == [])
    }

    /// A verification of the result takes a page that cannot be read for a damaged one, too.
    @Test
    func aShareThatCannotBeReadAgainIsNoShare() throws {
      var campaign = try FaultCampaign(FaultScenario.shares[0])
      campaign.triesEveryCall = true
      let reads = campaign.tried(Self.unreadable).filter { $0.kind.hasSuffix("new/R.sqlite") }
      let some = reads.suffix(80).enumerated().filter { $0.offset % 20 == 10 }.map(\.element)
      #expect(some.count == (campaign.scenario.isWanted ? 4 : 0))
      let problems = try campaign.run(Self.unreadable, at: some) {
        try Self.problems(campaign, $0, $1, $2)
      }
      #expect(problems == [])
    }

    /// The undo file has its name before the store changes.
    @Test
    func nothingLeadsBackFromAMergeThatFailed() throws {
      var campaign = try FaultCampaign(FaultScenario.edits[1])
      try #require(campaign.scenario.name == "merge --undo")
      campaign.triesEveryCall = true
      let problems = try campaign.run(Fault([.sync], .fail, EIO)) {
        try Self.problems(campaign, $0, $1, $2)
      }
      #expect(problems == [])
    }

    /// What reads, writes and opens is the same in all commands; complete campaigns try all of them.
    @Test(
      arguments: FaultCampaign.isComplete
        ? FaultScenario.writing
        : [FaultScenario.exports[1], FaultScenario.imports[1], FaultScenario.edits[1]])
    func anInterruptedCallIsMadeAgain(_ scenario: FaultScenario) throws {
      let campaign = try FaultCampaign(scenario)
      let problems = try campaign.run(Fault([.read, .write, .open], .fail, EINTR)) {
        scene, outcome, _ in
        let target = try scene.target(new: campaign.new)
        return outcome.result.status == scenario.status && target == .new ? [] : ["it was not done"]
      }
      #expect(problems == [])
    }

    /// What is wrong after a call that failed.
    ///
    /// Where the call was to remove a temporary file, that may stay as after a death.
    private static func problems(
      _ campaign: FaultCampaign, _ scene: FaultScene, _ outcome: FaultScene.Outcome,
      _ call: FaultCall
    ) throws -> [String] {
      let text = try problems(withAnswer: outcome.result, campaign)
      let files = try problems(withFiles: outcome.result, campaign, scene)
      // So may a file that only the old store had; the error names it.
      let isToldOf = outcome.result.errorOutput.contains("the store is in place, but")
      guard !files.isEmpty, call.isTemporary || isToldOf,
        try campaign.problemsAfterDeath(scene) == []
      else { return text + files }
      return text
    }

    /// What is wrong with the status and the text.
    private static func problems(
      withAnswer result: ProcessResult, _ campaign: FaultCampaign
    ) throws -> [String] {
      if let signal = result.signal { return ["signal \(signal)"] }
      if result.status == campaign.scenario.status {
        // A verification that could not look at everything says so among its findings.
        let isToldOf = result.output.contains("check-not-run")
        return isToldOf || campaign.isSaid(by: result) ? [] : ["another answer"]
      }
      guard [1, 3, 10, 11, 12].contains(result.status) else { return ["status \(result.status)"] }
      return result.status == 3 ? [] : problems(withText: result.errorOutput)
    }

    /// The problems of the remaining files.
    private static func problems(
      withFiles result: ProcessResult, _ campaign: FaultCampaign, _ scene: FaultScene
    ) throws -> [String] {
      var problems: [String] = []
      if try !scene.sourcesAreUntouched() { problems.append("the source changed") }
      let left = try scene.temporaryFiles()
      if !left.isEmpty { problems.append("left \(left)") }
      let target = try scene.target(new: campaign.new)
      let isDone = result.status == campaign.scenario.status
      if target != .new, isDone || target != .old {
        problems.append("\(isDone ? "done" : "failed"), and the target is \(target)")
      }
      return problems
    }

    /// The missing parts in the text of an error: where, what, and what to do.
    private static func problems(withText text: String) -> [String] {
      let lines = text.split(separator: "\n")
      guard let first = lines.first, first.hasPrefix("Error: "),
        first.split(separator: ": ").count >= 4
      else { return ["the error does not say where, what and why"] }
      return lines.contains { $0.hasPrefix("Hint: ") } ? [] : ["the error has no hint"]
    }
  }
#endif
