internal import CoreDataModel

/// A store in a folder of its own, which goes with this object.
package final class TemporaryStore: Sendable {
  /// The path of the store.
  package let path: String
  private let folder: WorkFolder

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - purpose: what it is for.
  ///   - parent: where its folder is made; nil for the system's temporary folder.
  ///   - make: creates the store at a path.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`; errors from the closure.
  package init(for purpose: WorkFolder.Purpose, in parent: String?, _ make: (String) throws -> Void)
    throws
  {
    folder = try WorkFolder(for: purpose, in: parent)
    // Not the folder itself, whose lock an import would wait for.
    path = try folder.makeFolder("restored") + "/store.sqlite"
    try make(path)
  }
}
