internal import CoreDataModel

/// The list of the files in a backup of an iPhone or iPad, where every file has a number for a name.
///
/// Finder, iTunes and `idevicebackup2` write it as `Manifest.db`, an SQLite database with a table
/// `Files (fileID, domain, relativePath, flags, file)`. That of an encrypted backup is no database.
package final class BackupManifest: Sendable {
  /// The name of the file, in the folder of the backup.
  package static let fileName = "Manifest.db"

  private let connection: SQLiteConnection

  /// Opens the list of a folder's device backup; nil if there is none, or it is unreadable.
  package init?(folder: String) {
    let path = StorePaths.join(folder, Self.fileName)
    guard (try? FileSignature.isDatabase(fileAt: path)) == true,
      let connection = try? SQLiteConnection(
        path: SnapshotOpener.readOnlyURI(path) + ReadAhead.parameters, access: .reading, place: path
      )
    else { return nil }
    self.connection = connection
  }

  /// Where a file was on the device: the domain, such as `AppDomain-com.example.trips`, and the path in
  /// it; nil for a name that the list does not have.
  package func place(ofFileNamed name: String) -> String? {
    let rows = try? connection.use { database throws(CofferError) in
      try database.rows(
        "SELECT domain, relativePath FROM Files WHERE fileID = ?", [.text(Array(name.utf8))])
    }
    guard case .text(let domain)? = rows?.first?.first, case .text(let path)? = rows?.first?.last
    else { return nil }
    return StorePaths.join(
      String(decoding: domain, as: UTF8.self), String(decoding: path, as: UTF8.self))
  }
}
