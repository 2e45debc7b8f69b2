internal import Foundation
internal import TestSupport
internal import Testing

/// The memory that the program needs: it runs in a separate process, whose peak memory the system reports.
package enum ProgramMemory {
  /// Runs a program and prints its peak memory, in bytes.
  private static let wrapper = """
    import resource, subprocess, sys
    status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(peak * (1 if sys.platform == 'darwin' else 1024))
    sys.exit(status)
    """

  /// The program next to the tests, if it can export.
  private static let program: String? = {
    guard let path = try? BuiltProgram.path(),
      (try? ProcessRunner(path).run(["export", "--help"]).status) == 0
    else { return nil }
    return path
  }()

  /// Whether there is a program to ask, and a Python to ask it.
  package static var isPossible: Bool { program != nil && ProcessRunner.find("python3") != nil }

  /// The greatest memory in bytes of the program with some arguments.
  package static func peak(_ arguments: [String]) throws -> Int {
    let python = try #require(ProcessRunner.find("python3"))
    let result = try ProcessRunner(python).run(
      ["-c", wrapper, try #require(program)] + arguments)
    #expect([0, 3].contains(result.status), "\(result.errorOutput)")
    return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
