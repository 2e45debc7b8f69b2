import CofferKit
internal import Foundation
// Only the imports of an app.
internal import LibrarySupport
internal import Synchronization
internal import TestSupport
import Testing

/// An entry point that is awaited does what the work it awaits does.
@Suite struct EntryPointTests {
  private let sample: ExportedSample
  private var folder: TemporaryDirectory { sample.folder }
  private var store: String { sample.store }
  private var archive: String { sample.archive }

  init() throws { sample = try ExportedSample() }

  /// Lets an asynchronous test call the synchronous form.
  private func called<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }

  /// Collects the values that a receiver gets.
  private final class Collector<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    @Sendable func add(_ element: Element) { elements.withLock { $0.append(element) } }
  }

  @Test func storesAreExportedByPath() async throws {
    let paths = (folder.file("1"), folder.file("2"))
    let first = try called { try StoreExporter().export(storeAt: store, to: paths.0) }
    let second = try await StoreExporter().export(storeAt: store, to: paths.1)
    #expect(first.digest == second.digest)
  }

  @Test func storesAreExportedByPathToTargets() async throws {
    let target = ArchiveTarget.file(archive, overwriting: true)
    let first = try called { try StoreExporter().export(storeAt: store, to: target) }
    let second = try await StoreExporter().export(storeAt: store, to: target)
    #expect(first.digest == second.digest)
  }

  @Test func openStoresAreExported() async throws {
    let open = try PersistentStore(readingFrom: store)
    let paths = (folder.file("1"), folder.file("2"))
    let first = try called { try StoreExporter().export(open, to: paths.0) }
    let second = try await StoreExporter().export(open, to: paths.1)
    #expect(first.digest == second.digest)
  }

  @Test func openStoresAreExportedToTargets() async throws {
    let open = try PersistentStore(readingFrom: store)
    let target = ArchiveTarget.file(archive, overwriting: true)
    let first = try called { try StoreExporter().export(open, to: target) }
    let second = try await StoreExporter().export(open, to: target)
    #expect(first.digest == second.digest)
  }

  @Test func archivesAreImported() async throws {
    let paths = (folder.file("1.sqlite"), folder.file("2.sqlite"))
    let first = try called { try StoreImporter().import(archive, to: paths.0) }
    let second = try await StoreImporter().import(archive, to: paths.1)
    #expect(first.digest == second.digest)
  }

  @Test func archivesAreImportedFromDescriptors() async throws {
    let files = try (reading(archive), reading(archive))
    let paths = (folder.file("1.sqlite"), folder.file("2.sqlite"))
    let first = try called {
      try StoreImporter().import(fileDescriptor: files.0.fileDescriptor, to: paths.0)
    }
    let second = try await StoreImporter()
      .import(fileDescriptor: files.1.fileDescriptor, to: paths.1)
    #expect(first.digest == second.digest)
  }

  @Test func filesAreVerified() async throws {
    let findings = (Collector<Finding>(), Collector<Finding>())
    let first = try called { try Verifier().verify(archive, onFinding: findings.0.add) }
    #expect(try await Verifier().verify(archive, onFinding: findings.1.add) == first)
    #expect(findings.0.all == findings.1.all)
  }

  @Test func findingsAndDifferencesAreSequences() async throws {
    let (findings, differences) = (Collector<Finding>(), Collector<Difference>())
    try await Verifier().verify(store, onFinding: findings.add)
    try await StoreComparison().compare(store, archive, onDifference: differences.add)
    var (found, differing): ([Finding], [Difference]) = ([], [])
    for try await finding in Verifier().findings(in: store) { found.append(finding) }
    for try await difference in StoreComparison().differences(between: store, and: archive) {
      differing.append(difference)
    }
    #expect(found == findings.all)
    #expect(differing == differences.all)
  }

  @Test func openStoresAreVerified() async throws {
    let open = try PersistentStore(readingFrom: store)
    let findings = (Collector<Finding>(), Collector<Finding>())
    let first = try called { try Verifier().verify(open, onFinding: findings.0.add) }
    #expect(try await Verifier().verify(open, onFinding: findings.1.add) == first)
    #expect(findings.0.all == findings.1.all)
  }

  @Test func archivesAreVerifiedFromDescriptors() async throws {
    let files = try (reading(archive), reading(archive))
    let findings = (Collector<Finding>(), Collector<Finding>())
    let first = try called {
      try Verifier().verify(fileDescriptor: files.0.fileDescriptor, onFinding: findings.0.add)
    }
    let second = try await Verifier()
      .verify(fileDescriptor: files.1.fileDescriptor, onFinding: findings.1.add)
    #expect(first == second)
    #expect(findings.0.all == findings.1.all)
  }

  @Test func filesAreVerifiedAgainstOthers() async throws {
    let findings = (Collector<Finding>(), Collector<Finding>())
    let first = try called {
      try Verifier().verify(store, against: archive, onFinding: findings.0.add)
    }
    let second = try await Verifier().verify(store, against: archive, onFinding: findings.1.add)
    #expect(first == second)
    #expect(findings.0.all == findings.1.all)
  }

  @Test func filesAreCompared() async throws {
    let differences = (Collector<Difference>(), Collector<Difference>())
    let first = try called {
      try StoreComparison().compare(store, archive, onDifference: differences.0.add)
    }
    let second = try await StoreComparison()
      .compare(store, archive, onDifference: differences.1.add)
    #expect(first == second)
    #expect(differences.0.all.count == differences.1.all.count)
  }

  @Test func migrationsArePlanned() async throws {
    let first = try called { try StoreMigrator().plan(store, to: archive) }
    let second = try await StoreMigrator().plan(store, to: archive)
    #expect(first.steps.map(\.newName) == second.steps.map(\.newName))
    #expect(first.isPossible && second.isPossible)
  }

  @Test func storesAreMigrated() async throws {
    let paths = (folder.file("1.sqlite"), folder.file("2.sqlite"))
    let first = try called { try StoreMigrator().migrate(store, to: archive, at: paths.0) }
    let second = try await StoreMigrator().migrate(store, to: archive, at: paths.1)
    #expect(first.objectCount == second.objectCount)
    #expect(first.pairCount == second.pairCount)
  }

  @Test func storesAreCreated() async throws {
    let paths = (folder.file("1.sqlite"), folder.file("2.sqlite"))
    let first = try called { try StoreCreator().create(store, at: paths.0) }
    let second = try await StoreCreator().create(store, at: paths.1)
    #expect(first.tableCount == second.tableCount)
  }

  @Test func filesAreInspected() async throws {
    let first = try called { try StoreInspector().inspect(archive) }
    let second = try await StoreInspector().inspect(archive)
    #expect(first.objectCount == second.objectCount)
    #expect(first.entities.map(\.name) == second.entities.map(\.name))
  }

  @Test func filesAreReportedOn() async throws {
    let first = try called { try StoreReporter().report(on: archive) }
    let second = try await StoreReporter().report(on: archive)
    #expect(first.html() == second.html())
  }

  @Test func storesAreFound() async throws {
    let stores = (Collector<FoundStore>(), Collector<FoundStore>())
    let first = try called { try StoreFinder().find(in: folder.path, onStore: stores.0.add) }
    #expect(try await StoreFinder().find(in: folder.path, onStore: stores.1.add) == first)
    #expect(stores.0.all.map(\.path) == stores.1.all.map(\.path))
  }

  @Test func objectsAreExportedForOtherPrograms() async throws {
    let exporter = DataExporter(options: DataExportOptions(format: .csv))
    let paths = (folder.file("1"), folder.file("2"))
    let first = try called { try exporter.write(store, to: paths.0) }
    var second = try await exporter.write(store, to: paths.1)
    second.folder = first.folder
    #expect(second == first)
  }

  @Test func modelsAreRead() async throws {
    let first = try called { try ModelLoader.model(from: store) }
    #expect(try await ModelLoader.model(from: store) == first)
  }

  @Test func modelsAreLoadedWithTheirHashes() async throws {
    let first = try called { try ModelLoader.load(from: archive) }
    #expect(try await ModelLoader.load(from: archive) == first)
  }

  private func reading(_ path: String) throws -> FileHandle {
    try #require(FileHandle(forReadingAtPath: path))
  }
}
