internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// The external binary data files of merged values.
final class MergeFiles {
  private let store: MergeSide
  private let other: MergeSide
  private let files: EditedFiles
  private let otherFolder: SupportFolder
  private let known: [Name: SupportFolder.File]
  private let present: [Name: SupportFolder.File]
  /// The files that values refer to, by name; nil for files that the store has.
  private var taken: [Name: SupportFolder.File?] = [:]

  init(_ store: MergeSide, _ other: MergeSide, _ files: EditedFiles) throws(CofferError) {
    self.store = store
    self.other = other
    self.files = files
    otherFolder = try SupportFolder(of: StorePaths(store: other.store.path))
    try otherFolder.requireComplete()
    known = Self.byName(otherFolder)
    present = Self.byName(files.folder)
  }

  private static func byName(_ folder: SupportFolder) -> [Name: SupportFolder.File] {
    var found: [Name: SupportFolder.File] = [:]
    for file in folder.files {
      if let name = file.externalName { found[Name(name)] = file }
    }
    return found
  }

  /// The names of the files that have other bytes than those of a base.
  func changed(since base: MergeSide) throws -> Set<Name> {
    var changed: Set<Name> = []
    let folder = try SupportFolder(of: StorePaths(store: base.store.path))
    for (name, old) in Self.byName(folder) {
      guard let new = known[name] else { continue }
      try Task<Never, Never>.checkCancellation()
      // The states that a change file recalls share most files.
      if let file = FileState(named: folder.path(of: old)),
        file.isSameFile(as: FileState(named: otherFolder.path(of: new)))
      {
        continue
      }
      if try !base.source.hasSameBytes(old, as: new, of: other.source) { changed.insert(name) }
    }
    return changed
  }

  /// Notes the file that a value refers to, if it refers to one.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - previous: the value that it replaces; nil for none.
  /// - Throws: ``CofferError`` with `refused` if the store has a file of that name with other bytes, which
  ///   is not that of the previous value.
  func take(_ value: SQLiteValue, insteadOf previous: SQLiteValue?) throws {
    guard let text = ExternalValue.fileName(value) else { return }
    let name = Name(text)
    guard let file = known[name], taken[name] == nil else { return }
    taken[name] = .some(present[name] == nil ? file : nil)
    if let own = present[name] {
      if try store.source.hasSameBytes(own, as: file, of: other.source) { return }
      guard value == previous else {
        throw CofferError(
          .refused, path: store.store.path, item: own.path,
          detail: "the other store has a file of this name with other bytes")
      }
      taken[name] = .some(file)
      files.remove(Name(own.path))
    }
  }

  /// Copies the files that the store does not have, or has with other bytes.
  ///
  /// - Parameter released: the names of files that are no longer referenced: one may belong to an object
  ///   that was added and deleted again.
  /// - Throws: ``CofferError`` if a file cannot be read or written.
  func copy(besides released: Set<Name>) throws {
    for (name, file) in taken where !released.contains(name) {
      if let file { try files.copy(file, from: otherFolder) }
    }
  }
}
