internal import CoreDataModel
internal import POSIX

/// Copies files of a store into a private folder.
enum FileCopy {
  /// Bytes held in memory at a time.
  private static let chunkSize = 1 << 20

  /// Copies a file, or its beginning.
  ///
  /// On Apple's file system the copy is a clone: it is made by name, without a descriptor of ours,
  /// and costs nothing. Linux can clone too (`FICLONE`), but only through a descriptor of the
  /// source, whose closing would drop the locks of this process; so it reads through SQLite.
  ///
  /// - Parameters:
  ///   - source: the open source.
  ///   - target: the path of the copy, which must not exist.
  ///   - length: the number of bytes to copy, for a part; nil for all.
  ///   - place: the name of the store, for errors.
  /// - Throws: `read-failed` when the source, `cannot-copy` when the copy fails.
  static func copy(
    _ source: borrowing SourceFile, to target: String, length: Int64? = nil, place: String
  ) throws(CofferError) {
    if length == nil, FileNames.clone(source.path, to: target) { return }
    let descriptor = FileOpening.open(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw failure(target, place) }
    defer { FileIO.close(descriptor) }
    let size = try source.size()
    let end = min(size, length ?? size)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    var offset: Int64 = 0
    while offset < end {
      let count = Int(min(Int64(chunkSize), end - offset))
      let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      unsafe try source.read(at: offset, into: chunk)
      do throws(SystemError) {
        try unsafe FileIO.writeAll(descriptor, UnsafeRawBufferPointer(chunk))
      } catch {
        throw failure(target, place, error)
      }
      offset += Int64(count)
    }
  }

  private static func failure(
    _ target: String, _ place: String, _ error: SystemError = .last
  ) -> CofferError {
    // The copy stands in a folder of its own, whose name tells nobody anything.
    let folder = StorePaths.folder(of: StorePaths.folder(of: target))
    return TemporaryFolder.cannotCopy(error.text, to: folder, place: place)
  }
}
