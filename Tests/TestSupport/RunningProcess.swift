internal import Dispatch
internal import Foundation

/// A program that was started by ``ProcessRunner`` and may still run.
package final class RunningProcess: @unchecked Sendable {
  // Unchecked: the process is only touched by calls that Foundation makes safe to use from any
  // thread (identifier, status after the end), all else is constant.
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let folder: TemporaryDirectory
  private static let caches = (try? TemporaryDirectory.untilExit().path) ?? ""

  init(_ runner: ProcessRunner, arguments: [String], input: [UInt8]) throws {
    folder = try TemporaryDirectory()
    process.executableURL = URL(fileURLWithPath: runner.executable)
    process.arguments = arguments
    let own = ProcessInfo.processInfo.environment
    var environment = runner.environment ?? own
    // Nothing that a test does is remembered among the caches of its user.
    if environment["XDG_CACHE_HOME"] == own["XDG_CACHE_HOME"] {
      environment["XDG_CACHE_HOME"] = Self.caches
    }
    process.environment = environment
    if let directory = runner.directory {
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
    }
    let stdin = try folder.write(input, to: "stdin")
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: stdin))
    process.standardOutput = try Self.handle(try folder.write([], to: "stdout"))
    process.standardError = try Self.handle(try folder.write([], to: "stderr"))
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  private static func handle(_ path: String) throws -> FileHandle {
    try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// The number that the system gave to the process.
  package var identifier: Int32 { process.processIdentifier }

  /// What the program has written to standard error until now.
  package var errorOutputSoFar: String {
    let data = FileManager.default.contents(atPath: folder.file("stderr")) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  /// What the program has written to standard output until now.
  package var outputSoFar: String {
    let data = FileManager.default.contents(atPath: folder.file("stdout")) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether the program has ended.
  package var hasEnded: Bool { !process.isRunning }

  /// Whether the program is stopped and waits for `SIGCONT`; Linux alone can tell.
  package var isStopped: Bool {
    let path = "/proc/\(process.processIdentifier)/stat"
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    // The number, the name in parentheses, the state.
    return text.split(separator: ")").last?.hasPrefix(" T") ?? false
  }

  /// Sends a signal to the program.
  package func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end of the program; to be called once.
  package func wait() throws -> ProcessResult {
    ended.wait()
    // The handler may run a moment before the status is there.
    process.waitUntilExit()
    let wasSignalled = process.terminationReason == .uncaughtSignal
    let code = process.terminationStatus
    return ProcessResult(
      status: wasSignalled ? 128 + code : code, signal: wasSignalled ? code : nil,
      outputBytes: Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("stdout")))),
      errorBytes: Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("stderr")))))
  }
}
