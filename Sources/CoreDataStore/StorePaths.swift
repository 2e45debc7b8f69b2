internal import Foundation

/// The names of the files and folders that belong to a store.
///
/// Source: store-format, sections 6 and 11: the support folder is named after the store without its
/// extension, so two stores that differ in their extension share it.
package struct StorePaths: Sendable, Equatable {
  /// The path of the store.
  package let store: String

  /// The paths of a store.
  package init(store: String) { self.store = store }

  /// The folder that the store is in.
  package var folder: String {
    let folder = (store as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// The name of the store's file.
  package var name: String { (store as NSString).lastPathComponent }

  /// The name of the store's file without its extension.
  package var baseName: String { (name as NSString).deletingPathExtension }

  /// The name of the folder of external binary data and all that belongs to it.
  package var supportFolderName: String { ".\(baseName)_SUPPORT" }

  /// The path of that folder.
  package var supportFolder: String {
    (folder as NSString).appendingPathComponent(supportFolderName)
  }

  /// The name, within the support folder, of the folder with the files of external binary data.
  package static let externalDataFolderName = "_EXTERNAL_DATA"

  /// The path of the folder with the files of external binary data.
  package var externalDataFolder: String {
    (supportFolder as NSString).appendingPathComponent(Self.externalDataFolderName)
  }

  /// The endings of the files that SQLite keeps beside a store.
  package static let companionEndings = ["-wal", "-shm", "-journal"]

  /// The paths of the files that SQLite keeps beside the store, whether they are there or not.
  package var companions: [String] { Self.companionEndings.map { store + $0 } }
}
