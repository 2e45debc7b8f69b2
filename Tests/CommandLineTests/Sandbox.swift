internal import Foundation
internal import TestSupport
internal import Testing

/// A separate folder for running the built program, with a store to work on.
struct Sandbox {
  /// The folder; names without a path mean files in it.
  let directory: TemporaryDirectory

  /// Makes a folder with the sample store in it, as `Todo.sqlite`.
  init() throws {
    directory = try TemporaryDirectory()
    try SampleStore.write(to: directory.file("Todo.sqlite"))
  }

  /// Makes a folder with the sample store in it, damaged.
  init(_ damage: Damage) throws {
    try self.init()
    try damage.apply(to: directory.file("Todo.sqlite"))
  }

  /// Makes a folder with everything that is in another.
  init(copying other: Sandbox) throws {
    directory = try TemporaryDirectory()
    for name in try FileManager.default.contentsOfDirectory(atPath: other.directory.path) {
      try FileManager.default.copyItem(atPath: other.file(name), toPath: directory.file(name))
    }
  }

  /// Runs the program.
  func coffer(_ arguments: String..., input: [UInt8] = []) throws -> ProcessResult {
    try runner(BuiltProgram.path()).run(arguments, input: input)
  }

  /// Runs the program.
  func run(_ arguments: [String]) throws -> ProcessResult {
    try runner(BuiltProgram.path()).run(arguments)
  }

  /// Starts the program and does not wait for it.
  func start(_ arguments: String...) throws -> RunningProcess { try start(arguments) }

  /// Starts the program and does not wait for it.
  func start(_ arguments: [String]) throws -> RunningProcess {
    try runner(BuiltProgram.path()).start(arguments)
  }

  /// Starts the program with more in its environment, and does not wait for it.
  func start(_ arguments: [String], adding environment: [String: String]) throws -> RunningProcess {
    var runner = try runner(BuiltProgram.path())
    runner.environment?.merge(environment) { $1 }
    return try runner.start(arguments)
  }

  /// Starts the program with a pipe in the folder as its standard input, and does not wait for it.
  func start(_ arguments: [String], readingPipe name: String) throws -> RunningProcess {
    let script = "exec \"$COFFER_UNDER_TEST\" \"$@\" < \(name)"
    return try runner("/bin/sh").start(["-c", script, "coffer"] + arguments)
  }

  /// Runs a shell script, where `coffer` is the program.
  func shell(_ script: String) throws -> ProcessResult {
    let function = "coffer() { \"$COFFER_UNDER_TEST\" \"$@\"; }\n"
    return try runner("/bin/sh").run(["-c", function + script])
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { directory.file(name) }

  /// The bytes of a file in the folder; nil if it does not exist.
  func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: file(name)) }

  /// The names in the folder, without what is in folders; those of the sample store left out.
  func added() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { !$0.hasPrefix("Todo.sqlite") && $0 != ".Todo_SUPPORT" }.sorted()
  }

  private func runner(_ program: String) throws -> ProcessRunner {
    var environment = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR", "TERM"] { environment[name] = nil }
    environment["COFFER_UNDER_TEST"] = try BuiltProgram.path()
    return ProcessRunner(program, environment: environment, directory: directory.path)
  }
}
