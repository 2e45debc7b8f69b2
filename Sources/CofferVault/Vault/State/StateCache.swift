internal import CofferCore
internal import CofferTables
internal import CoreDataArchive
internal import CoreDataModel
internal import POSIX

/// Where this machine remembers the latest state of a store that it backed up to a vault.
///
/// Its files can be lost at any time, and are never trusted: a file is used only if it is complete, and belongs
/// to a backup in the vault.
struct StateCache {
  private let folder: String
  private let path: String
  private let continuationPath: String
  private let (vault, series): (String, String)

  /// The maximum size of a note in bytes.
  private static let longestContinuation = 1 << 16

  /// Names the file of a series in the folder of all caches, or in the user's; nil if there is no place for
  /// caches.
  init?(in parent: String?, vault: String, series: BackupSeries) {
    guard let parent = parent ?? FileNames.cacheFolder.map({ "\($0)/coffer" }),
      UUIDText.bytes(vault) != nil
    else { return nil }
    folder = "\(parent)/\(vault)"
    path = "\(folder)/\(series.id).state"
    continuationPath = "\(folder)/\(series.id).continuation"
    (self.vault, self.series) = (vault, series.id)
  }

  /// The latest state; nil if none is known, or the file is not whole.
  func load() -> StateFile? {
    guard let file = StateFile(path: path), let origin = file.description.origin,
      origin.vault == vault, origin.store == series, file.description.state.digest != nil
    else { return nil }
    guard let later = continuation(), later.seal == file.seal else { return file }
    var description = file.description
    description.origin?.backup = later.backup
    description.uncomparedCount = later.uncomparedCount
    description.pages?.identity = later.identity
    return StateFile(file, as: description)
  }

  /// The note that a state has lasted; nil if there is none.
  private func continuation() -> StateContinuation? {
    guard let descriptor = try? FileBytes.openRegular(continuationPath) else { return nil }
    defer { FileIO.close(descriptor) }
    let bytes = try? FileBytes.read(descriptor, upTo: Self.longestContinuation)
    return bytes.flatMap { StateContinuation($0) }
  }

  /// Makes a private folder next to the file, so that a new file only needs another name.
  ///
  /// - Returns: nil if that is not possible.
  func workFolder() -> WorkFolder? {
    var path = ""
    for component in folder.split(separator: "/", omittingEmptySubsequences: false) {
      path += component
      if !path.isEmpty { _ = unsafe mkdir(path, 0o700) }
      path += "/"
    }
    return try? WorkFolder(for: .backup, in: folder)
  }

  /// Remembers the state of a backup that was made; does nothing if that is not possible.
  func keep(
    _ recorder: StateRecorder, at file: String, of backup: String, uncomparedCount: Int
  ) {
    do {
      try recorder.complete(
        .init(vault: vault, store: series, backup: backup), uncomparedCount: uncomparedCount)
      // A note with the digest of another file has no effect.
      try FileNames.move(file, to: recorder.isUnchanged ? continuationPath : path)
    } catch {
      // The next backup works without it.
    }
  }
}
