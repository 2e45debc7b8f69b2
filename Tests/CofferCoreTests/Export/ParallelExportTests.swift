internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// Exports with several connections: the same bytes, errors and leftovers as with one.
@Suite struct ParallelExportTests {
  /// Small parts in small ranges, for any store.
  private static let small = ExportDivision(
    rule: PartRule(averageBits: 8), rangeSize: 500, sizePerConnection: 1)

  /// Exports a store.
  ///
  /// - Returns: the bytes of the archive.
  private static func export(
    _ path: String, _ threads: Int, _ division: ExportDivision, in folder: TemporaryDirectory,
    access: StoreAccess = .copy, level: Int = 0,
    progress: any ProgressReporter = SilentProgress()
  ) throws -> Data {
    let archive = folder.file("Threads-\(threads).coffer.tar.gz")
    var options = ExportOptions(level: level, threads: threads)
    options.division = division
    let store = try PersistentStore(readingFrom: path, access: access)
    defer { store.close() }
    try StoreExporter(options: options, progress: progress)
      .export(store, to: .file(archive, overwriting: true))
    return try Data(contentsOf: URL(filePath: archive))
  }

  @Test func bytesOfEveryStoreDoNotDependOnTheNumberOfThreads() throws {
    var divided = 0
    for (number, store) in RealStores.any.enumerated() {
      let folder = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: folder)
      let one = try Self.export(path, 0, Self.small, in: folder)
      let threads = [2, 3, 8][number % 3]
      let several = try Self.export(
        path, threads, Self.small, in: folder, access: number % 2 == 0 ? .copy : .inPlace)
      #expect(several == one, "\(store.name) with \(threads) threads")
      divided += try Self.rangeCount(path, Self.small) > 2 * Self.tableCount(path) ? 1 : 0
    }
    #expect(divided >= (RealStores.isAvailable ? 10 : 1))
  }

  /// Parts that end by force, values in entries of their own in every part, more than a megabyte in one
  /// entry, pairs, and gaps between keys.
  @Test(arguments: [10, 17, 19] as [UInt64])
  func bytesOfLargeRowsDoNotDependOnTheNumberOfThreads(_ averageBits: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 3000
    options.blobs = .heavy
    options.blobBytes = 6 << 20
    options.journal = .delete
    try StoreMaker.write(to: path, options)
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    for statement in [
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = zeroblob(4500000) WHERE Z_PK IN (7, 90, 91, 300)",
      "UPDATE ZITEMENTITY SET ZTITLE = hex(zeroblob(2200000)) WHERE Z_PK IN (50, 1000)",
      "UPDATE ZITEMENTITY SET ZTITLE = hex(zeroblob(700000)) WHERE Z_PK IN (60, 61, 900)",
      "DELETE FROM ZITEMENTITY WHERE Z_PK BETWEEN 200 AND 700",
    ] { try database.run(statement) }
    let division = ExportDivision(
      rule: PartRule(averageBits: averageBits), rangeSize: 3 << averageBits, sizePerConnection: 1)
    #expect(try Self.rangeCount(path, division) > 8)
    let one = try Self.export(path, 1, division, in: folder)
    for threads in [3, 8] {
      #expect(try Self.export(path, threads, division, in: folder) == one)
    }
    let imported = folder.file("Copy.sqlite")
    _ = try StoreImporter().import(folder.file("Threads-8.coffer.tar.gz"), to: imported)
    #expect(try StoreComparer.differences(path, imported) == [])
  }

  @Test func aLargeStoreIsDividedAndComesBackTheSame() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 40_000
    try StoreMaker.write(to: path, options)
    #expect(try Self.rangeCount(path, ExportDivision()) > 12)
    let recorder = ProgressRecorder()
    let one = try Self.export(path, 1, ExportDivision(), in: folder, level: 1)
    let four = try Self.export(path, 4, ExportDivision(), in: folder, level: 1, progress: recorder)
    #expect(one == four)
    let counts = recorder.reports.filter { $0.phase == .objects }.map(\.completed)
    #expect(counts == counts.sorted() && counts.last == 40_000 && counts.count > 10)
  }

  private static func tableCount(_ path: String) throws -> Int {
    StoreTables(try PersistentStore(readingFrom: path)).sources.count
  }

  /// The ranges that a store is divided into.
  private static func rangeCount(_ path: String, _ division: ExportDivision) throws -> Int {
    let store = try PersistentStore(readingFrom: path)
    let tables = StoreTables(store)
    return try store.use { database in
      var count = 0
      for source in tables.sources {
        var planner = try RangePlanner(
          source, entities: tables.entities, database: database, division: division)
        while try planner.next() != nil { count += 1 }
      }
      return count
    }
  }

  @Test func rangesCoverATableWithoutGaps() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Some.sqlite")
    try StoreMaker.write(to: path, GeneratorOptions())
    let store = try PersistentStore(readingFrom: path)
    let tables = StoreTables(store)
    try store.use { database in
      for source in tables.sources where [.entity, .relationship].contains(source.shape.kind) {
        var planner = try RangePlanner(
          source, entities: tables.entities, database: database, division: Self.small)
        var ranges: [RowRange] = []
        while let range = try planner.next() { ranges.append(range) }
        #expect(ranges.first?.before == nil && ranges.last?.last == nil)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.last == $1.before })
        #expect(ranges.count > 2, "\(source.shape.storedName)")
      }
    }
  }

  // MARK: What goes wrong

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func aDamagedStoreGivesTheErrorOfOneThreadAndLeavesNothingBehind(_ seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Damaged.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 4000
    options.journal = .delete
    try StoreMaker.write(to: path, options)
    let map = try PageMap(path)
    var random = SeededGenerator(seed: seed)
    // Several damaged leaves of two tables: the first in order decides.
    for table in ["ZITEMENTITY", "ZATTACHMENTENTITY"] {
      for leaf in map.pages(of: table, .tableLeaf).dropFirst(3).shuffled(using: &random).prefix(2) {
        let damage: PageDamage =
          seed % 2 == 0 ? .zeros(leaf.number) : .noise(leaf.number, seed: seed)
        try damage.apply(to: path, pageSize: map.pageSize)
      }
    }
    let errors = [0, 4].map { threads in
      #expect(throws: CofferError.self) {
        try Self.export(path, threads, Self.small, in: folder)
      }
    }
    #expect(errors[0]?.code == .damagedStore)
    #expect(errors[0]?.code == errors[1]?.code)
    #expect(errors[0]?.place.item == errors[1]?.place.item)
    #expect(try folder.contents() == ["Damaged.sqlite"])
  }

  /// Whatever happens to the inner pages of a table, rows are either all there or it is an error.
  @Test func aTreeInWhichSearchAndScanDisagreeLosesNothing() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Sound.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 3000
    options.journal = .delete
    try StoreMaker.write(to: path, options)
    let map = try PageMap(path)
    let inner = map.pages(of: "ZITEMENTITY", .tableInterior).map(\.number)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let damaged = folder.file("Damaged.sqlite")
    var random = SeededGenerator(seed: 1)
    var refused = 0
    for _ in 0..<Effort.tries(16) {
      var changed = bytes
      let page = try #require(inner.randomElement(using: &random))
      let place = (page - 1) * map.pageSize + 12 + random.below(map.pageSize - 12)
      changed[place] = UInt8(random.below(256))
      try changed.write(to: URL(filePath: damaged))
      let one = Result { try Self.export(damaged, 0, Self.small, in: folder) }
      let four = Result { try Self.export(damaged, 4, Self.small, in: folder) }
      guard let several = try? four.get() else {
        refused += 1
        continue
      }
      #expect(try several == one.get())
    }
    #expect(refused > 1)
  }

  @Test func anArchiveThatCannotBeWrittenEndsAllThreads() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Some.sqlite")
    try StoreMaker.write(to: path, GeneratorOptions())
    let store = try PersistentStore(readingFrom: path)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    var options = ExportOptions(level: 0, threads: 4)
    options.division = Self.small
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let error = #expect(throws: CofferError.self) {
      try StoreExporter(options: options).export(store, to: .fileDescriptor(descriptor))
    }
    #expect(error?.code == .outputClosed)
    #expect(try store.use { try $0.value("SELECT count(*) FROM ZITEMENTITY")?.integer ?? 0 } > 0)
  }

  /// Cancels the task from within, once rows were written.
  private final class Canceller: ProgressReporter {
    func report(_ progress: WorkProgress) {
      if progress.phase == .objects, progress.completed > 100 {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
  }

  @Test func cancellationEndsAllThreadsAndLeavesNothingBehind() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Some.sqlite")
    try StoreMaker.write(to: path, GeneratorOptions())
    let names = try folder.contents()
    let work = Task {
      _ = try Self.export(path, 4, Self.small, in: folder, progress: Canceller())
    }
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try folder.contents() == names)
  }
}
