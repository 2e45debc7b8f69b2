package import CofferKit
internal import CoreDataModel
internal import Foundation
package import TestSupport

/// A store that went out to an archive and came back as a fresh store.
package struct RoundTrip {
  /// The folder of the archive and the copy, and of nothing else.
  package let folder: TemporaryDirectory
  package let source: String
  package let archive: String
  package let copy: String
  package let exported: ExportSummary
  package let imported: ImportSummary

  private let exporting: ExportOptions

  package init(
    of source: String, options: ImportOptions = ImportOptions(),
    exporting: ExportOptions = ExportOptions()
  ) throws {
    self.exporting = exporting
    folder = try TemporaryDirectory()
    self.source = source
    archive = folder.file("Store.coffer.tar.gz")
    copy = folder.file("Copy.sqlite")
    exported = try StoreExporter(options: exporting)
      .export(try PersistentStore(readingFrom: source), to: archive)
    imported = try StoreImporter(options: options).import(archive, to: copy)
  }

  /// The checks that an import makes too.
  private static let referenceChecks: Set<CheckName> = [.references, .pairs, .inverses]

  /// What the import found in references.
  package var referenceFindings: [Finding] {
    imported.findings.filter { Self.referenceChecks.contains($0.code.check) }
  }

  /// What a verification of the restored store finds in references.
  package func verifiedReferences() throws -> [Finding] {
    var options = VerificationOptions()
    options.checks = Self.referenceChecks
    return try Verification(of: copy, options: options).findings.filter {
      Self.referenceChecks.contains($0.code.check)
    }
  }

  /// What is not as it should be after a round trip of everything, in words.
  package func problems(comparer: StoreComparer = StoreComparer()) throws -> [String] {
    var found = try comparer.differences(source, copy)
    let first = try bytes(archive)
    if try export(source) != first { found.append("a second export of the source differs") }
    if try export(copy) != first {
      found.append("the export of the copy differs")
    } else {
      let content = try StoreExporter().contentDigest(of: PersistentStore(readingFrom: copy))
      if content != exported.contentDigest { found.append("the content of the copy differs") }
    }
    if imported.digest != exported.digest { found.append("the digests differ") }
    if imported.contentDigest != exported.contentDigest {
      found.append("the content digests differ")
    }
    if imported.content != exported.content { found.append("the counts differ") }
    return found + (try leftovers())
  }

  /// Files that should not be in the folder, in words.
  private func leftovers() throws -> [String] {
    let expected: Set = ["Store.coffer.tar.gz", "Copy.sqlite", ".Copy_SUPPORT"]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.filter { !expected.contains($0) }.sorted().map { "left over: \($0)" }
  }

  /// The bytes of another archive of a store.
  private func export(_ path: String) throws -> Data {
    let other = try TemporaryDirectory()
    let target = other.file("Other.coffer.tar.gz")
    try StoreExporter(options: exporting)
      .export(try PersistentStore(readingFrom: path), to: target)
    return try bytes(target)
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}

/// The sample store in a separate folder, with changes.
package struct SampleCopy {
  package let folder: TemporaryDirectory
  package let path: String

  /// Writes the sample and runs statements on it, separated by semicolons.
  package init(
    journal: SampleStoreBuilder.Journal = .wal, changedBy sql: String = "",
    _ name: String = "Todo.sqlite"
  ) throws {
    folder = try TemporaryDirectory()
    path = folder.file(name)
    try SampleStore.write(to: path, journal: journal)
    if !sql.isEmpty { try change(sql) }
  }

  /// Runs statements on the store, separated by semicolons.
  package func change(_ sql: String, _ values: [StoreValue]? = nil) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    if let values {
      try database.run(sql, values)
    } else {
      try database.run(sql)
    }
  }

  /// The rows of a query on a store.
  package static func rows(_ path: String, _ sql: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: path).rows(sql)
  }
}

/// The sample store and an archive of it.
package struct ExportedSample {
  package let folder: TemporaryDirectory
  package let store: String
  package let archive: String

  package init() throws {
    let sample = try SampleCopy()
    (folder, store) = (sample.folder, sample.path)
    archive = folder.file("Todo.coffer.tar.gz")
    try StoreExporter().export(PersistentStore(readingFrom: store), to: archive)
  }
}

/// The stable text of an error's code, or nil if it has none.
package func errorCode(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as CofferError {
    return error.code.text
  } catch {
    return "\(error)"
  }
}
