internal import Foundation
internal import Testing

/// Python as a second opinion on texts and values.
///
/// Tests that ask it are skipped where `python3` is not installed.
enum PythonOracle {
  private static let path = "/usr/bin/python3"

  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// The lines that a program prints when it reads these lines.
  static func lines(_ program: String, input: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "json-oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "input")
    let target = folder.appending(path: "output")
    try Data(input.joined(separator: "\n").utf8).write(to: source)
    try #require(FileManager.default.createFile(atPath: target.path, contents: nil))
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-c", program]
    process.standardInput = try FileHandle(forReadingFrom: source)
    process.standardOutput = try FileHandle(forWritingTo: target)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let output = try String(decoding: Data(contentsOf: target), as: UTF8.self)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }
}
