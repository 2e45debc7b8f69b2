import CofferKit
import Foundation

/// Restores a backup before anything opens the store.
///
/// A store cannot be replaced under an open stack. So the app notes which backup its user has chosen,
/// asks to be started again, and restores it first thing at that launch.
public struct LaunchRestore: Sendable {
  public var store: URL

  public init(of store: URL) { self.store = store }

  /// What became of the request at a launch.
  public enum Outcome: Sendable, Equatable {
    case nothingRequested
    case restored(objectCount: Int)
    /// The store is the one that it was before.
    case failed(reason: String)
  }

  private var request: URL { store.appendingPathExtension("restore-request") }

  /// Notes that a backup is to be restored at the next launch.
  public func request(_ archive: URL) throws {
    try Data(archive.path.utf8).write(to: request, options: .atomic)
  }

  /// Restores what was requested; to be called before the stack is loaded.
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

  /// Puts the newest backup that can be restored in the place of a store that is lost or cannot be
  /// opened any more.
  ///
  /// - Returns: the backup; nil where none could be restored.
  public func fallBack(to backups: Backups) async throws -> URL? {
    for archive in try backups.all() {
      try request(archive)
      if case .restored = await complete() { return archive }
    }
    return nil
  }
}
