internal import Foundation
internal import TestSupport

/// A folder for one run of a command with a fault, and its earlier content.
struct FaultScene {
  /// What became of the target.
  enum Target: Equatable {
    /// It is as it was.
    case old
    /// It is what an undisturbed run makes.
    case new
    /// There is no file of its name.
    case nothing
    /// Something else stands there; the names that are too many, too few or changed.
    case other([String])

    /// The kind in a word.
    var word: String {
      switch self {
      case .old: "old"
      case .new: "new"
      case .nothing: "nothing"
      case .other: "other"
      }
    }
  }

  /// What a run came to.
  struct Outcome {
    var result: ProcessResult
    /// The calls that counted, up to a death.
    var calls: [FaultCall]
  }

  private let scenario: FaultScenario
  private let templates: FaultTemplates
  private let directory: TemporaryDirectory
  private let before: FolderState

  /// Sets the scene.
  ///
  /// - Parameters:
  ///   - scenario: the command.
  ///   - templates: what it works on; nil for small stores.
  /// - Throws: the file system's error.
  init(_ scenario: FaultScenario, _ templates: FaultTemplates? = nil) throws {
    self.scenario = scenario
    self.templates = try templates ?? .small()
    directory = try TemporaryDirectory()
    let files = FileManager.default
    try files.createDirectory(atPath: directory.file("tmp"), withIntermediateDirectories: false)
    if let name = scenario.before {
      try files.copyItem(atPath: self.templates.before(name), toPath: directory.file("out"))
    } else {
      try files.createDirectory(atPath: directory.file("out"), withIntermediateDirectories: false)
    }
    before = try Self.state(of: directory.file("out"), scenario)
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - fault: what goes wrong; nil for nothing.
  ///   - number: at which call; 0 notes the calls alone.
  /// - Returns: what it came to.
  /// - Throws: when the program cannot be run.
  func run(_ fault: Fault? = nil, at number: Int = 0) throws -> Outcome {
    let log = directory.file("log")
    var environment: [String: String] = [:]
    if let fault {
      let folders = [templates.sources, directory.file("out"), directory.file("tmp")]
      environment = try fault.environment(number: number, folders: folders, log: log)
    }
    let result = try start(environment).wait()
    return Outcome(result: result, calls: FaultCall.read(log))
  }

  /// Starts the command and does not wait for it.
  ///
  /// - Parameter additions: what it finds in its environment besides that of the tests.
  /// - Returns: the process.
  /// - Throws: when the program cannot be run.
  func start(_ additions: [String: String] = [:]) throws -> RunningProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = directory.file("tmp")
    environment.merge(additions, uniquingKeysWith: { $1 })
    let arguments = scenario.arguments.map {
      $0.replacingOccurrences(of: "IN/", with: templates.sources + "/")
    }
    let runner = ProcessRunner(
      try BuiltProgram.path(), environment: environment, directory: directory.path)
    return try runner.start(arguments)
  }

  /// The content of the target's folder, without random parts.
  func target() throws -> FolderState { try Self.state(of: directory.file("out"), scenario) }

  private static func state(of folder: String, _ scenario: FaultScenario) throws -> FolderState {
    let state = try FolderState(of: folder)
    return scenario.isRandom ? try state.withoutChance(in: folder) : state
  }

  /// Compares the target's folder with what it was and what it should become; an old store counts as
  /// it was when its log was written into it.
  ///
  /// - Parameter new: the state after an undisturbed run.
  /// - Returns: what it is.
  /// - Throws: the file system's error.
  func target(new: FolderState) throws -> Target {
    let now = try target()
    if now == new { return .new }
    let addsNothing = Set(now.names).isSubset(of: before.names)
    let isOld = try now == before || (addsNothing && holdsOld(now))
    return isOld ? .old : .other(now.differences(from: before))
  }

  /// Whether the old store is there with all its external files, whatever its log holds.
  private func holdsOld(_ state: FolderState) throws -> Bool {
    let store = "R.sqlite"
    guard scenario.makesStore, let name = scenario.before,
      state.names.contains(store)
    else { return false }
    var comparer = StoreComparer()
    comparer.comparesFiles = false
    let external = before.names.filter { $0.hasPrefix(".R_SUPPORT") }
    let old = "\(templates.before(name))/\(store)"
    return try state.hasSame(external, as: before)
      && comparer.differences(old, directory.file("out/\(store)")) == []
  }

  /// What the target is to who opens it after the process was killed: files that say by their names
  /// that they are temporary ones of ours count as nothing, and a store may have external files that
  /// it does not know.
  ///
  /// - Parameter new: the state after an undisturbed run.
  /// - Returns: what it is.
  /// - Throws: the file system's error.
  func targetAfterDeath(new: FolderState) throws -> Target {
    var rest = try target().without(Self.isLeftover)
    if rest == new { return .new }
    // The undo file exists before the store that it undoes.
    if rest.hasSame([Self.undo], as: new) { rest = rest.without { $0 == Self.undo } }
    if rest == before { return .old }
    let difference = Target.other(rest.differences(from: before))
    guard scenario.makesStore else { return difference }
    // What belongs to a store is nothing without it.
    let store = "R.sqlite"
    guard rest.names.contains(store) else { return .nothing }
    if rest.hasSame(["R.sqlite"], as: new) {
      let hasLog = ["-wal", "-journal"].contains { rest.names.contains(store + $0) }
      let wanted = new.names.filter { $0 != Self.undo }
      return !hasLog && rest.hasSame(wanted, as: new) ? .new : difference
    }
    return try holdsOld(rest) ? .old : difference
  }

  /// The name of the undo file.
  private static let undo = "undo"

  /// Removes the undo file, if it exists.
  func removeUndo() throws {
    guard try target().names.contains(Self.undo) else { return }
    try FileManager.default.removeItem(atPath: directory.file("out/\(Self.undo)"))
  }

  /// Whether no file next to the target has a temporary name.
  func holdsNoLeftover() throws -> Bool { try !target().names.contains(where: Self.isLeftover) }

  /// The names of the leftovers in the folder for temporary files.
  func temporaryFiles() throws -> [String] { try FolderState(of: directory.file("tmp")).names }

  /// Whether the sources are as they were.
  func sourcesAreUntouched() throws -> Bool {
    try FolderState(of: templates.sources) == templates.state
  }

  /// Whether a path leads to a file with the name of a leftover.
  static func isLeftover(_ path: String) -> Bool {
    path.split(separator: "/").first.map { $0.hasPrefix(".") && $0.contains("coffer") } ?? false
  }
}
