internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A process of ours, which tells what it cost when it has ended.
struct ChildProcess {
  private let identifier: pid_t

  /// Starts a program, found as a shell finds it, with three open files.
  init(_ arguments: [String], input: Int32, output: Int32, errors: Int32) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (file, number) in [(input, 0), (output, 1), (errors, 2)] as [(Int32, Int32)] {
      unsafe posix_spawn_file_actions_adddup2(&actions, file, number)
    }
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var identifier: pid_t = 0
    let status = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        guard let program = unsafe arguments[0] else { return ENOENT }
        return unsafe posix_spawnp(&identifier, program, &actions, nil, arguments, environment)
      }
    }
    guard status == 0 else {
      let reason = unsafe strerror(status).map { unsafe String(cString: $0) } ?? "error \(status)"
      throw BenchmarkError("\(arguments.first ?? "") cannot be run: \(reason)")
    }
    self.identifier = identifier
  }

  /// Waits for the end; the memory is the greatest that the process had.
  ///
  /// On Linux it is at least that of this program at the moment of the start, which the system counts
  /// until the other program takes the place.
  func wait() throws -> (status: Int32, processor: Double, memory: Double) {
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(identifier, &status, 0, &usage) != identifier {
      guard errno == EINTR else { throw BenchmarkError("a process cannot be waited for") }
    }
    #if canImport(Darwin)
      let unit = 1.0
    #else
      let unit = 1024.0
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    // A process that a signal ended has the status that a shell gives it.
    let signal = status & 0x7f
    return (
      signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      seconds(usage.ru_utime) + seconds(usage.ru_stime), Double(usage.ru_maxrss) * unit
    )
  }
}

/// Lends texts as an array of C, with a null at its end.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    .allocate(capacity: texts.count + 1)
  for (index, text) in texts.enumerated() { unsafe strings[index] = strdup(text) }
  unsafe strings[texts.count] = nil
  defer {
    for index in texts.indices { unsafe free(strings[index]) }
    unsafe strings.deallocate()
  }
  return unsafe body(strings)
}
