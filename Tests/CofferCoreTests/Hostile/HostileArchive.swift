internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// An archive of the sample store, changed by an attacker, with a repaired container.
struct HostileArchive: Sendable, CustomStringConvertible {
  /// The name, for the report of a test.
  let description: String
  /// The error code of an import.
  let code: String
  /// What the import's message must contain, such as the name of the entry.
  let part: String
  /// The change.
  let change: @Sendable (inout ArchiveRewriter) throws -> Void

  init(
    _ name: String, _ code: String = "damaged-archive", _ part: String = "",
    _ change: @escaping @Sendable (inout ArchiveRewriter) throws -> Void
  ) {
    description = name
    self.code = code
    self.part = part
    self.change = change
  }

  /// A text of an entry with the first occurrence of another in its place.
  init(
    _ name: String, _ code: String = "damaged-archive", _ part: String = "", in entry: String,
    _ old: String, _ new: String
  ) {
    self.init(name, code, part) { archive in
      let position = try archive.position(of: entry)
      let range = try #require(archive.entries[position].text.range(of: old), "\(name): \(old)")
      archive.entries[position].text.replaceSubrange(range, with: new)
    }
  }

  /// A line added to the tags, or another table.
  init(
    _ name: String, line: String, _ code: String = "damaged-archive", _ part: String = "line ",
    of entry: String = HostileArchive.tags
  ) {
    self.init(name, code, part) { archive in
      try archive.changeLines(of: entry) { $0.append(line) }
    }
  }

  static let tags = "entities/TagEntity/00000.ndjson"
  static let schema = "store/schema.json"
  static let layout = "store/layout.json"

  /// The archive before it is changed.
  private static let original = Result {
    let sample = try SampleCopy()
    let path = sample.folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: path)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// A folder with an archive of the sample store in a folder below it.
  static func archive() throws -> (folder: TemporaryDirectory, path: String) {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("inner"), withIntermediateDirectories: false)
    return (folder, try folder.write(try original.get(), to: "inner/Store.coffer.tar.gz"))
  }

  /// The error of an import of the changed archive, from its file or through a descriptor.
  ///
  /// Expects that nothing exists afterwards except the archive, in its folder and next to it.
  static func refusal(
    of path: String, in folder: TemporaryDirectory, piped: Bool, limits: ArchiveLimits = .standard
  ) throws -> (CofferError)? {
    var options = ImportOptions()
    options.environment.limits = limits
    let importer = StoreImporter(options: options)
    let target = folder.file("inner/Copy.sqlite")
    defer {
      let left = try? folder.contents()
      let name = String(path.dropFirst(folder.path.utf8.count + 1))
      #expect(left == ["inner/", name])
    }
    do {
      if piped {
        let file = try #require(FileHandle(forReadingAtPath: path))
        defer { try? file.close() }
        try importer.import(fileDescriptor: file.fileDescriptor, to: target)
      } else {
        try importer.import(path, to: target)
      }
      return nil
    } catch let error as CofferError {
      return error
    }
  }
}
