internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

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

  /// Notes the file that a value refers to, if it refers to one.
  ///
  /// - Throws: ``CofferError`` with `refused` if the store has another file of that name.
  func take(_ value: SQLiteValue) throws {
    guard let text = ExternalValue.fileName(value) else { return }
    let name = Name(text)
    guard let file = known[name], taken[name] == nil else { return }
    taken[name] = .some(present[name] == nil ? file : nil)
    if let own = present[name] {
      if try store.source.digest(of: own) == other.source.digest(of: file) { return }
      throw CofferError(
        .refused, path: store.store.path, item: own.path,
        detail: "the other store has a file of this name with other bytes")
    }
  }

  /// Copies the files that the store does not have.
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
