import CofferKit
import Foundation

/// Restores a backup before anything opens the store.
///
/// A store cannot be replaced under an open stack. So the app records which backup the user chose,
/// asks the user to restart it, and restores the backup first thing at launch.
public struct LaunchRestore: Sendable {
  public var store: URL

  public init(of store: URL) { self.store = store }

  /// The result of a request at launch.
  public enum Outcome: Sendable, Equatable {
    case nothingRequested
    case restored(objectCount: Int)
    /// The store is unchanged.
    case failed(reason: String)
  }

  private var request: URL { store.appendingPathExtension("restore-request") }

  /// Requests that the next launch restores a backup.
  public func request(_ archive: URL) throws {
    try Data(archive.path.utf8).write(to: request, options: .atomic)
  }

  /// Restores the requested backup; call it before you load the stack.
  public func complete() async -> Outcome {
    guard let archive = try? String(contentsOf: request, encoding: .utf8) else {
      return .nothingRequested
    }
    // Whatever happens, the next launch does not try again.
    try? FileManager.default.removeItem(at: request)
    do {
      let importer = StoreImporter(options: ImportOptions(overwriting: true, isStrict: true))
      let summary = try await importer.import(archive, to: store.path)
      return .restored(objectCount: summary.objectCount)
    } catch {
      return .failed(reason: "\(error)")
    }
  }

  /// Replaces a store that is lost or cannot be opened with the newest backup that can be restored.
  ///
  /// - Returns: the backup; nil if none could be restored.
  public func fallBack(to backups: Backups) async throws -> URL? {
    for archive in try backups.all() {
      try request(archive)
      if case .restored = await complete() { return archive }
    }
    return nil
  }
}
