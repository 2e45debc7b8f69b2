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
  /// The status of a run in which nothing goes wrong.
  var status: Int32 = 0

  var testDescription: String { name }
  /// Whether the command has a target, and is done only when that is complete.
  var writes: Bool { arguments.first == "export" || makesStore }
  /// Whether the target is a store.
  var makesStore: Bool { arguments.first == "import" || arguments.first == "apply" }

  /// Commands that write.
  static let writing: [FaultScenario] = exports + imports + [apply]

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

  /// A store that is replaced by what changes make of it.
  static let apply = FaultScenario(
    name: "apply", arguments: ["apply", "IN/changes", "out/R.sqlite"], before: "old-store")

  /// Commands that only read.
  static let reading = [
    FaultScenario(name: "verify a store", arguments: ["verify", "IN/Todo.sqlite"]),
    FaultScenario(name: "verify an archive", arguments: ["verify", "IN/archive"]),
    FaultScenario(name: "verify repacked", arguments: ["verify", "IN/repacked"]),
    FaultScenario(name: "inspect", arguments: ["inspect", "IN/Live.sqlite"]),
    FaultScenario(name: "inspect an archive", arguments: ["inspect", "IN/archive"]),
    FaultScenario(
      name: "diff", arguments: ["diff", "IN/Todo.sqlite", "IN/changed"], status: 3),
  ]
}
