import Foundation
import TodoBackups

/// What an app does when it is launched, before it loads its stack, as a program.
///
///     swift run RestoreAtLaunch Todo.sqlite Backups
///     swift run RestoreAtLaunch Todo.sqlite Backups --newest
///
/// With `--newest`, the user has requested the newest backup.
@main struct RestoreAtLaunch {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2, let store = arguments.first else {
      print("usage: RestoreAtLaunch STORE FOLDER [--newest]")
      exit(64)
    }
    let backups = Backups(in: URL(filePath: arguments[arguments.startIndex + 1]))
    do {
      if arguments.last == "--newest", let newest = try backups.all().first {
        try LaunchRestore(of: URL(filePath: store)).request(newest)
      }
      try await launch(URL(filePath: store), backups)
    } catch {
      print(error)
      exit(1)
    }
  }

  static func launch(_ store: URL, _ backups: Backups) async throws {
    let restore = LaunchRestore(of: store)
    switch await restore.complete() {
    case .nothingRequested: break
    case .restored(let count): print("restored \(count) objects")
    case .failed(let reason): print("the store is unchanged: \(reason)")
    }
    do {
      try await loadStack(store)
    } catch {
      print("the store cannot be opened: \(error)")
      guard let backup = try await restore.fallBack(to: backups) else { throw error }
      print("restored \(backup.lastPathComponent)")
      try await loadStack(store)
    }
  }

  /// Stands in for `NSPersistentContainer.loadPersistentStores(completionHandler:)`.
  static func loadStack(_ store: URL) async throws {
    let entities = try await StoreInspector().inspect(store.path).entities
    print("loaded \(entities.reduce(0) { $0 + $1.objectCount }) objects")
  }
}
