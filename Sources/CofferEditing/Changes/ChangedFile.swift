internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// A file of the support folder that differs between two states.
struct ChangedFile {
  /// The known facts about the file in one of the states.
  struct Content {
    /// The entry with its bytes; nil if they are elsewhere, or unknown.
    var entry: ArchiveIndex.Entry?
    /// Its size in bytes; nil if it is unknown.
    var size: Int?
    /// The digest of its bytes; nil if it is unknown.
    var digest: ArchiveDigest?

    init(_ entry: ArchiveIndex.Entry) {
      (self.entry, size, digest) = (entry, entry.size, entry.digest)
    }

    init(_ file: ChangesDocument.FileElsewhere) { (size, digest) = (file.size, file.digest) }

    /// A file that exists, but is otherwise unknown.
    init() {}
  }

  /// The path from the support folder, its components in order.
  let components: [String]
  /// The file before the changes; nil if there is no such file.
  var before: Content?
  /// The file after the changes; nil if there is no such file.
  var after: Content?

  var kind: ChangeKind { ChangeKind(from: before, to: after) }

  /// The path from the support folder.
  var name: Name { Name(components.joined(separator: "/")) }

  /// Whether the file is known to be the same in both states.
  var isSame: Bool {
    guard let before, let after else { return before == nil && after == nil }
    return before.digest != nil && before.digest == after.digest
  }

  /// The file with its two states exchanged.
  var reversed: ChangedFile {
    var file = self
    (file.before, file.after) = (after, before)
    return file
  }

  init(components: [String]) { self.components = components }
}

extension ChangesFile {
  /// Finds the differing files of the support folder as recorded in the change file, in ascending
  /// order.
  ///
  /// - Throws: ``CofferError`` with `damaged-archive` for an invalid file name, or one that occurs
  ///   twice.
  func changedFiles() throws(CofferError) -> [ChangedFile] {
    var found: [Name: ChangedFile] = [:]
    func add(
      _ components: [String]?, _ name: String, isAfter: Bool, _ content: ChangedFile.Content
    ) throws(CofferError) {
      guard let components else {
        throw invalid(
          name,
          "this is not a valid name for a file, at most \(CompanionFolder.maxLevels) folders deep")
      }
      let key = Name(components.joined(separator: "/"))
      var file = found[key] ?? ChangedFile(components: components)
      guard (isAfter ? file.after : file.before) == nil else {
        throw invalid(name, "the file is named twice")
      }
      if isAfter { file.after = content } else { file.before = content }
      found[key] = file
    }
    for entry in archive.file.index.entries where ExternalEntryName.isChange(entry.name) {
      let name = ExternalEntryName.change(of: entry.name)
      guard name?.isAfter != false || states.isReversible else {
        throw invalid(entry.name, "the changes lack the previous values")
      }
      try add(name?.components, entry.name, isAfter: name?.isAfter == true, .init(entry))
    }
    for name in states.removedFiles {
      try add(ExternalEntryName.components(of: name), name, isAfter: false, .init())
    }
    for file in states.filesElsewhere {
      try add(ExternalEntryName.components(of: file.name), file.name, isAfter: true, .init(file))
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private func invalid(_ name: String, _ detail: String) -> CofferError {
    CofferError(.damagedArchive, path: path, entry: name, detail: detail)
  }
}
