internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The files of external binary data that come with merged values.
final class MergeFiles {
  private let store: MergeSide
  private let other: MergeSide
  private let files: EditedFiles
  private let otherFolder: SupportFolder
  private let known: [ExactString: SupportFolder.File]
  private let present: [ExactString: SupportFolder.File]
  private var taken: Set<ExactString> = []

  init(_ store: MergeSide, _ other: MergeSide, _ files: EditedFiles) throws(CofferError) {
    self.store = store
    self.other = other
    self.files = files
    otherFolder = try SupportFolder(of: StorePaths(store: other.store.path))
    known = Self.byName(otherFolder)
    present = Self.byName(files.folder)
  }

  private static func byName(_ folder: SupportFolder) -> [ExactString: SupportFolder.File] {
    var found: [ExactString: SupportFolder.File] = [:]
    for file in folder.files {
      if let name = file.externalName { found[ExactString(name)] = file }
    }
    return found
  }

  /// Takes over the file that a value refers to, if it refers to one.
  ///
  /// - Throws: ``CofferError`` with `refused` if the store has another file of that name.
  func take(_ value: SQLiteValue) throws {
    guard let text = ExternalValue.fileName(value) else { return }
    let name = ExactString(text)
    guard let file = known[name], taken.insert(name).inserted else { return }
    if let own = present[name] {
      if try store.source.digest(of: own) == other.source.digest(of: file) { return }
      throw CofferError(
        .refused, path: store.store.path, item: own.path,
        detail: "the other store has a file of this name with other bytes")
    }
    try files.copy(file, from: otherFolder)
  }
}
