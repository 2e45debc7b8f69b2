internal import Foundation

/// Independent judges: programs in Python that read stores and models in their own way.
///
/// They are looked for in the folder that the environment variable `COFFER_ORACLES` names. Tests
/// that need one are to be skipped without it: `.enabled(if: Oracle.isAvailable)`.
package enum Oracle {
  /// The folder of the oracles, or nil.
  package static let folder = ProcessInfo.processInfo.environment["COFFER_ORACLES"]

  /// Whether there are oracles and a Python 3 to run them.
  package static var isAvailable: Bool {
    guard let folder else { return false }
    return python != nil && FileManager.default.fileExists(atPath: "\(folder)/samestore.py")
  }

  private static let python = ProcessRunner.find("python3")

  /// Runs an oracle, such as `samestore.py`, with arguments; whatever status it ends with is a
  /// result.
  ///
  /// - Throws: ``Unavailable`` without oracles, or what the system says.
  package static func run(_ tool: String, _ arguments: [String]) throws -> ProcessResult {
    guard let folder else { throw Unavailable() }
    return try start(["\(folder)/\(tool)"] + arguments)
  }

  /// Runs a program in Python that imports oracles, from the folder that `COFFER_ORACLES` names.
  ///
  /// - Throws: ``Unavailable`` without oracles, or what the system says.
  package static func run(program: String, input: [UInt8]) throws -> ProcessResult {
    guard folder != nil else { throw Unavailable() }
    return try start(["-c", program], input: input)
  }

  private static func start(_ arguments: [String], input: [UInt8] = []) throws -> ProcessResult {
    guard let python else { throw Unavailable() }
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONIOENCODING"] = "utf-8"
    return try ProcessRunner(python, environment: environment).run(arguments, input: input)
  }

  /// There is no oracle; the test should have been skipped.
  package struct Unavailable: Error {}
}
