internal import Foundation
internal import TestSupport
internal import Testing

/// An independent program that carries out a mapping model and compares its result with a store.
enum MappingOracle {
  static var isAvailable: Bool { Oracle.isAvailable && ProcessRunner.find("python3") != nil }

  /// Compares the new store with what a mapping makes of the old one.
  ///
  /// - Parameters:
  ///   - old: the old store.
  ///   - new: the new store.
  ///   - models: their models; `-` for the ones in the stores.
  ///   - mapping: the mapping model.
  ///   - isRefused: whether the migration was refused; the new store is an empty one then, and a reason is status 0.
  /// - Returns: the result of the program, with status 0 if both are the same.
  /// - Throws: an error if it cannot be run.
  static func compare(
    _ old: String, _ new: String, models: (old: String, new: String) = ("-", "-"), mapping: String,
    isRefused: Bool = false
  ) throws -> ProcessResult {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("carry-out-mapping.py").path
    let python = try #require(ProcessRunner.find("python3"))
    return try ProcessRunner(python).run(
      [script, try #require(Oracle.folder), old, new, models.old, models.new, mapping]
        + (isRefused ? ["refused"] : []))
  }
}
