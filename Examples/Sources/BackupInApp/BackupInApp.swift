import Foundation
import TodoBackups

/// What an app does when its user asks for a backup, as a program.
///
///     swift run BackupInApp Todo.sqlite Backups
@main struct BackupInApp {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let store = arguments.first, let folder = arguments.last else {
      print("usage: BackupInApp STORE FOLDER")
      exit(64)
    }
    let backups = Backups(in: URL(filePath: folder))
    do {
      let archive = try await backUp(URL(filePath: store), to: backups) { state in
        let percent = state.fraction.map { " \(Int($0 * 100)) %" } ?? ""
        print("\(state.phase.rawValue)\(percent)")
      }
      print("made \(archive.lastPathComponent); there are \(try backups.all().count)")
    } catch {
      print(error)
      exit(1)
    }
  }

  /// Backs up a store and shows the progress; in an app, on the main actor.
  @MainActor static func backUp(
    _ store: URL, to backups: Backups, show: (WorkProgress) -> Void
  ) async throws -> URL {
    let progress = ProgressStream()
    async let archive = backups.add(store, progress: progress)
    for await state in progress { show(state) }
    return try await archive
  }
}
