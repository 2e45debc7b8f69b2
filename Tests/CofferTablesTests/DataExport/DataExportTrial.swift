internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Outputs of a store and of an archive of it, side by side.
struct DataExportTrial {
  let folder: TemporaryDirectory
  let store: String

  /// Writes a source in one shape.
  @discardableResult
  func write(
    _ source: String, _ options: DataExportOptions, to name: String,
    progress: any ProgressReporter = SilentProgress()
  ) throws -> DataExportSummary {
    try DataExporter(options: options, progress: progress)
      .write(source, to: folder.file(name))
  }

  /// Writes the store in every shape, to folders of the formats' names.
  func writeAll() throws -> [DataExportSummary] {
    try DataFormat.allCases.map { format in
      try write(store, DataExportOptions(format: format), to: format.rawValue)
    }
  }

  /// The path of an archive of the store.
  func archive() throws -> String {
    let path = folder.file("Archive.coffer.tar.gz")
    if !FileManager.default.fileExists(atPath: path) {
      try StoreExporter().export(try PersistentStore(readingFrom: store), to: path)
    }
    return path
  }

  /// The files of an output with their bytes.
  func files(_ name: String) throws -> [String: Data] {
    let path = folder.file(name)
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      if let data = FileManager.default.contents(atPath: "\(path)/\(name)") { found[name] = data }
    }
    return found
  }

  /// The text of a file of an output.
  func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: folder.file(name)), encoding: .utf8)
  }

  /// What an independent judge finds in which the outputs of ``writeAll()`` differ from the store.
  func judge() throws -> [String] {
    let oracles = try #require(Oracle.folder)
    let python = try #require(ProcessRunner.find("python3"))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("compare-shapes.py").path
    let result = try ProcessRunner(python)
      .run([script, oracles, store] + ["csv", "ndjson", "sqlite"].map { folder.file($0) })
    guard result.status != 0 else { return [] }
    return (result.output + result.errorOutput).split(separator: "\n").map(String.init)
  }
}

extension DataExportTrial {
  /// A trial with a copy of the sample store.
  init(_ sample: SampleCopy) {
    folder = sample.folder
    store = sample.path
  }
}
