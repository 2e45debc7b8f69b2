internal import ArgumentParser
internal import CofferKit

/// The files for the result of a command that changes a store, and for the changes that undo it.
struct EditingTarget: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value("store", "Write a new store instead of changing the original."),
    completion: .file())
  var target: String?

  @Flag(help: "Replace an existing new store, and an existing file of --undo.")
  var force = false

  @Option(help: .value("file", "Write the reverse changes to this file."), completion: .file())
  var undo: String?

  /// Refuses both together with a run that writes nothing; throws `ValidationError` if one of them is given.
  func requireNone() throws {
    if undo != nil || target != nil {
      throw ValidationError("'--dry-run' writes nothing, neither '--output' nor '--undo'.")
    }
  }

  func options(allowsMirrored: Bool) -> EditingOptions {
    var options = EditingOptions()
    options.overwriting = force
    options.allowsMirrored = allowsMirrored
    options.undo = undo.map { .file($0, overwriting: force) }
    return options
  }

  /// The files that the command writes.
  var outputs: [String?] { [target, undo] }
}
