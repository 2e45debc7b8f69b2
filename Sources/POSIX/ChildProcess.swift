internal import Synchronization

/// Runs another program to its end.
package enum ChildProcess {
  /// The result of a program.
  package struct Result: Sendable {
    /// Its exit status; 128 and the signal's number if a signal ended it.
    package let status: Int32
    /// Its standard output.
    package let output: [UInt8]
    /// The end of its standard error.
    package let errorOutput: [UInt8]
  }

  /// The program of this process.
  package static var ownProgram: String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      unsafe _NSGetExecutablePath(nil, &size)
      let path = unsafe [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        count = unsafe _NSGetExecutablePath(buffer.baseAddress, &size) == 0 ? buffer.count : 0
      }
      return unsafe path.isEmpty ? "coffer" : String(cString: path)
    #else
      // Also where another file has its path by now.
      return "/proc/self/exe"
    #endif
  }

  /// Held while a program starts, which would inherit the pipes of another in the moment before they are
  /// marked, and keep them open.
  private static let starting = Mutex(())
  /// The number of bytes of standard error to keep.
  private static let keptErrorSize = 1 << 16
  /// The time in seconds for which a program may outlive its cancelled task.
  private static let cleaning = 2.0
  /// The interval between checks for a cancelled task, in milliseconds.
  private static let interval: Int32 = 100
  /// The signals that the program must not inherit as ignored: it would pass that on.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGQUIT]

  /// Starts a program, gives it the input, and waits for its end.
  ///
  /// The program is ended if the task is cancelled. No shell is involved.
  ///
  /// - Parameters:
  ///   - name: its path, or its name, which is looked for in `PATH`.
  ///   - arguments: its arguments, without its own name.
  ///   - environment: its environment.
  ///   - input: the bytes of its standard input; at most the 4 KiB that fit into every pipe.
  ///   - maxOutput: the maximum number of bytes that it may write to standard output.
  ///   - outlivesTask: whether it runs even if the task is cancelled, for two more seconds.
  ///   - seconds: the maximum time that it may run; nil for any time.
  ///   - isWanted: whether it may go on; asked many times per second.
  ///   - receive: receives its output piece by piece, which is then not in the result; nil for none.
  /// - Returns: the result, for any status.
  /// - Throws: `ENOENT` if there is no such program, `EFBIG` for more output, `ETIMEDOUT` after its time,
  ///   ``SystemError/cancelled``, or what the system says.
  package static func run(
    _ name: String, _ arguments: [String], environment: [String: String], input: [UInt8] = [],
    maxOutput: Int = .max, outlivesTask: Bool = false, seconds: Double? = nil,
    isWanted: () -> Bool = { true }, receive: (([UInt8]) -> Void)? = nil
  ) throws(SystemError) -> Result {
    let latest = seconds.map { SystemClock.monotonicSeconds + $0 }
    let (output, errors, process) = try starting.withLock { _ throws(SystemError) in
      let (input, output, errors) = (try Pipe(holding: input), try Pipe(), try Pipe())
      let process = try spawn(
        name, arguments, environment, [input.reader, output.writer, errors.writer])
      output.closeWriter()
      errors.closeWriter()
      return (output, errors, process)
    }
    let result: ([UInt8], [UInt8])
    do throws(SystemError) {
      result = try collect(
        [output.reader, errors.reader], maxOutput, outlivesTask, latest, isWanted, receive)
    } catch {
      end(process)
      throw error
    }
    return Result(status: wait(for: process), output: result.0, errorOutput: result.1)
  }

  // MARK: Starting

  private static func spawn(
    _ name: String, _ arguments: [String], _ environment: [String: String], _ streams: [Int32]
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    for (number, stream) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    var defaults = sigset_t()
    var mask = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigemptyset(&mask)
    for signal in signals { unsafe sigaddset(&defaults, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    let texts = unsafe copies([name] + arguments)
    let variables = unsafe copies(environment.map { "\($0)=\($1)" })
    defer { unsafe (texts + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let number = unsafe posix_spawnp(&process, name, &actions, &attributes, texts, variables)
    guard number == 0 else { throw SystemError(number: number) }
    return process
  }

  /// Texts as C has them, for the caller to free, with a null pointer after them.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }

  // MARK: Waiting

  /// Reads both streams to their ends.
  private static func collect(
    _ streams: [Int32], _ maxOutput: Int, _ outlivesTask: Bool, _ latest: Double?,
    _ isWanted: () -> Bool, _ receive: (([UInt8]) -> Void)?
  ) throws(SystemError) -> ([UInt8], [UInt8]) {
    var (kept, told): ([UInt8], [UInt8]) = ([], [])
    var requests = streams.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var end: Double?
    while requests.contains(where: { $0.fd >= 0 }) {
      if Task<Never, Never>.isCancelled {
        let now = SystemClock.monotonicSeconds
        let latest = end ?? now + cleaning
        guard outlivesTask, now < latest else { throw .cancelled }
        end = latest
      }
      guard isWanted() else { throw .cancelled }
      if let latest, SystemClock.monotonicSeconds > latest { throw SystemError(number: ETIMEDOUT) }
      guard unsafe poll(&requests, nfds_t(requests.count), interval) > 0 else { continue }
      for index in requests.indices where requests[index].fd >= 0 && requests[index].revents != 0 {
        let piece = try FileBytes.read(requests[index].fd, upTo: 1 << 16)
        // Negative descriptors are passed over.
        if piece.isEmpty { requests[index].fd = -1 }
        if index == 0, let receive {
          receive(piece)
        } else if index == 0 {
          guard piece.count <= maxOutput - kept.count else { throw SystemError(number: EFBIG) }
          kept += piece
        } else {
          told += piece
          if told.count > 2 * keptErrorSize { told.removeFirst(told.count - keptErrorSize) }
        }
      }
    }
    return (kept, told)
  }

  private static func wait(for process: pid_t) -> Int32 {
    var state: Int32 = 0
    while unsafe waitpid(process, &state, 0) < 0, errno == EINTR {}
    let signal = state & 0x7F
    return signal == 0 ? (state >> 8) & 0xFF : 128 + signal
  }

  /// Ends a program: it is asked to, and forced to after a second.
  private static func end(_ process: pid_t) {
    kill(process, SIGTERM)
    var state: Int32 = 0
    for _ in 0..<20 {
      guard unsafe waitpid(process, &state, WNOHANG) == 0 else { return }
      SystemClock.pause(nanoseconds: 50_000_000)
    }
    kill(process, SIGKILL)
    _ = wait(for: process)
  }
}

/// A pipe whose ends no other program inherits.
private final class Pipe {
  let reader: Int32
  private(set) var writer: Int32

  init() throws(SystemError) {
    (reader, writer) = try FileIO.pipe()
  }

  /// A pipe that has bytes and no writer any more.
  convenience init(holding bytes: [UInt8]) throws(SystemError) {
    try self.init()
    try FileBytes.write(bytes, to: writer)
    closeWriter()
  }

  deinit {
    closeWriter()
    FileIO.close(reader)
  }

  func closeWriter() {
    if writer >= 0 { FileIO.close(writer) }
    writer = -1
  }
}
