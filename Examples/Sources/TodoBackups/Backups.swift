@_exported import CofferKit
import Foundation

/// The backups of a store: archives in a folder, named after the moment they were made.
public struct Backups: Sendable {
  public var folder: URL
  /// The number of backups to keep; the oldest are removed first.
  public var limit = 7

  public init(in folder: URL) { self.folder = folder }

  /// Backs up a store, which the app may have open, and removes the oldest backups.
  public func add(
    _ store: URL, progress: any ProgressReporter = SilentProgress()
  ) async throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let archive = folder.appending(path: "\(Self.timestamp()).coffer.tar.gz")
    try await StoreExporter(progress: progress).export(storeAt: store.path, to: archive.path)
    for old in try all().dropFirst(limit) { try FileManager.default.removeItem(at: old) }
    return archive
  }

  /// All backups, the newest first.
  public func all() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(".coffer.tar.gz") }
      .sorted { $0.lastPathComponent > $1.lastPathComponent }
  }

  /// The current time in UTC, so that names sort by it, such as `2026-03-01T09-30-00.125Z`.
  private static func timestamp() -> String {
    Date.now.ISO8601Format(.init(includingFractionalSeconds: true))
      .replacing(":", with: "-")
  }
}
