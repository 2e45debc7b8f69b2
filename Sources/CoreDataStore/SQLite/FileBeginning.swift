/// The first bytes of a file that may be a store.
///
/// Reading them by plain calls would drop the locks that this process holds on a store it has open.
package enum FileBeginning {
  /// Reads the first bytes of a file, fewer where it ends; nothing is locked or changed.
  ///
  /// - Throws: ``StoreError``: `not-found`, or `not-readable` for folders, devices and missing
  ///   permissions.
  package static func bytes(ofFileAt path: String, count: Int) throws(StoreError) -> [UInt8] {
    let files = try StoreFiles(of: path)
    let file = try SourceFile(path: files.main, kind: .main)
    return try file.bytes(at: 0, count: count)
  }
}
