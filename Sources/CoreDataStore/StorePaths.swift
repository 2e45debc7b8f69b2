/// The names of the files and folders that belong to a store.
///
/// Source: store-format, sections 6 and 11: the support folder is named after the store without its
/// extension, so two stores that differ in their extension share it.
package struct StorePaths: Sendable, Equatable {
  /// The path of the store.
  package let store: String

  /// The paths of a store.
  package init(store: String) { self.store = store }

  // Paths are parsed by hand, because Foundation on Linux traps on some paths of one character, and
  // by bytes, because in Swift a slash followed by a combining accent is not a slash.

  /// The folder that the store is in.
  package var folder: String { Self.folder(of: store) }

  /// The name of the store's file.
  package var name: String { Self.name(of: store) }

  /// The name of the store's file without its extension; a leading dot does not begin one.
  package var baseName: String {
    let name = name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name
    }
    return String(name[..<dot])
  }

  /// The part of a path before the last component: `.` for a mere name, `/` for the root.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { slash in
      String(path[path.utf8.index(after: slash)...])
    } ?? path
  }

  /// The path of something in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }

  /// The name of the folder of external binary data and all that belongs to it.
  package var supportFolderName: String { ".\(baseName)_SUPPORT" }

  /// The path of that folder.
  package var supportFolder: String { Self.join(folder, supportFolderName) }

  /// The name, within the support folder, of the folder with the files of external binary data.
  package static let externalDataFolderName = "_EXTERNAL_DATA"

  /// The path of the folder with the files of external binary data.
  package var externalDataFolder: String {
    Self.join(supportFolder, Self.externalDataFolderName)
  }

  /// The suffixes of a store's companion files.
  package static let companionEndings = ["-wal", "-shm", "-journal"]

  /// The paths of a store's companion files, whether or not they exist.
  package var companions: [String] { Self.companionEndings.map { store + $0 } }
}

/// How a store is read while it is open.
public enum StoreAccess: Sendable, Hashable {
  /// From a private copy, if one can be made while no program writes.
  ///
  /// Right for an app that uses the same store through Core Data: the app can open the store at any time
  /// while it is being read, without a conflict.
  case copy
  /// In place if that changes nothing; otherwise from a private copy.
  ///
  /// Faster, and right for a program that does nothing else with the store. In an app, a Core Data
  /// stack that is loaded while the store is being read could not write to it.
  case inPlace
}
