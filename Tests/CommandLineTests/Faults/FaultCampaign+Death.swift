internal import TestSupport

extension FaultCampaign {
  /// The calls after which the command is killed: those before whose next one it is not killed anyway,
  /// which leaves the same.
  func triedLast(_ fault: Fault) -> [FaultCall] {
    let tried = tried(fault)
    if Self.isComplete { return tried }
    let numbers = Set(tried.map(\.number))
    return tried.filter { !numbers.contains($0.number + 1) }
  }

  /// The problems after the command was killed, and after the next run.
  ///
  /// The target must be the old one, nothing or the new one. Other files must have names that identify them
  /// as temporary. The next run must do its work and leave only the target.
  func problemsAfterDeath(_ scene: FaultScene) throws -> [String] {
    var problems: [String] = []
    if try !scene.sourcesAreUntouched() { problems.append("the source changed") }
    let state = try scene.targetAfterDeath(new: new)
    if case .other(let names) = state { problems.append("the target is neither: \(names)") }
    let unnamed = try scene.temporaryFiles().filter { !$0.hasPrefix("coffer-") }
    if !unnamed.isEmpty { problems.append("it left \(unnamed)") }
    // A user removes undo changes from a state that the store did not reach.
    if state != .new { try scene.removeUndo() }
    let next = try scene.run().result
    let expected = state == .new ? statusOfRepetition : scenario.status
    if next.status != expected {
      problems.append("the next run ends with \(next.status): \(next.errorOutput)")
    }
    // A command that refuses its work, or finds none, removes no external file that was reported as remaining,
    // and no folder of a kind that it does not create.
    let hasNoWork =
      state == .new && (statusOfRepetition != scenario.status || scenario.repetition == 0)
    let isOnlyRemnant = try hasNoWork && scene.holdsNoLeftover()
    let after = try isOnlyRemnant ? scene.targetAfterDeath(new: new) : scene.target(new: new)
    if after != .new { problems.append("after the next run the target is \(after)") }
    let ownFolders = ["coffer-merge-", "coffer-snapshot-"]
    let left = try scene.temporaryFiles().filter { name in
      !(hasNoWork && scenario.isEdit && ownFolders.contains { name.hasPrefix($0) })
    }
    if !left.isEmpty { problems.append("the next run left \(left)") }
    return problems
  }
}
