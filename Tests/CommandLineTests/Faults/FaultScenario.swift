internal import Foundation
internal import TestSupport
internal import Testing

/// A command with what it finds: sources in the folder `in`, its target in `out`, whose content before
/// the run is one of the templates.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  /// The name for failures.
  let name: String
  /// The arguments, with paths from the folder of the run.
  let arguments: [String]
  /// The folder of the templates that `out` begins as; nil for an empty one.
  var before: String?
  /// The status of a run without a fault.
  var status: Int32 = 0
  /// The status of a run that finds what an undisturbed one leaves; nil for the usual one: what writes a
  /// file does not replace it unless it is forced to.
  var repetition: Int32?

  var testDescription: String { name }
  /// Whether a campaign tries it: `COFFER_COMMANDS` in the environment names words of the commands that it
  /// does, separated by commas; all without it.
  var isWanted: Bool {
    guard let wanted = ProcessInfo.processInfo.environment["COFFER_COMMANDS"] else { return true }
    let words = Set(name.split(separator: " "))
    return !words.isDisjoint(with: wanted.split(separator: ","))
  }
  /// Whether the command has a target, and is done only when that is complete.
  var writes: Bool { ["export", "anonymize"].contains(arguments.first) || makesStore }
  /// Whether the target is a store.
  var makesStore: Bool {
    let mayMake = ["import", "anonymize"].contains(arguments.first) || isEdit
    return mayMake && !arguments.contains("--dry-run") && !arguments.contains("archive")
  }
  /// Whether it chooses values at random, so that no two runs write the same.
  var isRandom: Bool { arguments.first == "anonymize" }

  /// Whether it changes a store, or would.
  var isEdit: Bool { ["apply", "merge", "dedupe", "compact", "repair"].contains(arguments.first) }

  /// Commands that write.
  static let writing: [FaultScenario] = exports + imports + edits + shares

  /// All exports.
  static let exports = [
    FaultScenario(name: "export", arguments: ["export", "IN/Todo.sqlite", "out/a"]),
    FaultScenario(
      name: "export in place", arguments: ["export", "IN/Live.sqlite", "out/a", "--level", "1"]),
    FaultScenario(
      name: "export --force", arguments: ["export", "IN/Rollback.sqlite", "out/a", "--force"],
      before: "old-archive"),
  ]

  /// All imports.
  static let imports = [
    FaultScenario(name: "import", arguments: ["import", "IN/archive", "out/R.sqlite"]),
    FaultScenario(name: "import repacked", arguments: ["import", "IN/repacked", "out/R.sqlite"]),
    FaultScenario(
      name: "import --force", arguments: ["import", "IN/archive", "out/R.sqlite", "--force"],
      before: "old-store"),
  ]

  /// Shares; all of them in complete campaigns, else one.
  static let shares: [FaultScenario] =
    [
      FaultScenario(
        name: "anonymize --force",
        arguments: ["anonymize", "IN/Todo.sqlite", "out/R.sqlite", "--sample", "5", "--force"],
        before: "old-store")
    ] + (FaultCampaign.isComplete ? otherShares : [])

  private static let otherShares = [
    FaultScenario(name: "anonymize", arguments: ["anonymize", "IN/archive", "out/R.sqlite"]),
    FaultScenario(
      name: "anonymize --as archive",
      arguments: ["anonymize", "IN/Live.sqlite", "out/a", "--sample", "5", "--as", "archive"]),
  ]

  /// Commands that change a store; all their forms in complete campaigns, else one of each.
  ///
  /// Changes begin with another state than the one to which they lead. What is merged again, or has no
  /// duplicates, does not change.
  static let edits: [FaultScenario] =
    [
      FaultScenario(
        name: "apply", arguments: ["apply", "out/R.sqlite", "IN/changes"], before: "old-store",
        repetition: 15),
      FaultScenario(
        name: "merge --undo",
        arguments: [
          "merge", "out/R.sqlite", "IN/Other.sqlite", "--base", "IN/Old.sqlite", "--undo",
          "out/undo",
        ], before: "old-store", repetition: 14),
      FaultScenario(
        name: "dedupe --output --force",
        arguments: [
          "dedupe", "IN/Old.sqlite", "--match", "TagEntity=color", "--output", "out/R.sqlite",
          "--force",
        ], before: "old-store"),
      FaultScenario(
        name: "compact", arguments: ["compact", "out/R.sqlite"], before: "old-store", repetition: 0),
      FaultScenario(
        name: "merge tables",
        arguments: ["merge", "out/R.sqlite", "IN/Tables", "--match", "TagEntity=name"],
        before: "old-store", repetition: 0),
    ] + (FaultCampaign.isComplete ? otherEdits : [])

  /// A repair with an undo file.
  static let repairing = repair(["--apply", "--undo", "out/undo"])

  /// What takes a repair back, and the errors with it.
  static let takingRepairBack = FaultScenario(
    name: "apply the undo of a repair", arguments: ["apply", "out/R.sqlite", "IN/repair-undo"],
    before: "repaired-store", status: 3, repetition: 15)

  /// A repair with options; what was repaired needs no repair.
  private static func repair(_ options: [String]) -> FaultScenario {
    let codes = FaultTemplates.repairedCodes.flatMap { ["--fix", $0] }
    return FaultScenario(
      name: "repair \(options.filter { $0.hasPrefix("--") }.joined(separator: " "))",
      arguments: ["repair", "out/R.sqlite"] + codes + options, before: "broken-store",
      repetition: 0)
  }

  private static let otherEdits = [
    repair(["--apply"]), repairing, takingRepairBack,
    FaultScenario(
      name: "apply --undo",
      arguments: ["apply", "out/R.sqlite", "IN/changes", "--undo", "out/undo"],
      before: "old-store", repetition: 15),
    FaultScenario(
      name: "apply --output --undo",
      arguments: [
        "apply", "IN/Old.sqlite", "IN/changes", "--output", "out/R.sqlite", "--undo", "out/undo",
      ]),
    FaultScenario(
      name: "merge",
      arguments: ["merge", "out/R.sqlite", "IN/Other.sqlite", "--base", "IN/Old.sqlite"],
      before: "old-store", repetition: 0),
    FaultScenario(
      name: "merge --output",
      arguments: [
        "merge", "IN/Old.sqlite", "IN/other", "--base", "IN/Old.sqlite", "--output",
        "out/R.sqlite",
      ]),
    FaultScenario(
      name: "compact --output --undo",
      arguments: ["compact", "IN/Old.sqlite", "--output", "out/R.sqlite", "--undo", "out/undo"]),
    FaultScenario(
      name: "compact --undo",
      arguments: ["compact", "out/R.sqlite", "--undo", "out/undo", "--force"],
      before: "old-store", repetition: 0),
    FaultScenario(
      name: "dedupe", arguments: ["dedupe", "out/R.sqlite", "--match", "TagEntity=color"],
      before: "old-store", repetition: 0),
    FaultScenario(
      name: "dedupe --undo --force",
      arguments: [
        "dedupe", "out/R.sqlite", "--match", "TagEntity=color", "--undo", "out/undo", "--force",
      ], before: "old-store", repetition: 0),
  ]

  /// Commands that only read.
  static let reading = [
    FaultScenario(name: "verify a store", arguments: ["verify", "IN/Todo.sqlite"]),
    FaultScenario(name: "verify an archive", arguments: ["verify", "IN/archive"]),
    FaultScenario(name: "verify repacked", arguments: ["verify", "IN/repacked"]),
    FaultScenario(name: "inspect", arguments: ["inspect", "IN/Live.sqlite"]),
    FaultScenario(name: "inspect an archive", arguments: ["inspect", "IN/archive"]),
    FaultScenario(
      name: "diff", arguments: ["diff", "IN/Todo.sqlite", "IN/changed"], status: 3),
    FaultScenario(
      name: "merge --dry-run",
      arguments: ["merge", "out/R.sqlite", "IN/other", "--base", "IN/Old.sqlite", "--dry-run"],
      before: "old-store", status: 3),
  ]
}
