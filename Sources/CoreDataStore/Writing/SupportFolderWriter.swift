internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Writes the files of a fresh support folder and of the folders next to it.
package struct SupportFolderWriter: Sendable {
  private let store: StorePaths

  /// A writer of the folders of a store that is being built.
  package init(of store: StorePaths) { self.store = store }

  /// Creates a file, and the folders above it, and fills it piece by piece.
  ///
  /// - Parameters:
  ///   - components: the path from the support folder, as ``SupportFolder/File`` has it; each is the
  ///     name of a file or folder and nothing else.
  ///   - size: the expected number of bytes, for the size of the buffer.
  ///   - next: reads the next bytes into the buffer and returns their number; 0 at the end.
  /// - Throws: ``CofferError`` with the code `write-failed`; otherwise errors from the closure.
  package func write(
    _ components: [String], size: Int, next: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    let path = store.path(of: components)
    let descriptor = try create(components, at: path)
    guard descriptor >= 0 else {
      guard [EEXIST, EISDIR, ENOTDIR, ELOOP].contains(errno) else { throw FileSync.failure(path) }
      throw CofferError(
        .writeFailed, path: path,
        detail: "on this file system, another file of the archive has the same name")
    }
    defer { _ = close(descriptor) }
    // Most files are small.
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(max(size, 1), 1 << 20))
    while true {
      let count = try unsafe buffer.withUnsafeMutableBytes { unsafe try next($0) }
      if count == 0 { break }
      try unsafe buffer.withUnsafeBytes { bytes in
        unsafe try FileSync.write(
          UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: descriptor, path)
      }
    }
  }

  /// Copies a file of another store's support folder.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - source: the folder that has it.
  ///   - components: the path of the copy from the support folder; nil for the file's own path.
  /// - Returns: false, and nothing was written, when the file is gone.
  /// - Throws: ``CofferError``: `read-failed` as ``SupportFolder/read(_:begin:_:)`` has it,
  ///   `write-failed`.
  package func copy(
    _ file: SupportFolder.File, from source: SupportFolder, to components: [String]? = nil
  ) throws -> Bool {
    let components = components ?? file.components
    let path = store.path(of: components)
    var descriptor: Int32 = -1
    defer { if descriptor >= 0 { _ = close(descriptor) } }
    return try unsafe source.read(
      file,
      begin: {
        descriptor = try create(components, at: path)
        guard descriptor >= 0 else { throw FileSync.failure(path) }
      }, { unsafe try FileSync.write($0, to: descriptor, path) })
  }

  /// Takes over a file of another store's support folder: a second name for it where the file system
  /// can give one, otherwise a copy.
  ///
  /// - Returns: false, and nothing was written, when the file is gone.
  /// - Throws: the errors of ``copy(_:from:to:)``.
  package func link(_ file: SupportFolder.File, from source: SupportFolder) throws -> Bool {
    try makeFolders(file.components)
    let isLinked = try PlacementFiles().link(
      source.path(of: file), to: store.path(of: file.components))
    return try isLinked || copy(file, from: source)
  }

  /// Creates a file, and the folders above it if they are not there: for nearly all files they are.
  ///
  /// - Returns: the descriptor, negative as the system returns it.
  private func create(_ components: [String], at path: String) throws(CofferError) -> Int32 {
    func open() -> Int32 {
      FileOpening.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
    }
    let descriptor = open()
    guard descriptor < 0, errno == ENOENT else { return descriptor }
    try makeFolders(components)
    return open()
  }

  /// Creates the missing parent folders of a file.
  private func makeFolders(_ components: [String]) throws(CofferError) {
    var path = store.folder
    for name in store.names(of: components).dropLast() {
      path = StorePaths.join(path, name)
      // Another user may read the external files of a store that is readable.
      guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileSync.failure(path) }
    }
  }
}
