internal import CoreDataModel
internal import Foundation
internal import OwnedFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The folder beside a store that holds its files of external binary data.
///
/// Links are not followed, whatever they lead to.
package struct SupportFolder: Sendable {
  /// One file in the folder.
  package struct File: Sendable, Equatable {
    /// The path from the support folder, its components in order.
    package var components: [String]
    /// The number of bytes.
    package var size: Int

    /// Describes a file.
    package init(components: [String], size: Int) {
      self.components = components
      self.size = size
    }

    /// The name by which objects refer to it; nil for a file that none can refer to.
    package var externalName: String? {
      components.count == 2 && components[0] == StorePaths.externalDataFolderName
        ? components[1] : nil
    }
  }

  /// The path of the folder.
  package let path: String
  /// The files, in ascending order of their paths.
  package let files: [File]
  /// The paths of what is neither a file nor a folder, from the support folder.
  package let irregular: [String]

  /// How many seconds to wait for an import that is replacing the store.
  private static let patience = 10.0

  /// Lists the folder of a store; a folder that is not there has no files.
  ///
  /// While an import replaces the store the folder holds the files of both; that is waited for.
  ///
  /// - Throws: ``StoreError`` with the code `not-readable` when a part of it cannot be listed,
  ///   `store-busy` when imports go on replacing the store.
  package init(of store: StorePaths) throws(StoreError) {
    path = store.supportFolder
    let lock = try Self.lock(store)
    defer { withExtendedLifetime(lock) {} }
    var files: [File] = []
    var irregular: [String] = []
    func visit(_ folder: String, _ components: [String], _ depth: Int) throws(StoreError) {
      let names = try Self.names(in: folder)
      for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        let path = StorePaths.join(folder, name)
        // One that is gone belonged to an object that was deleted since.
        guard let status = try Self.status(of: path) else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFREG: files.append(File(components: components + [name], size: Int(status.st_size)))
        case S_IFDIR where depth < Self.greatestDepth:
          try visit(path, components + [name], depth + 1)
        default: irregular.append((components + [name]).joined(separator: "/"))
        }
      }
    }
    if let status = try Self.status(of: path) {
      if status.st_mode & S_IFMT == S_IFDIR {
        try visit(path, [], 0)
      } else {
        irregular.append(".")
      }
    }
    self.files = files
    self.irregular = irregular
  }

  private static func lock(_ store: StorePaths) throws(StoreError) -> FolderLock? {
    do {
      return try FolderLock(store.folder, .shared, waiting: patience)
    } catch {
      guard error.isLocked else { return nil }
      throw StoreError(
        .busy, place: store.store, detail: "it is being replaced", hint: "Try again.")
    }
  }

  /// What a name stands for, links not followed; nil where there is nothing.
  private static func status(of path: String) throws(StoreError) -> stat? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw failure(path)
  }

  /// The names in a folder.
  ///
  /// Foundation's listing ends without an error where the system cannot read on, and what was not read
  /// would count as missing.
  private static func names(in folder: String) throws(StoreError) -> [String] {
    do {
      return try FileTree.names(in: folder)
    } catch {
      throw failure(folder, error.number)
    }
  }

  private static func failure(_ path: String, _ number: Int32 = errno) -> StoreError {
    StoreError(
      .notReadable, place: path, detail: unsafe String(cString: strerror(number)),
      hint: SystemAdvice.hint(for: number, at: path))
  }

  /// How many folders deep the folder is read.
  private static let greatestDepth = 8

  /// Reads a file piece by piece.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - begin: called once the file is open, before its bytes come.
  ///   - body: called with the bytes, piece by piece.
  /// - Returns: false, and nothing was called, when the file is gone: it belonged to an object that
  ///   was deleted since.
  /// - Throws: ``StoreError`` with the code `not-readable` when the file cannot be read or has
  ///   another size than it had; else what the closures throw.
  package func read(
    _ file: File, begin: () throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let path = ([self.path] + file.components).joined(separator: "/")
    let descriptor = FileOpening.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw Self.failure(path)
    }
    defer { _ = close(descriptor) }
    try begin()
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 20)
    var total = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Self.readSome(descriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 else {
        throw Self.failure(path)
      }
      if count == 0 { break }
      total += count
      guard total <= file.size else { break }
      try unsafe buffer.withUnsafeBytes {
        unsafe try body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    guard total == file.size else {
      throw StoreError(
        .notReadable, place: path, detail: "the file changed while it was being read",
        hint: "Try again when the app that writes it is closed.")
    }
    return true
  }

  private static func readSome(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    while true {
      let result = unsafe Foundation.read(descriptor, buffer, count)
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
