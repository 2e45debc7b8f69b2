internal import Foundation
internal import TestSupport

/// One command, run again and again, with a fault at another call each time.
///
/// In an ordinary run a call stands for all of its kind: the first of each
/// function on each file is tried, and the last where files are written; commands that edit a store share
/// them.
struct FaultCampaign {
  /// Whether every call is tried.
  static let isComplete = Effort.isLong

  let scenario: FaultScenario
  /// Whether every call is tried here in any case.
  var triesEveryCall = false
  /// The state of the target after an undisturbed run.
  let new: FolderState
  /// What an undisturbed run says.
  let answer: String

  /// All calls of an undisturbed run; empty if they were not recorded.
  private let calls: [FaultCall]
  private let templates: FaultTemplates

  /// Runs the command undisturbed.
  ///
  /// - Parameters:
  ///   - scenario: the command.
  ///   - templates: what it works on; nil for small stores.
  ///   - notesCalls: whether its calls are noted, for faults at them.
  /// - Throws: ``Undisturbed`` where that does not do what it should.
  init(
    _ scenario: FaultScenario, _ templates: FaultTemplates? = nil, notesCalls: Bool = true
  ) throws {
    self.scenario = scenario
    self.templates = try templates ?? .small()
    let scene = try FaultScene(scenario, templates)
    let outcome = try scene.run(notesCalls ? Fault(Fault.CallClass.allCases, .fail) : nil)
    let result = outcome.result
    calls = outcome.calls
    guard result.status == scenario.status else {
      throw Undisturbed(description: "\(scenario.name): \(result.status) \(result.errorOutput)")
    }
    new = try scene.target()
    answer = Self.answer(of: result, scenario)
  }

  /// The output of a run, except for its time and random parts.
  private static func answer(of result: ProcessResult, _ scenario: FaultScenario) -> String {
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let random = ["  time "] + (scenario.isRandom ? ["  store UUID "] : [])
    return lines.filter { !random.contains(where: $0.hasPrefix) }.joined(separator: "\n")
  }

  /// Whether the output of a run equals the output of an undisturbed one.
  func isSaid(by result: ProcessResult) -> Bool { Self.answer(of: result, scenario) == answer }

  /// A run without a fault did not do its work.
  struct Undisturbed: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether the command refuses to write where its target is already.
  var refusesToReplace: Bool { scenario.writes && !scenario.arguments.contains("--force") }

  /// The status of a run that finds what an undisturbed one leaves.
  var statusOfRepetition: Int32 {
    scenario.repetition ?? (refusesToReplace ? 14 : scenario.status)
  }

  /// Sets the scene for a run.
  func scene() throws -> FaultScene { try FaultScene(scenario, templates) }

  /// The calls at which a fault is tried, with their numbers among those that it concerns; none for a
  /// command that the campaign does not want.
  func tried(_ fault: Fault) -> [FaultCall] {
    guard scenario.isWanted else { return [] }
    var calls = calls.filter { fault.classes.contains($0.callClass) }
    for position in calls.indices { calls[position].number = position + 1 }
    if Self.isComplete || triesEveryCall { return calls }
    // An edit and a share read their sources as other commands do.
    if scenario.isEdit || scenario.isRandom {
      calls.removeAll { !$0.paths.contains { $0.contains("/out/") } }
    }
    var ends: [String: (first: Int, last: Int)] = [:]
    for (position, call) in calls.enumerated() {
      ends[call.kind, default: (position, position)].last = position
    }
    let numbers = ends.values.flatMap { end in
      calls[end.first].callClass == .write ? [end.first, end.last] : [end.first]
    }
    let chosen = Set(numbers).sorted().map { calls[$0] }
    // All edits write in the same way: each tries its share of the calls.
    guard let turn = FaultScenario.edits.firstIndex(where: { $0.name == scenario.name }) else {
      return chosen
    }
    return chosen.enumerated().filter { $0.offset % FaultScenario.edits.count == turn }
      .map(\.element)
  }

  /// Tries a fault at each call of ``tried(_:)``, and looks at what comes of it.
  ///
  /// - Parameters:
  ///   - fault: what goes wrong.
  ///   - calls: the calls at which it does; nil for those of ``tried(_:)``.
  ///   - check: gives what is wrong with the outcome at that call, nothing if all is well.
  /// - Returns: what is wrong, each with the fault and the call.
  /// - Throws: when the program cannot be run, and what the closure throws.
  func run(
    _ fault: Fault, at calls: [FaultCall]? = nil,
    _ check: (FaultScene, FaultScene.Outcome, FaultCall) throws -> [String]
  ) throws -> [String] {
    var problems: [String] = []
    for call in calls ?? tried(fault) {
      let scene = try scene()
      let outcome = try scene.run(fault, at: call.number)
      for problem in try check(scene, outcome, call) {
        let said = outcome.result.errorOutput.replacingOccurrences(of: "\n", with: " | ")
        problems.append(
          "\(scenario.name), \(fault) at \(call.number), \(call.kind): \(problem) [\(said)]")
      }
      FaultTally.count()
    }
    return problems
  }
}
