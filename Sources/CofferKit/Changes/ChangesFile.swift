internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// An open file of changes, whose tables can be read in any order.
struct ChangesFile {
  let archive: OpenArchive
  var states: ChangesDocument
  /// Whether it is read backwards: the state after the changes becomes the one before them.
  var isReversed: Bool

  /// Opens a file of changes.
  ///
  /// - Throws: the errors of ``OpenArchive``; ``CofferError`` with `damaged-archive` if the
  ///   description of the two states is missing or invalid.
  init(path: String, access: ArchiveAccess, isReversed: Bool = false) throws(CofferError) {
    let archive = try OpenArchive(path: path, access: access, kind: .changes)
    guard archive.file.index[ArchiveEntryName.changes] != nil else {
      throw CofferError(
        .damagedArchive, path: path, entry: ArchiveEntryName.changes,
        detail: "the entry is missing")
    }
    let value = try ArchiveDocuments.value(
      of: archive.file.read(ArchiveEntryName.changes, limit: .documentSize),
      ArchiveEntryName.changes, path: path, limits: archive.file.limits)
    do throws(DocumentError) {
      states = try ChangesDocument(value)
    } catch {
      throw error.archiveError(path: path)
    }
    self.archive = archive
    self.isReversed = isReversed
    for entry in archive.file.index.entries
    where ExternalEntryName.isChange(entry.name) && ExternalEntryName.change(of: entry.name) == nil
    {
      throw CofferError(
        .damagedArchive, path: path, entry: entry.name,
        detail: "this is not a valid name for an external file")
    }
  }

  var path: String { archive.path }
  var documents: ArchiveDocuments { archive.documents }
  /// The state that the changes begin with, as they are read.
  var before: ChangesDocument.State { isReversed ? states.after : states.before }
  /// The state that they lead to, as they are read.
  var after: ChangesDocument.State { isReversed ? states.before : states.after }

  /// The files of the support folder that the changes add, remove or replace, in ascending order.
  var files: [ChangedFile] {
    var found: [ExactString: ChangedFile] = [:]
    for entry in archive.file.index.entries {
      guard let (components, isAfter) = ExternalEntryName.change(of: entry.name) else { continue }
      let name = ExactString(components.joined(separator: "/"))
      var file = found[name] ?? ChangedFile(components: components)
      if isAfter != isReversed { file.after = entry } else { file.before = entry }
      found[name] = file
    }
    return found.sorted { codeUnitsAscend($0.key.text, $1.key.text) }.map(\.value)
  }

  /// Passes the changes of a table to a handler, as if its rows before and after had been compared.
  ///
  /// - Throws: ``CofferError`` if the file is damaged; errors from the handler;
  ///   `CancellationError`.
  func read(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    let changes = ChangeCursor(shape, of: self)
    while let word = try changes.next() {
      switch word {
      case .insert: try handler.add(changes.after)
      case .delete: try handler.remove(changes.before)
      case .update: try handler.compare(changes.before, changes.after)
      }
    }
    try handler.finish()
  }
}

extension ChangesFile {
  /// Writes the changes, as they are read, to another file.
  ///
  /// - Throws: errors from reading the changes, and of ``ArchiveWriter``.
  func write(to target: ArchiveTarget, _ options: ChangesOptions) throws -> ChangesSummary {
    try ChangesOutput.write(
      to: target, ChangesDescription(documents), ChangesDocument(before: before, after: after),
      options
    ) { output, summary in
      for shape in documents.layout.tables {
        var handler = CountingHandler(output.table(shape), shape)
        try read(shape, &handler)
        summary.add(handler.counts, of: shape, documents.layout.entities)
      }
      for file in files {
        try output.copy(file, before: self, after: self)
        summary.add(file)
      }
    }
  }
}

/// A file of the support folder that differs between two states.
struct ChangedFile {
  /// The path from the support folder, its components in order.
  let components: [String]
  /// The entry with the file before the changes; nil if there is no such file.
  var before: ArchiveIndex.Entry?
  /// The entry with the file after the changes; nil if there is no such file.
  var after: ArchiveIndex.Entry?

  /// How it changes.
  var kind: ChangeKind { ChangeKind(from: before, to: after) }

  /// The path from the support folder.
  var name: ExactString { ExactString(components.joined(separator: "/")) }

  init(components: [String]) { self.components = components }
}
