internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// A file of the support folder in the last state of a chain.
struct ChainFile {
  /// The place of its bytes.
  enum Source {
    case full(ArchiveIndex.Entry)
    case changes(ChangesFile, ArchiveIndex.Entry)
    case elsewhere(ArchiveDigest)
  }

  /// Its name, with its folders.
  let components: [String]
  let size: Int
  let source: Source

  var digest: ArchiveDigest {
    switch source {
    case .full(let entry), .changes(_, let entry): entry.digest
    case .elsewhere(let digest): digest
    }
  }

  /// All files, in the order of an archive; throws `wrong-state` if the changes do not follow each other.
  static func all(
    of full: OpenArchive, _ changes: ChangesConcatenation?
  ) throws(CofferError) -> [ChainFile] {
    var files: [ChainFile] = []
    var changed: [Name: ChangesConcatenation.JoinedFile] = [:]
    for change in try changes?.joinedFiles() ?? [] { changed[change.file.name] = change }
    func add(_ change: ChangesConcatenation.JoinedFile) {
      guard let after = change.file.after, let changes else { return }
      let components = change.file.components
      if let entry = after.entry {
        let source = Source.changes(changes.file(change.after), entry)
        files.append(ChainFile(components: components, size: entry.size, source: source))
      } else if let digest = after.digest {
        files.append(
          ChainFile(components: components, size: after.size ?? 0, source: .elsewhere(digest)))
      }
    }
    func wrong(
      _ change: ChangesConcatenation.JoinedFile, _ detail: String
    ) -> CofferError {
      CofferError(.wrongState, path: full.path, item: change.file.name.text, detail: detail)
    }
    for (components, entry) in full.files {
      let change = changed.removeValue(
        forKey: Name(components.joined(separator: "/")))
      guard let change else {
        files.append(ChainFile(components: components, size: entry.size, source: .full(entry)))
        continue
      }
      if change.file.before == nil { throw wrong(change, "it exists, but the changes add it") }
      add(change)
    }
    for change in changed.values {
      if change.file.before != nil {
        throw wrong(change, "it does not exist, but the changes begin with it")
      }
      add(change)
    }
    files.sort { left, right in
      left.components.lexicographicallyPrecedes(right.components) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
    return files
  }

  /// Reads its bytes in pieces.
  ///
  /// - Throws: ``CofferError`` if they cannot be read, or differ from their digest; errors from the closure.
  func read(
    in full: OpenArchive, _ readFile: BackupChain.FileReader?,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch source {
    case .full(let entry): try unsafe full.file.readPieces(of: entry.name, body)
    case .changes(let file, let entry):
      try unsafe file.archive.file.readPieces(of: entry.name, body)
    case .elsewhere(let digest):
      let name = ExternalEntryName.entry(for: components)
      guard let readFile else {
        throw CofferError(
          .missingEntry, path: full.path, entry: name,
          detail: "its content is stored outside of the changes, with the digest \(digest)")
      }
      var hasher = ContentHasher()
      try readFile(digest.hex) { piece in
        try unsafe piece.withUnsafeBytes {
          unsafe hasher.update($0)
          try unsafe body($0)
        }
      }
      guard hasher.digest == digest else {
        throw CofferError(
          .damagedArchive, path: full.path, entry: name,
          detail: "the file with its content does not have the digest \(digest)")
      }
    }
  }
}
