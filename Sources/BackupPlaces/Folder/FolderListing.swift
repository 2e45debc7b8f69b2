internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Lists the files of a folder place.
struct FolderListing {
  private let prefix: String
  /// The files, in order.
  private(set) var files: [PlacedFile] = []
  /// The names of links and special files, in order.
  private(set) var strangers: [String] = []

  /// The folder of a file system at its top, which only root may read.
  private static let reserved = "lost+found"
  /// The greatest depth of folders, which no name exceeds.
  private static let maxDepth = PlaceName.maxLength / 2

  /// Lists the files below a folder whose names begin with a prefix; none if there is no folder.
  ///
  /// Files whose names no place has are left out, so are those that vanish meanwhile.
  init(below folder: String, prefix: String) throws(CofferError) {
    self.prefix = prefix
    do throws(SystemError) {
      guard try FileNames.kind(of: folder) != .missing else { return }
      let root = try OpenFolder(path: try FileNames.resolve(folder))
      try add(root, "", depth: 0)
    } catch {
      guard error.number != ENOENT else {
        (files, strangers) = ([], [])
        return
      }
      throw CofferError(error.isDenied ? .accessDenied : .readFailed, path: folder, error)
    }
    files.sort { PlaceName.precedes($0.name, $1.name) }
    strangers.sort(by: PlaceName.precedes)
  }

  private mutating func add(
    _ folder: borrowing OpenFolder, _ path: String, depth: Int
  ) throws(SystemError) {
    for bytes in try folder.names() {
      guard let component = String(validating: bytes, as: UTF8.self) else { continue }
      let name = path + component
      guard PlaceName.isValid(name) else { continue }
      guard let state = try folder.state(of: component) else { continue }
      switch state.kind {
      case .file where name.utf8.starts(with: prefix.utf8):
        files.append(
          PlacedFile(
            name: name, byteCount: UInt64(max(0, state.size)),
            written: Date(timeIntervalSince1970: Double(state.modified) / 1e9)))
      case .folder where mayHold(name + "/") && depth < Self.maxDepth:
        if path.isEmpty, component == Self.reserved { continue }
        do throws(SystemError) {
          let inner = try OpenFolder(component, in: folder)
          try add(inner, name + "/", depth: depth + 1)
        } catch {
          // Removed since, or replaced by a link.
          guard error.isMissing || error.number == ELOOP else { throw error }
        }
      case .link,
        .other where name.utf8.starts(with: prefix.utf8):
        strangers.append(name)
      default: break
      }
    }
  }

  /// Whether a folder may hold names that begin with the prefix.
  private func mayHold(_ folder: String) -> Bool {
    folder.utf8.starts(with: prefix.utf8) || prefix.utf8.starts(with: folder.utf8)
  }
}
