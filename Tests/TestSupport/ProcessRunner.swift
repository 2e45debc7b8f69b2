internal import Foundation

/// Runs programs and separates their streams and exit status.
///
/// The streams go through files, not pipes, so that no amount of output can block the program.
package struct ProcessRunner: Sendable {
  /// The path of the program.
  package var executable: String
  /// The environment of the program; nil for the test's own.
  package var environment: [String: String]?
  /// The working directory; nil for the test's own.
  package var directory: String?

  /// Creates a runner of a program.
  package init(
    _ executable: String, environment: [String: String]? = nil, directory: String? = nil
  ) {
    self.executable = executable
    self.environment = environment
    self.directory = directory
  }

  /// Runs the program to its end, with the given bytes as its standard input.
  ///
  /// The arguments do not include the name of the program.
  ///
  /// - Throws: when the program could not be started; whatever status it ends with is a result.
  package func run(_ arguments: [String] = [], input: [UInt8] = []) throws -> ProcessResult {
    try start(arguments, input: input).wait()
  }

  /// Starts the program and returns without waiting for it.
  package func start(_ arguments: [String] = [], input: [UInt8] = []) throws -> RunningProcess {
    try RunningProcess(self, arguments: arguments, input: input)
  }

  /// The program of that name on the search path, or nil.
  package static func find(_ name: String) -> String? {
    let places = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return places.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// What a program left behind.
package struct ProcessResult: Sendable {
  /// The exit status; where a signal ended the program, 128 and the signal's number, as shells say.
  package let status: Int32
  /// The signal that ended the program, or nil.
  package let signal: Int32?
  /// The bytes of standard output.
  package let outputBytes: [UInt8]
  /// The bytes of standard error.
  package let errorBytes: [UInt8]

  /// Standard output as text; wrong UTF-8 is repaired.
  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// Standard error as text; wrong UTF-8 is repaired.
  package var errorOutput: String { String(decoding: errorBytes, as: UTF8.self) }
}
