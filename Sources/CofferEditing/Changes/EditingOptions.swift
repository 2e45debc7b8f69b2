public import CofferCore
internal import POSIX

/// What every change of a store's content lets its caller choose.
///
/// A private copy is changed and takes the store's place, or a new place, when it is complete.
public struct EditingOptions: Sendable, Equatable {
  /// Whether an existing store at the new place is replaced.
  public var overwriting = false
  /// Whether a store that CloudKit mirrors may be changed.
  ///
  /// Its mirroring state does not know of the changes: other devices may not get them, or undo them.
  public var allowsMirrored = false
  /// A file for the changes that lead back; nil for none.
  ///
  /// It is complete before the store changes. If the change is refused, nothing remains of it.
  public var undo: ArchiveTarget?
  /// How that file is written.
  public var undoOptions = ChangesOptions()

  /// Creates the default options.
  public init() {}
}

/// A file that may be replaced, under a second name, so that it can be put back.
struct KeptFile {
  private let path: String
  private let second: String
  private let hasSecond: Bool
  /// What was there; nil for nothing.
  private let earlier: FileIdentity?

  /// Keeps what is at the path of a target; nil if it is no file that a command creates.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - second: the second name, in a folder that is removed in the end. Where it cannot be made, as on
  ///     another file system, the file cannot be put back.
  init?(_ target: ArchiveTarget, at second: String) {
    guard case .file(let path, _) = target else { return nil }
    self.path = (try? FileNames.resolve(path)) ?? path
    self.second = second
    earlier = FileIdentity(of: self.path)
    hasSecond = FileNames.add(second, to: self.path)
  }

  /// Puts the file back; removes what was not there.
  func restore() {
    if hasSecond {
      _ = try? FileNames.move(second, to: path)
    } else if let now = FileIdentity(of: path), !now.isSameFile(as: earlier) {
      FileNames.remove(path)
    }
  }
}
