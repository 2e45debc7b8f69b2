internal import Foundation

/// Python with packages that some tests call: Python's own, and those that `scripts/fetch-python-packages`
/// downloaded.
package enum PythonPackages {
  /// The path of `python3`; nil if it is not installed.
  package static let interpreter = ProcessRunner.find("python3")

  /// The environment of the test, in which Python finds the packages and writes nothing to their folder.
  package static let environment: [String: String] = {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONPATH"] =
      here.appendingPathComponent("../../.build/python").standardizedFileURL.path
    return environment
  }()

  /// Whether a module can be imported.
  package static func has(_ module: String) -> Bool {
    guard let interpreter else { return false }
    let python = ProcessRunner(interpreter, environment: environment)
    return (try? python.run(["-c", "import \(module)"]).status) == 0
  }
}
