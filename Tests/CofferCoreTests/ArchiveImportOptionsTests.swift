internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import Synchronization
internal import TestSupport
internal import Testing

/// The choices that a person makes about a restored store, and files at its path.
@Suite struct ArchiveImportOptionsTests {
  /// The tables of CloudKit mirroring, as far as they matter here.
  static let cloudKit = """
    CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZENTITYID INTEGER, ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR);
    CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
    INSERT INTO ANSCKRECORDMETADATA VALUES (1, 16010, 1, 9, 1, 'record'), (2, 16010, 1, 9, 2, 'two');
    INSERT INTO ANSCKEVENT VALUES (1, 16011, 1);
    INSERT INTO Z_PRIMARYKEY VALUES (16010, 'NSCKRecordMetadata', 0, 2), (16011, 'NSCKEvent', 0, 1)
    """

  @Test func everythingIsKeptUnlessAskedFor() throws {
    let sample = try SampleCopy(changedBy: Self.cloudKit)
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  @Test func historyCanBeDropped() throws {
    let sample = try SampleCopy(changedBy: Self.cloudKit)
    let trip = try RoundTrip(of: sample.path, options: ImportOptions(history: .drop))
    var comparer = StoreComparer()
    comparer.ignoredTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    #expect(try comparer.differences(sample.path, trip.copy) == [])
    for table in comparer.ignoredTables {
      #expect(try SampleCopy.rows(trip.copy, "SELECT count(*) FROM \(table)") == [[0]])
      #expect(try SampleCopy.rows(sample.path, "SELECT count(*) FROM \(table)") != [[0]])
    }
  }

  @Test func cloudKitCanBeDropped() throws {
    let sample = try SampleCopy(changedBy: Self.cloudKit)
    let trip = try RoundTrip(of: sample.path, options: ImportOptions(cloudKit: .drop))
    var comparer = StoreComparer()
    comparer.ignoredTables = ["ANSCKRECORDMETADATA", "ANSCKEVENT"]
    #expect(try comparer.differences(sample.path, trip.copy) == [])
    for table in comparer.ignoredTables {
      #expect(try SampleCopy.rows(trip.copy, "SELECT count(*) FROM \(table)") == [[0]])
    }
  }

  @Test func theMetadataOfICloudGoWithTheRest() throws {
    let sample = try SampleCopy()
    let plist = try PersistentStore(readingFrom: sample.path).metadata.propertyList
    let old = try PropertyListValue.parse(plist).entries ?? []
    let token = "com.apple.coredata.ubiquity.token"
    let own = PropertyListValue.Entry("app.ubiquityNote", .string("mine"))
    let list = BinaryPlistWriter.write(
      .dictionary(old + [.init(token, .data([1])), own]))
    let hex = list.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    try GeneratorDatabase(path: sample.path).run("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
    func keys(_ options: ImportOptions) throws -> Set<String> {
      let trip = try RoundTrip(of: sample.path, options: options)
      let copy = try PersistentStore(readingFrom: trip.copy).metadata
      return Set(try PropertyListValue.parse(copy.propertyList).entries?.map(\.key) ?? [])
    }
    let all = Set(old.map(\.key)).union([token, own.key])
    #expect(try keys(ImportOptions()) == all)
    #expect(try keys(ImportOptions(cloudKit: .drop)) == all.subtracting([token]))
  }

  @Test func aNewUUIDReplacesTheOldOne() throws {
    let sample = try SampleCopy(changedBy: Self.cloudKit)
    let options = ImportOptions(storeUUID: .new, history: .drop, cloudKit: .drop)
    let trip = try RoundTrip(of: sample.path, options: options)
    let (old, new) = (
      try PersistentStore(readingFrom: sample.path).uuid,
      try PersistentStore(readingFrom: trip.copy).uuid
    )
    #expect(new != nil && new != old)
    #expect(trip.imported.storeUUID == new)
    #expect(new.flatMap { UUID(uuidString: $0) }?.uuidString == new)
    let plist = "SELECT Z_VERSION, Z_PLIST FROM Z_METADATA"
    #expect(try SampleCopy.rows(trip.copy, plist) == SampleCopy.rows(sample.path, plist))
    var comparer = StoreComparer()
    comparer.ignoredTables = [
      "Z_METADATA", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ANSCKRECORDMETADATA",
      "ANSCKEVENT",
    ]
    #expect(try comparer.differences(sample.path, trip.copy) == [])
    let again = try RoundTrip(of: sample.path, options: options)
    #expect(again.imported.storeUUID != new)
  }

  @Test(arguments: [
    ImportOptions(storeUUID: .new), ImportOptions(storeUUID: .new, history: .drop),
    ImportOptions(storeUUID: .new, cloudKit: .drop),
  ])
  func choicesThatExcludeEachOtherLeaveNothing(_ options: ImportOptions) throws {
    let sample = try SampleCopy(changedBy: Self.cloudKit)
    let folder = try Self.archive(of: sample)
    let error = #expect(throws: CofferError.self) {
      try StoreImporter(options: options)
        .import(folder.file("Store.coffer.tar.gz"), to: folder.file("Copy.sqlite"))
    }
    #expect(error?.code == .incompatibleChoices)
    #expect(error?.hint != nil)
    #expect(try folder.contents() == ["Store.coffer.tar.gz"])
  }

  @Test(arguments: [
    "Copy.sqlite", "Copy.sqlite-wal", "Copy.sqlite-shm", "Copy.sqlite-journal",
    ".Copy_SUPPORT/_EXTERNAL_DATA/ORPHAN",
  ])
  func whatIsThereIsNotReplacedUnlessAskedFor(_ name: String) throws {
    let folder = try Self.archive(of: try SampleCopy())
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: folder.file(name)).deletingLastPathComponent(),
      withIntermediateDirectories: true)
    _ = try folder.write([1, 2, 3], to: name)
    let before = try FolderState(of: folder.path)
    #expect(Self.importError(in: folder) == "output-exists")
    #expect(try FolderState(of: folder.path) == before)
    #expect(Self.importError(in: folder, ImportOptions(overwriting: true)) == nil)
    #expect(try folder.contents().filter { $0.hasPrefix("Copy") } == ["Copy.sqlite"])
    #expect(StoreFiles(folder.file("Copy.sqlite")).externalFileNames.count == 2)
  }

  @Test func aStoreIsReplacedWithAllThatBelongsToIt() throws {
    let sample = try SampleCopy()
    let folder = try Self.archive(of: sample)
    let target = folder.file("Copy.sqlite")
    let other = try SampleCopy(changedBy: "DELETE FROM ZTAGENTITY")
    try OpenStores.copyWithLog(of: other.path, to: target, changedBy: "DELETE FROM ZVISITENTITY")
    let files = StoreFiles(target)
    try Data([1]).write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/old"))
    #expect(Self.importError(in: folder, ImportOptions(overwriting: true)) == nil)
    #expect(try StoreComparer.differences(sample.path, target) == [])
    #expect(try folder.contents().filter { $0.hasPrefix("Copy") } == ["Copy.sqlite"])
  }

  @Test func aFailedImportLeavesTheOldStore() throws {
    let folder = try Self.archive(of: try SampleCopy())
    try SampleStore.write(to: folder.file("Copy.sqlite"))
    let archive = folder.file("Store.coffer.tar.gz")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
    try bytes.prefix(bytes.count - 1).write(to: URL(fileURLWithPath: archive))
    let before = try FolderState(of: folder.path)
    #expect(Self.importError(in: folder, ImportOptions(overwriting: true)) == "truncated-archive")
    #expect(try FolderState(of: folder.path) == before)
  }

  @Test(arguments: [true, false]) func aSharedSupportFolderIsRefused(_ overwriting: Bool) throws {
    let folder = try Self.archive(of: try SampleCopy())
    try SampleStore.write(to: folder.file("Copy.store"))
    let before = try FolderState(of: folder.path)
    let options = ImportOptions(overwriting: overwriting)
    #expect(Self.importError(in: folder, options) == "refused")
    #expect(try FolderState(of: folder.path) == before)
  }

  @Test func aMissingFolderIsToldAndNotMade() throws {
    let folder = try Self.archive(of: try SampleCopy())
    let code = errorCode {
      try StoreImporter().import(
        folder.file("Store.coffer.tar.gz"), to: folder.file("nowhere/Copy.sqlite"))
    }
    #expect(code == "write-failed")
    #expect(try folder.contents() == ["Store.coffer.tar.gz"])
  }

  @Test func anArchiveComesThroughAPipe() throws {
    let sample = try SampleCopy()
    let folder = try TemporaryDirectory()
    let pipe = Pipe()
    let (reading, writing) = (
      pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting
    )
    let store = try PersistentStore(readingFrom: sample.path)
    Thread.detachNewThread {
      _ = try? StoreExporter().export(store, to: .fileDescriptor(writing.fileDescriptor))
      try? writing.close()
    }
    try StoreImporter().import(fileDescriptor: reading, to: folder.file("Copy.sqlite"))
    #expect(try StoreComparer.differences(sample.path, folder.file("Copy.sqlite")) == [])
    #expect(try folder.contents().filter { $0.hasPrefix("Copy") } == ["Copy.sqlite"])
  }

  /// What a failed call of `open` returns, and a number that is not in use.
  @Test(arguments: [-1, 9999] as [Int32])
  func aDescriptorThatIsNotOpenCannotBeRead(_ descriptor: Int32) throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: CofferError.self) {
      try StoreImporter().import(fileDescriptor: descriptor, to: folder.file("Copy.sqlite"))
    }
    #expect(error?.code == .readFailed)
  }

  @Test(.enabled(if: ProcessRunner.find("tar") != nil, "needs tar"))
  func anArchivePackedAgainByTarIsImported() throws {
    let sample = try SampleCopy()
    let folder = try Self.archive(of: sample)
    let script = "mkdir out && tar -C out -xzf Store.coffer.tar.gz && tar -C out -czf Again.tgz ."
    let result = try ProcessRunner("/bin/sh", directory: folder.path).run(["-c", script])
    #expect(result.status == 0, "\(result.errorOutput)")
    try StoreImporter().import(folder.file("Again.tgz"), to: folder.file("Copy.sqlite"))
    #expect(try StoreComparer.differences(sample.path, folder.file("Copy.sqlite")) == [])
  }

  @Test(arguments: [1, 2, 5, 10, 20]) func aCancelledTaskLeavesNothing(_ report: Int) async throws {
    let sample = try SampleCopy()
    let folder = try Self.archive(of: sample)
    let (archive, copy) = (folder.file("Store.coffer.tar.gz"), folder.file("Copy.sqlite"))
    let importing = Task {
      try StoreImporter(progress: Canceller(after: report)).import(archive, to: copy)
    }
    await #expect(throws: CancellationError.self) { try await importing.value }
    #expect(try folder.contents() == ["Store.coffer.tar.gz"])
    let (path, other) = (sample.path, folder.file("Other.coffer.tar.gz"))
    let exporting = Task {
      let store = try PersistentStore(readingFrom: path)
      try StoreExporter(progress: Canceller(after: 1)).export(store, to: other)
    }
    await #expect(throws: CancellationError.self) { try await exporting.value }
    #expect(try folder.contents() == ["Store.coffer.tar.gz"])
  }

  private static func archive(of sample: SampleCopy) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let store = try PersistentStore(readingFrom: sample.path)
    try StoreExporter().export(store, to: folder.file("Store.coffer.tar.gz"))
    return folder
  }

  private static func importError(
    in folder: TemporaryDirectory, _ options: ImportOptions = ImportOptions()
  ) -> String? {
    errorCode {
      try StoreImporter(options: options)
        .import(folder.file("Store.coffer.tar.gz"), to: folder.file("Copy.sqlite"))
    }
  }
}

/// Cancels the task that it is called in, at a certain report.
private final class Canceller: ProgressReporter {
  private let remaining: Mutex<Int>

  init(after count: Int) { remaining = Mutex(count) }

  func report(_ progress: WorkProgress) {
    let isTime = remaining.withLock { count in
      count -= 1
      return count == 0
    }
    if isTime { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
  }
}
