package import CoreDataModel
internal import Foundation
internal import POSIX

/// The folder beside a store with its files of external binary data.
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

    /// The path from the support folder, as text.
    package var path: String { components.joined(separator: "/") }

    /// The name by which objects refer to the file; nil for any other file.
    package var externalName: String? {
      components.count == 2 && components[0] == StorePaths.externalDataFolderName
        ? components[1] : nil
    }
  }

  /// The path of the folder.
  package let path: String
  /// The files, in ascending order of their paths.
  package let files: [File]
  /// The paths of everything that is neither a file nor a folder, from the support folder.
  package let irregular: [String]

  /// The number of seconds to wait for an import that is replacing the store.
  private static let patience = 10.0

  /// Lists the folder of a store; a folder that is not there has no files.
  ///
  /// While an import replaces the store the folder holds the files of both; that is waited for.
  ///
  /// - Throws: ``CofferError`` with the code `read-failed` when a part of it cannot be listed,
  ///   `store-busy` when imports go on replacing the store.
  package init(of store: StorePaths) throws(CofferError) {
    path = store.supportFolder
    let lock = try Self.lock(store)
    defer { withExtendedLifetime(lock) {} }
    var listing = Listing()
    do throws(SystemError) {
      try listing.visit(OpenFolder(path: path), [])
    } catch {
      switch error.number {
      case ENOENT where !FileSync.exists(path): break
      // A link, or no folder at all.
      case ELOOP, ENOTDIR, EMLINK: listing.irregular.append(".")
      default: throw Self.failure(path, error)
      }
    }
    files = listing.files
    irregular = listing.irregular
  }

  /// The kinds of files in the folder.
  private struct Listing {
    var files: [File] = []
    var irregular: [String] = []

    /// Lists a folder and those in it.
    mutating func visit(
      _ folder: borrowing OpenFolder, _ components: [String]
    ) throws(SystemError) {
      for bytes in try folder.names() {
        guard let name = String(validating: bytes, as: UTF8.self) else {
          // Apple's file systems have no such names, and no object can refer to it.
          add(irregular: components, String(decoding: bytes, as: UTF8.self))
          continue
        }
        // One that is gone belonged to an object that was deleted since.
        guard let state = try folder.state(of: name) else { continue }
        switch state.kind {
        case .file:
          files.append(File(components: components + [name], size: Int(clamping: state.size)))
        case .folder where components.count < SupportFolder.greatestDepth:
          try visit(folder, components, name)
        default: add(irregular: components, name)
        }
      }
    }

    private mutating func visit(
      _ folder: borrowing OpenFolder, _ components: [String], _ name: String
    ) throws(SystemError) {
      let inner: OpenFolder
      do throws(SystemError) {
        inner = try OpenFolder(name, in: folder)
      } catch {
        // It was removed, or something else was put in its place.
        if error.isMissing || error.number == ELOOP { return }
        throw error
      }
      try visit(inner, components + [name])
    }

    private mutating func add(irregular components: [String], _ name: String) {
      irregular.append((components + [name]).joined(separator: "/"))
    }
  }

  private static func lock(_ store: StorePaths) throws(CofferError) -> FolderLock? {
    do {
      return try FolderLock(store.folder, .shared, waiting: patience)
    } catch {
      guard error.isLocked else { return nil }
      throw CofferError(
        .storeBusy, path: store.store, detail: "it is being replaced", advice: "Try again.")
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> CofferError {
    CofferError(.readFailed, path: path, error)
  }

  /// The maximum depth of folders.
  private static let greatestDepth = 8
  /// How much of a file is in memory at once.
  private static let pieceSize = 1 << 20

  /// Reads a file piece by piece.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - begin: called once the file is open, before its bytes come.
  ///   - body: called with the bytes, piece by piece.
  /// - Returns: false, and nothing was called, when the file is gone: it belonged to an object that
  ///   was deleted since.
  /// - Throws: ``CofferError`` with the code `read-failed` if the file cannot be read or its size
  ///   has changed; otherwise what the closures throw.
  package func read(
    _ file: File, begin: () throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let path = "\(self.path)/\(file.path)"
    guard let descriptor = try open(file, path) else { return false }
    defer { _ = close(descriptor) }
    try begin()
    // Most files are small; one byte more shows a file that grew.
    let room = min(max(file.size, 0), Self.pieceSize - 1) + 1
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: room)
    var total = 0
    while true {
      let count = try Self.readSome(descriptor, &buffer, path)
      if count == 0 { break }
      total += count
      guard total <= file.size else { break }
      try unsafe buffer.withUnsafeBytes {
        unsafe try body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    guard total == file.size else {
      throw CofferError(
        .readFailed, path: path, detail: "the file changed while it was being read",
        advice: "Close the app that writes it, then try again.")
    }
    return true
  }

  /// Opens a file, component by component; nil when it is gone.
  private func open(_ file: File, _ place: String) throws(CofferError) -> Int32? {
    do throws(SystemError) {
      var folder = try OpenFolder(path: path)
      for name in file.components.dropLast() { folder = try OpenFolder(name, in: folder) }
      if let descriptor = try folder.openFile(file.components.last ?? "") { return descriptor }
    } catch {
      if error.number == ENOENT { return nil }
      throw Self.failure(place, error)
    }
    throw CofferError(.readFailed, path: place, detail: "it is no longer a regular file")
  }

  private static func readSome(
    _ descriptor: Int32, _ buffer: inout ContiguousArray<UInt8>, _ path: String
  ) throws(CofferError) -> Int {
    let result = unsafe buffer.withUnsafeMutableBytes { room in
      Result { () throws(SystemError) in try unsafe FileIO.read(descriptor, into: room) }
    }
    do throws(SystemError) {
      return try result.get()
    } catch {
      throw failure(path, error)
    }
  }
}

extension [SupportFolder.File] {
  /// The files by their paths from the support folder, which are compared byte by byte.
  package var byPath: [ExactString: SupportFolder.File] {
    Dictionary(map { (ExactString($0.path), $0) }) { first, _ in first }
  }
}
