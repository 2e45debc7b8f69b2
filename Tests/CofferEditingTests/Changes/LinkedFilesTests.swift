internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A link among the external files of a store hides files: no command writes a store, or changes, that lack
/// them, and those that read say so.
@Suite struct LinkedFilesTests {
  /// A command that writes a store.
  enum Command: CaseIterable {
    case merge, mergeOther, apply, dedupe, repair, compact, rescue, migrate, restore
    case changesTo, changesFrom

    func run(_ store: String, _ samples: SampleSources) throws {
      let directory = samples.directory
      let new = directory.file("New.sqlite")
      switch self {
      case .merge:
        try StoreMerger().merge(samples.sample, into: store, base: samples.sample)
      case .mergeOther:
        let into = try samples.copy(named: "Into")
        try StoreMerger().merge(store, into: into, base: samples.sample)
      case .apply:
        let changes = directory.file("Day.tar.gz")
        let other = try samples.copy(
          named: "Changed", changing: ["UPDATE ZTAGENTITY SET ZCOLOR = 5 WHERE Z_PK = 1"])
        try StoreComparison().writeChanges(from: samples.sample, to: other, at: .file(changes))
        try ChangesApplier().apply(changes, to: store)
      case .changesTo, .changesFrom:
        let states = self == .changesTo ? (samples.sample, store) : (store, samples.sample)
        try StoreComparison().writeChanges(
          from: states.0, to: states.1, at: .file(directory.file("Day.tar.gz")))
      case .dedupe: try StoreDeduplicator().deduplicate(store)
      case .repair: try StoreRepairer().repair(store)
      case .compact: try StoreCompactor().compact(store)
      case .rescue: try StoreRescuer().rescue(store, to: new)
      case .migrate: try StoreMigrator().migrate(store, to: samples.sample, at: new)
      case .restore:
        let archive = directory.file("Backup.tar.gz")
        try StoreExporter().export(storeAt: samples.sample, to: archive)
        var options = ImportOptions()
        options.overwriting = true
        try StoreImporter(options: options).import(archive, to: store)
      }
    }
  }

  @Test(arguments: Command.allCases) func aLinkedFolderIsRefused(_ command: Command) throws {
    for part in ["", "/_EXTERNAL_DATA"] {
      let samples = try SampleSources()
      let store = try samples.copy(named: "Linked")
      let folder = "\(samples.directory.path)/.Linked_SUPPORT\(part)"
      let elsewhere = samples.directory.file("Elsewhere")
      try FileManager.default.moveItem(atPath: folder, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: elsewhere)
      let before = try FileManager.default.subpathsOfDirectory(atPath: elsewhere).sorted()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      let error = #expect(throws: CofferError.self, "\(part)") {
        try command.run(store, samples)
      }
      #expect(error?.code == .refused, "\(part): \(String(describing: error))")
      #expect(error?.detail.contains("symbolic link") == true, "\(part)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: elsewhere).sorted() == before)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder) == elsewhere)
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    }
  }

  @Test func whatReadsNamesTheLink() throws {
    let samples = try SampleSources()
    let store = try samples.copy(named: "Linked") { files in
      let elsewhere = samples.directory.file("Elsewhere")
      try FileManager.default.moveItem(atPath: files.externalDataFolder, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: files.externalDataFolder, withDestinationPath: elsewhere)
    }
    let summary = try StoreComparison().compare(samples.sample, store) { _ in }
    #expect(summary.firstScreen == nil)
    #expect(summary.secondScreen == "_EXTERNAL_DATA: it is a symbolic link")
    var verified: [String] = []
    try Verifier().verify(store) { verified.append($0.description) }
    let exported = try StoreExporter().export(
      storeAt: store, to: samples.directory.file("Linked.tar.gz"))
    for findings in [verified, exported.findings.map(\.description)] {
      let missing = findings.filter { $0.contains("was not found") }
      #expect(missing.count == 2)
      #expect(
        missing.allSatisfy {
          $0.contains("_EXTERNAL_DATA is a symbolic link, which is not followed")
        })
      #expect(
        findings.contains { $0.hasSuffix("left out (_EXTERNAL_DATA: it is a symbolic link)") })
    }
  }

  @Test func foldersBelowTooManyOthersAreNamed() throws {
    let samples = try SampleSources()
    let store = try samples.copy(named: "Deep") { files in
      let deep = files.supportFolder + String(repeating: "/a", count: 9)
      try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(deep)/b"))
    }
    let sentence = "a/a/a/a/a/a/a/a/a: it is below more than 8 folders"
    let summary = try StoreComparison().compare(store, samples.sample) { _ in }
    #expect(summary.firstScreen == sentence)
    let exported = try StoreExporter().export(
      storeAt: store, to: samples.directory.file("Deep.tar.gz"))
    #expect(exported.findings.map(\.detail) == [sentence])
    let error = #expect(throws: CofferError.self) {
      try StoreComparison().writeChanges(
        from: samples.sample, to: store, at: .file(samples.directory.file("Day.tar.gz")))
    }
    #expect(error?.code == .refused)
  }

  /// Deeper folders are not read, so nothing may write there either.
  @Test(arguments: [8, 9, 20, 300]) func filesBelowTooManyFoldersAreRefused(_ levels: Int) throws {
    let samples = try SampleSources()
    let changes = samples.directory.file("Deep.tar.gz")
    let other = try samples.copy(named: "Other") { files in
      let folder = "\(files.supportFolder)/a"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/b"))
    }
    try StoreComparison().writeChanges(from: samples.sample, to: other, at: .file(changes))
    var archive = try ArchiveRewriter(changes)
    let position = try archive.position(of: "after/support/a/b")
    try archive.remove("after/support/a/b")
    let path = Array(repeating: "a", count: levels).joined(separator: "/")
    try archive.insert(.init("after/support/\(path)/b", text: "x"), at: position)
    try archive.changeText(of: "changes.json") { text in
      // What the file no longer leads to.
      text = text.replacing(#/"digest" ?: ?"[0-9a-f]*",?/#, with: "")
    }
    try archive.write(to: changes)
    let store = try samples.copy(named: "Store")
    let names = try samples.directory.contents()
    guard levels > 8 else {
      try StoreChanges(changes).verify()
      try ChangesApplier().apply(changes, to: store)
      let file = "\(StoreFiles(store).supportFolder)/\(path)/b"
      #expect(FileManager.default.fileExists(atPath: file))
      return
    }
    let uses: [() throws -> Void] = [
      { try StoreChanges(changes).verify() }, { try ChangesApplier().apply(changes, to: store) },
    ]
    for use in uses {
      let error = #expect(throws: CofferError.self) { try use() }
      #expect(error?.code == .damagedArchive)
      #expect(try samples.directory.contents() == names)
    }
  }
}
