internal import Foundation
internal import Fuzzing

/// Runs a target in another process, again and again, so that no finding ends a campaign.
struct Supervisor {
  /// After so many findings a target is not run on.
  private static let maxFindings = 20

  let arguments: Arguments
  let target: FuzzTarget
  /// How many seconds this target has; nil for no bound.
  let seconds: Double?

  /// What became of a worker.
  private struct Outcome {
    /// The number of the input that it ended with, or of the one behind its last.
    var number: Int
    /// What it ended with; nil where it came to its end.
    var finding: String?
  }

  /// Runs the target.
  ///
  /// - Returns: the count of findings.
  func run() throws -> Int {
    let start = Date()
    var (next, found) = (arguments.from, 0)
    while found < Self.maxFindings {
      let spent = Date().timeIntervalSince(start)
      let runs = arguments.runs.map { arguments.from + $0 - next }
      if let seconds, spent >= seconds { break }
      if let runs, runs <= 0 { break }
      let outcome = try work(from: next, runs: runs, seconds: seconds.map { $0 - spent })
      next = outcome.number
      guard let finding = outcome.finding else { break }
      found += 1
      try save(outcome.number, finding)
      next += 1
    }
    let time = max(0.001, Date().timeIntervalSince(start))
    let count = next - arguments.from
    say(
      "\(target.name): \(count) runs, \(Int(time)) s, \(Int(Double(count) / time)) runs/s, "
        + "\(found) findings (seed \(arguments.seed))")
    return found
  }

  /// Writes the input of a finding to a file.
  private func save(_ number: Int, _ finding: String) throws {
    try FileManager.default.createDirectory(
      atPath: arguments.findings, withIntermediateDirectories: true)
    let path = "\(arguments.findings)/\(target.name)-\(arguments.seed)-\(number)"
    let input = try FuzzCampaign(target, seed: arguments.seed).input(number)
    try Data(input).write(to: URL(fileURLWithPath: path))
    say("\(target.name): seed \(arguments.seed), run \(number): \(finding)\n  \(path)")
  }

  private func work(from: Int, runs: Int?, seconds: Double?) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coffer-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (status, log) = (
      folder.appendingPathComponent("status"), folder.appendingPathComponent("log")
    )
    try Data("\(from)\n".utf8).write(to: status)
    try Data().write(to: log)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      target.name, "--seed", "\(arguments.seed)", "--from", "\(from)", "--hang",
      "\(arguments.hang)", "--status", status.path,
    ]
    if let runs { process.arguments? += ["--runs", "\(runs)"] }
    if let seconds { process.arguments? += ["--seconds", "\(seconds)"] }
    // What a worker leaves in its temporary folder goes with it.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    let isHanging = wait(for: process, status)
    let text = String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let line = lines.last { $0.contains("Fatal error") } ?? lines.last ?? ""
    var outcome = Outcome(number: Self.number(in: status) ?? from)
    if isHanging {
      outcome.finding = "does not end, and does nothing"
    } else if process.terminationReason == .uncaughtSignal {
      outcome.finding = "ends with signal \(process.terminationStatus): \(line)"
    } else if process.terminationStatus != 0 {
      outcome.finding = String(line)
    }
    return outcome
  }

  /// Waits until a worker ends; where one input takes too long, it is made to end.
  private func wait(for process: Process, _ status: URL) -> Bool {
    var (last, since) = (Self.number(in: status), Date())
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.05)
      let number = Self.number(in: status)
      if number != last { (last, since) = (number, Date()) }
      // An input that waits for something uses no time of the processor.
      guard Date().timeIntervalSince(since) > 100 * arguments.hang else { continue }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return true
    }
    return false
  }

  private static func number(in status: URL) -> Int? {
    guard let text = try? String(contentsOf: status, encoding: .utf8) else { return nil }
    return Int(text.filter { $0.isNumber })
  }
}
