public import CofferCore
internal import POSIX

/// The common options of all changes of a store's content.
///
/// A private copy is changed, then replaces the store or appears at a new place when it is
/// complete.
public struct EditingOptions: Sendable, Equatable {
  /// Whether to replace an existing store at the new place.
  public var overwriting = false
  /// Whether a store that CloudKit mirrors may be changed.
  ///
  /// Its mirroring state does not know about the changes: other devices may not receive them, or may
  /// undo them.
  public var allowsMirrored = false
  /// A file for the undo changes; nil for none.
  ///
  /// It is complete before the store changes. If the change is refused, nothing remains of it.
  public var undo: ArchiveTarget?
  /// How that file is written.
  public var undoOptions = ChangesOptions()

  /// Creates the default options.
  public init() {}
}

/// A file that may be replaced, under a second name, so that it can be restored.
struct KeptFile {
  private let path: String
  private let second: String
  private let hasSecond: Bool
  /// The earlier file; nil for nothing.
  private let earlier: FileState?

  /// Keeps the file at the path of a target; nil if the target is not a file that a command
  /// creates.
  ///
  /// The second name is in a folder that is removed in the end. If it cannot be created, as on another file
  /// system, the file cannot be restored.
  init?(_ target: ArchiveTarget, at second: String) {
    guard case .file(let path, _) = target else { return nil }
    self.path = (try? FileNames.resolve(path)) ?? path
    self.second = second
    earlier = FileState(named: self.path)
    hasSecond = FileNames.add(second, to: self.path)
  }

  /// Restores the file; removes a file that did not exist before.
  func restore() {
    if hasSecond {
      _ = try? FileNames.move(second, to: path)
    } else if let now = FileState(named: path), !now.isSameFile(as: earlier) {
      FileNames.remove(path)
    }
  }
}
