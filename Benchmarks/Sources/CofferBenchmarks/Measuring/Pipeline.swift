internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Runs commands as a shell would, without one, so that every process can be asked what it cost.
struct Pipeline {
  let command: Command
  /// Where what the programs say on standard error goes.
  let log: String

  /// Runs the command to its end.
  func run() throws -> Measurement {
    let input = try Self.open(command.input ?? "/dev/null", O_RDONLY)
    defer { close(input) }
    let output = try Self.open(command.output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(output) }
    let errors = try Self.open(log, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(errors) }

    let before = try command.growing.map(FileTools.folderSize) ?? 0
    let start = ContinuousClock.now
    let processes = try startProcesses(input: input, output: output, errors: errors)
    var measurement = Measurement(wall: 0, processor: 0, memory: 0, size: 0)
    var failure: String?
    for (process, step) in zip(processes, command.steps) {
      let result = try process.wait()
      measurement.processor += result.processor
      measurement.memory = max(measurement.memory, result.memory)
      if !command.statuses.contains(result.status) {
        failure = "\(step.joined(separator: " ")): ended with the status \(result.status)"
      }
    }
    measurement.wall = start.duration(to: .now) / .seconds(1)
    if let failure {
      let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw BenchmarkError("\(failure)\n\(said)")
    }
    if let product = command.product {
      measurement.size = Double(try FileTools.size(product))
    }
    if let folder = command.growing {
      measurement.size = Double(try FileTools.folderSize(folder) - before)
    }
    return measurement
  }

  private func startProcesses(input: Int32, output: Int32, errors: Int32) throws -> [ChildProcess] {
    var processes: [ChildProcess] = []
    var source = input
    for (index, step) in command.steps.enumerated() {
      var target = output
      var next: Int32 = -1
      if index < command.steps.count - 1 {
        (next, target) = try Self.pipe()
      }
      processes.append(try ChildProcess(step, input: source, output: target, errors: errors))
      // The ends that the children have must not stay open here, or a reader waits for ever.
      if source != input { close(source) }
      if target != output { close(target) }
      source = next
    }
    return processes
  }

  private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let file = systemOpen(path, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchmarkError("\(path): cannot be opened") }
    return file
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw BenchmarkError("no pipe can be made") }
    // Else the next child would hold them open too.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
