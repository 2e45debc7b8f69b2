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

  /// What is wrong after the command was killed, and after it was run again.
  ///
  /// The target must be the old one, nothing or the new one, what else is there must say what it is,
  /// and the next run must do its work and leave nothing but the target.
  func problemsAfterDeath(_ scene: FaultScene) throws -> [String] {
    var problems: [String] = []
    if try !scene.sourcesAreUntouched() { problems.append("the source changed") }
    let state = try scene.targetAfterDeath(new: new)
    if case .other(let names) = state { problems.append("the target is neither: \(names)") }
    let unnamed = try scene.temporaryFiles().filter { !$0.hasPrefix("coffer-") }
    if !unnamed.isEmpty { problems.append("it left \(unnamed)") }
    // Who finds changes that lead back from a state that the store did not reach removes them.
    if state != .new { try scene.removeUndo() }
    let next = try scene.run().result
    let expected = state == .new ? statusOfRepetition : scenario.status
    if next.status != expected {
      problems.append("the next run ends with \(next.status): \(next.errorOutput)")
    }
    // What refuses its work, or finds none, removes no external file of which it was told that it remained,
    // and no folder like those that it does not make.
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
