internal import Foundation

/// The folder where everything happens, and the programs that are used there.
struct Workbench {
  private let folder: String
  private let programs: String
  /// The program that steps through a store, which is built together with this one.
  let scanStore: String

  var coffer: String { "\(programs)/coffer" }
  private var log: String { file("errors.log") }

  /// A bench to ask for names only, where nothing is run.
  static let none = Workbench(folder: "", programs: "", scanStore: "")

  private init(folder: String, programs: String, scanStore: String) {
    self.folder = folder
    self.programs = programs
    self.scanStore = scanStore
  }

  /// Makes an empty folder and looks for all programs.
  init(_ options: Options) throws {
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    self.init(
      folder: URL(fileURLWithPath: options.folder).path,
      programs: URL(fileURLWithPath: options.programs).path, scanStore: "\(own)/scan-store")
    for program in [coffer, "\(programs)/make-store", scanStore]
    where !FileManager.default.isExecutableFile(atPath: program) {
      throw BenchmarkError("\(program) is not there; `make bench` builds it")
    }
    let missing = Machine.peers.filter { Machine.path(of: $0) == nil }
    guard missing.isEmpty else {
      throw BenchmarkError(
        "not installed: \(missing.joined(separator: ", ")), which coffer is compared with; "
          + "as root, `make bench` installs them")
    }
    // Only what a run before this one has made is removed, never a folder that somebody named.
    let mark = file("coffer-benchmarks")
    let exists = FileManager.default.fileExists(atPath: folder)
    if exists, !FileManager.default.fileExists(atPath: mark) {
      throw BenchmarkError("\(folder) exists, and was not made for benchmarks; name another folder")
    }
    if exists { try FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: "\(folder)/tmp", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: mark))
    // Private copies and sorted runs go to the same file system as everything else.
    unsafe _ = setenv("TMPDIR", "\(folder)/tmp", 1)
    // So does what coffer, restic and borg remember of their last backups.
    unsafe _ = setenv("XDG_CACHE_HOME", "\(folder)/cache", 1)
    unsafe _ = setenv("BORG_BASE_DIR", "\(folder)/cache", 1)
    unsafe _ = setenv("BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK", "yes", 1)
    unsafe _ = setenv("RESTIC_PASSWORD", "benchmarks", 1)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(folder)/\(name)" }

  /// Makes a store with the generator of the tests.
  func makeStore(_ name: String, objects: Int, blobBytes: Int? = nil) throws -> String {
    progress("making a store of \(objects.grouped) objects")
    var step = ["\(programs)/make-store", file(name), "--objects", String(objects)]
    if let blobBytes { step += ["--blob-bytes", String(blobBytes)] }
    _ = try Pipeline(command: Command(name: "make-store", steps: [step]), log: log).run()
    try FileTools.warm(file(name))
    return file(name)
  }

  /// Copies a store, as programs may write beside what they read.
  func copyStore(_ path: String, as name: String) throws -> String {
    progress("copying \(path)")
    try FileTools.copyStore(path, to: file(name))
    try FileTools.warm(file(name))
    return file(name)
  }

  /// Changes a store as a statement says.
  func edit(_ store: String, _ statement: String) throws {
    try prepare(["sqlite3", store, statement])
  }

  /// Runs a command once, without measuring it.
  func prepare(_ steps: [String]) throws {
    progress("running \(steps.prefix(2).joined(separator: " "))")
    _ = try Pipeline(command: Command(name: "", steps: [steps]), log: log).run()
  }

  /// Runs commands side by side.
  func run(_ commands: [Command], rounds: Int, warmsUp: Bool) throws -> Samples {
    try Contest(commands: commands, rounds: rounds, warmsUp: warmsUp)
      .run(log: log, progress: progress)
  }

  /// Counts what is in a store.
  func scan(_ store: String) throws -> (rows: Int, blobBytes: Int) {
    let output = file("scan.txt")
    let command = Command.writing("scan-store", [[scanStore, store]], to: output)
    _ = try Pipeline(command: command, log: log).run()
    var numbers: [Substring: Int] = [:]
    for line in try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { numbers[words[0]] = Int(words[1]) }
    }
    guard let rows = numbers["rows"], let blobBytes = numbers["blob-bytes"] else {
      throw BenchmarkError("\(scanStore) tells no numbers")
    }
    return (rows, blobBytes)
  }

  /// The first line of what a program says about its version.
  func version(of program: String) -> String {
    let output = file("version.txt")
    let command = Command.writing("version", [[program, "--version"]], to: output)
    // pigz says it on standard error where its output is not a terminal.
    guard (try? Pipeline(command: command, log: log).run()) != nil else { return "?" }
    let texts = [output, log].map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }
    let line = texts.joined().split(separator: "\n").first ?? "?"
    return line.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init) ?? "?"
  }

  /// Makes sure that what was measured did its work.
  func requireSameRows(_ copy: String?, as store: String) throws {
    guard let copy, try scan(copy).rows == scan(store).rows else {
      throw BenchmarkError("\(copy ?? "nothing") has not the rows of \(store)")
    }
  }

  /// Removes a store and all that was made of it.
  func remove(_ of: StoreCommands) {
    FileTools.remove(of.store)
    for product in of.products { FileTools.remove(product) }
  }

  /// Removes the folder.
  func clear() { try? FileManager.default.removeItem(atPath: folder) }

  /// Says what goes on, apart from the results.
  func progress(_ text: String) {
    FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
  }
}
