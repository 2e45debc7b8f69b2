internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// Bytes that memory has no room for, in a file without a name.
///
/// The file is made with the first bytes, is this process's alone, and is gone when nobody holds it or
/// the process ends, however it ends. After an error it is of no further use.
final class TemporaryFile {
  /// The folder whose file system holds the bytes.
  let folder: String
  /// How many bytes were appended.
  private(set) var size = 0

  private var descriptor: Int32?

  /// - Parameter folder: where the file is made; nil for the system's temporary folder.
  init(in folder: String? = nil) {
    self.folder = folder ?? FileNames.temporaryFolder
  }

  deinit {
    if let descriptor { FileIO.close(descriptor) }
  }

  /// Appends bytes.
  ///
  /// - Returns: where they stand.
  /// - Throws: `temporary-storage-failed` where no file can be made or the system cannot write.
  func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) -> Int {
    let offset = size
    do throws(SystemError) {
      try unsafe FileIO.writeAll(try open(), bytes)
    } catch {
      throw failure(error.text)
    }
    size += bytes.count
    return offset
  }

  /// Reads appended bytes; the room is filled.
  ///
  /// - Throws: `temporary-storage-failed` where the system cannot read.
  func read(
    at offset: Int, into room: UnsafeMutableRawBufferPointer
  ) throws(CofferError) {
    var done = 0
    while done < room.count {
      let count: Int
      do throws(SystemError) {
        count = try unsafe FileIO.read(
          try open(), at: offset + done,
          into: UnsafeMutableRawBufferPointer(rebasing: room[done...]))
      } catch {
        throw failure(error.text)
      }
      guard count > 0 else { throw failure("the temporary file was truncated") }
      done += count
    }
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
