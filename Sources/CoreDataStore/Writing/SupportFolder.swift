internal import CoreDataLayout
package import CoreDataModel
internal import Foundation
internal import POSIX

/// The folder of a store with its files of external binary data, and the ``CompanionFolder``s.
///
/// Links are not followed, whatever they lead to.
package struct SupportFolder: Sendable {
  /// One file in the folder.
  package struct File: Sendable, Equatable {
    /// The path from the support folder, its components in order.
    ///
    /// That of a file in a ``CompanionFolder`` begins with ``CompanionFolder/parent`` and the place of the folder, so that it
    /// does not depend on the name of the store.
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

    /// The name that objects use to refer to the file; nil for any other file.
    package var externalName: String? {
      components.count == 2 && components[0] == StorePaths.externalDataFolderName
        ? components[1] : nil
    }
  }

  /// The files, in ascending order of their paths, starting with the support folder.
  package let files: [File]
  /// Something among the files that is left out.
  package struct Irregular: Sendable, Equatable {
    /// The reasons.
    package enum Reason: Sendable {
      case isLink, isTooDeep, hasNoText, isSpecial, isNoFolder
    }

    /// The path from the support folder; in a companion folder, from the folder of the store.
    package let path: String
    /// Why it is left out.
    package let reason: Reason

    /// Whether it can lead to files of the store.
    package var hidesFiles: Bool { reason == .isLink || reason == .isTooDeep }

    /// The path, and why it is left out.
    package var description: String { "\(path): \(cause)" }

    /// Why it is left out, as a clause.
    package var cause: String {
      switch reason {
      case .isLink: "it is a symbolic link"
      case .isTooDeep: "it is below more than \(CompanionFolder.maxLevels) folders"
      case .hasNoText: "its name is not UTF-8"
      case .isSpecial: "it is not a regular file"
      case .isNoFolder: "it is not a folder"
      }
    }
  }

  /// Everything that is neither a file nor a folder, and folders below too many others.
  package let irregular: [Irregular]
  /// The names of files and folders that carry the store's name but do not belong to it, as far as
  /// coffer knows; see ``StoreNeighborhood``.
  package let strays: [String]

  /// The first thing that hides files: a link, or a folder below too many others; nil if nothing does.
  package var screen: Irregular? { irregular.first(where: \.hidesFiles) }

  private let store: StorePaths

  /// The number of seconds to wait for an import that is replacing the store.
  private static let patience = 10.0

  /// Lists the folders of a store; a missing folder has no files.
  ///
  /// While an import replaces the store the folder holds the files of both; that is waited for.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - isLocked: whether the caller holds a lock of the store's folder.
  /// - Throws: ``CofferError`` with the code `read-failed` when a part of it cannot be listed,
  ///   `store-busy` if imports keep replacing the store.
  package init(of store: StorePaths, isLocked: Bool = false) throws(CofferError) {
    self.store = store
    let lock = isLocked ? nil : try Self.lock(store)
    defer { withExtendedLifetime(lock) {} }
    var listing = Listing(store)
    try listing.visit(store.supportFolder, [])
    let around: StoreNeighborhood
    do throws(SystemError) {
      around = try StoreNeighborhood(of: store)
    } catch {
      throw Self.failure(store.folder, error)
    }
    for (folder, name) in around.companions {
      try listing.visit(
        StorePaths.join(store.folder, name), [CompanionFolder.parent, folder.place], shownAs: name)
    }
    files = listing.files
    irregular = listing.irregular
    strays = around.strays
  }

  /// The path of a file.
  package func path(of file: File) -> String { store.path(of: file.components) }

  /// Checks that nothing hides files of the store, which an export would lack.
  ///
  /// - Throws: ``CofferError`` with `refused` for a link, and for a folder below too many others.
  package func requireComplete() throws(CofferError) {
    guard let screen else { return }
    throw CofferError(
      .refused, path: store.store, item: "external data \(screen.path)",
      detail: screen.cause
        + (screen.reason == .isLink
          ? ", and the files that it points to would be lost" : ", and its files would be lost"),
      advice: .sentence(
        screen.reason == .isLink
          ? "Replace the link by the files that it leads to, then try again."
          : "Move the folder away, then try again."))
  }

  /// The kinds of files in the folder.
  private struct Listing {
    let store: StorePaths
    var files: [File] = []
    var irregular: [Irregular] = []
    /// The displayed form of the components that all paths of a folder begin with.
    private var root: (count: Int, name: [String]) = (0, [])

    init(_ store: StorePaths) { self.store = store }

    /// Lists one of the store's folders, if it exists.
    mutating func visit(
      _ path: String, _ components: [String], shownAs name: String? = nil
    ) throws(CofferError) {
      root = (components.count, name.map { [$0] } ?? [])
      do throws(SystemError) {
        try visit(OpenFolder(path: path), components)
      } catch {
        switch error.number {
        case ENOENT where !FileSync.exists(path): break
        // A link, or no folder at all.
        case ELOOP, ENOTDIR, EMLINK: add(irregular: name ?? ".", at: path, or: .isNoFolder)
        default: throw SupportFolder.failure(path, error)
        }
      }
    }

    private mutating func visit(
      _ folder: borrowing OpenFolder, _ components: [String]
    ) throws(SystemError) {
      for bytes in try folder.names() {
        guard let name = String(validating: bytes, as: UTF8.self) else {
          // Apple's file systems have no such names, and no object can refer to it.
          let shown = shown(components, String(decoding: bytes, as: UTF8.self))
          irregular.append(Irregular(path: shown, reason: .hasNoText))
          continue
        }
        // A missing file belonged to an object that was deleted since.
        guard let state = try folder.state(of: name) else { continue }
        switch state.kind {
        case .file:
          files.append(File(components: components + [name], size: Int(clamping: state.size)))
        case .folder where components.count - root.count < CompanionFolder.maxLevels:
          try visit(folder, components, name)
        case .folder:
          irregular.append(Irregular(path: shown(components, name), reason: .isTooDeep))
        case .link, .other:
          add(irregular: shown(components, name), at: store.path(of: components + [name]))
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

    private func shown(_ components: [String], _ name: String) -> String {
      (root.name + components.dropFirst(root.count) + [name]).joined(separator: "/")
    }

    private mutating func add(
      irregular shown: String, at path: String, or reason: Irregular.Reason = .isSpecial
    ) {
      let isLink = FileState(named: path)?.kind == .link
      irregular.append(Irregular(path: shown, reason: isLink ? .isLink : reason))
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

  /// Numbers that stay equal as long as a file keeps its content; nil if the file is so recent that another
  /// write could get the same time.
  package func identity(of file: File) -> [Int64]? {
    let now = SystemClock.fileNanoseconds
    guard let state = try? FileState.look(at: path(of: file)), state.kind == .file,
      state.size == Int64(file.size)
    else { return nil }
    return ContentIdentity.numbers(of: state, now: now)
  }

  /// The number of bytes of a file in memory at once.
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
    let path = path(of: file)
    guard let descriptor = try open(file, path) else { return false }
    defer { _ = close(descriptor) }
    try begin()
    // Most files are small; one byte more shows a file that grew.
    let size = min(max(file.size, 0), Self.pieceSize - 1) + 1
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: size)
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
      let names = store.names(of: file.components)
      var folder = try OpenFolder(path: StorePaths.join(store.folder, names[0]))
      for name in names.dropFirst().dropLast() { folder = try OpenFolder(name, in: folder) }
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
    let result = unsafe buffer.withUnsafeMutableBytes { target in
      Result { () throws(SystemError) in try unsafe FileIO.read(descriptor, into: target) }
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
  package var byPath: [Name: SupportFolder.File] {
    Dictionary(map { (Name($0.path), $0) }) { first, _ in first }
  }
}

extension [SupportFolder.Irregular] {
  /// The paths of the links among them.
  package var links: Set<String> { Set(filter { $0.reason == .isLink }.map(\.path)) }
}
