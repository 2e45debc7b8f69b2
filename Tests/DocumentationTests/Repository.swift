internal import Foundation

/// The files of this project, found from the place of the tests.
enum Repository {
  /// The folder of the project.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file, by its path from the folder of the project.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Whether there is a file or folder of that path.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The paths of the files below a folder whose names end so, in ascending order.
  static func files(below folder: String, ending: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path)
    return names.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  /// The paths of all pages for people.
  static func pages() throws -> [String] {
    try ["README.md", "CHANGELOG.md", "Benchmarks/README.md"]
      + files(below: "Fixtures", ending: ".md") + files(below: "docs", ending: ".md")
  }
}
