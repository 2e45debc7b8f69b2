package import CoreDataModel
internal import POSIX

/// Bytes that do not fit in memory, in an unnamed file.
///
/// The file is created with the first bytes, is private to this process, and disappears when it is
/// released or the process ends, however it ends. After an error, it is unusable.
///
/// Only one thread may use it at a time.
package final class TemporaryFile: @unchecked Sendable {
  let folder: String
  /// The number of appended bytes.
  package private(set) var size = 0

  private var descriptor: Int32?

  /// A file in a folder; nil for the system's temporary folder.
  package init(in folder: String? = nil) {
    self.folder = folder ?? FileNames.temporaryFolder
  }

  deinit {
    if let descriptor { FileIO.close(descriptor) }
  }

  /// Appends bytes.
  ///
  /// - Returns: their offset.
  /// - Throws: `temporary-storage-failed` if the file cannot be created or written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) -> Int {
    let offset = size
    do throws(SystemError) {
      try unsafe FileIO.writeAll(try open(), bytes)
    } catch {
      throw failure(error.text)
    }
    size += bytes.count
    return offset
  }

  /// Reads appended bytes to fill a buffer; throws `temporary-storage-failed` if the file cannot be read.
  package func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(CofferError) {
    let count: Int
    do throws(SystemError) {
      count = try unsafe FileIO.fill(buffer, from: open(), at: offset)
    } catch {
      throw failure(error.text)
    }
    guard count == buffer.count else { throw failure("the temporary file was truncated") }
  }

  private func open() throws(SystemError) -> Int32 {
    if let descriptor { return descriptor }
    let made = try FileNames.createNameless(in: folder)
    descriptor = made
    return made
  }

  private func failure(_ detail: String) -> CofferError {
    CofferError(
      .temporaryStorageFailed, path: folder, detail: detail,
      advice: .chooseTemporaryFolder)
  }
}
