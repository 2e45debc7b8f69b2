internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The files of the support folder of an edited copy.
///
/// Files that an edit neither writes nor removes are taken over from the store.
final class EditedFiles {
  /// The way in which the copy takes over files that an edit does not change.
  enum Others {
    /// They are not touched: the copy replaces the store, and finds them there.
    case stay
    /// The copy has hard links to them, so that it is whole before it replaces the store.
    case link
    case copy
  }

  let folder: SupportFolder
  /// The files that the copy does not take over, by their paths from the support folder.
  private(set) var removed: Set<Name> = []
  private var written: Set<Name> = []
  private let place: String
  private let copy: StorePaths
  private let writer: SupportFolderWriter
  private let others: Others

  /// - Throws: ``CofferError`` if the support folder cannot be listed, and with `refused` if a link in it
  ///   hides files.
  init(of store: PersistentStore, for copy: StorePaths, _ others: Others) throws(CofferError) {
    folder = try SupportFolder(of: StorePaths(store: store.path))
    try folder.requireComplete()
    self.copy = copy
    place = store.path
    writer = SupportFolderWriter(of: copy)
    self.others = others
  }

  /// Removes a file of the store, or makes space for another with its name.
  func remove(_ path: Name) { removed.insert(path) }

  /// Removes files of external binary data, by the names that objects used to refer to them.
  func removeExternalData(_ names: Set<Name>) {
    for file in folder.files {
      if let name = file.externalName, names.contains(Name(name)) {
        remove(Name(file.path))
      }
    }
  }

  /// Writes a file, as ``SupportFolderWriter`` does; a file of the store with the same path must be
  /// removed.
  func write(
    _ components: [String], size: Int, next: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    try unsafe writer.write(components, size: size, next: next)
    written.insert(Name(SupportFolder.File(components: components, size: size).path))
  }

  /// Replaces a file by its state after a change; removes it if it no longer exists.
  func replace(_ change: ChangedFile, from file: ChangesFile) throws {
    remove(change.name)
    guard let entry = change.after?.entry else { return }
    let stream = try file.archive.file.open(entry.name)
    try unsafe write(change.components, size: entry.size) { unsafe try stream.read(into: $0) }
  }

  /// Copies a file of another store under the same path if this store has none.
  func copy(_ file: SupportFolder.File, from other: SupportFolder) throws {
    _ = try writer.copy(file, from: other)
    written.insert(Name(file.path))
  }

  /// Takes over the other files, and checks that the copy has them all.
  ///
  /// - Throws: ``CofferError`` if one cannot be read or written, and with `store-busy` if one vanished
  ///   meanwhile; `CancellationError`.
  func finish() throws {
    guard others != .stay else { return }
    for file in folder.files {
      try Task<Never, Never>.checkCancellation()
      let path = Name(file.path)
      if removed.contains(path) || written.contains(path) { continue }
      _ =
        others == .link ? try writer.link(file, from: folder) : try writer.copy(file, from: folder)
    }
    let wanted = folder.files.map(\.path).names.subtracting(removed).union(written)
    guard try SupportFolder(of: copy).files.map(\.path).names == wanted else {
      throw CofferError(
        .storeBusy, path: place, detail: "its external files changed meanwhile",
        advice: "Close the app that uses the store, and try again.")
    }
  }
}
