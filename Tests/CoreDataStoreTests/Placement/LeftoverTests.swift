internal import Foundation
internal import POSIX
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// Exactly the leftovers without an owner are removed.
@Suite struct LeftoverTests {
  private static let prefix = "coffer-snapshot-"

  private func remove(in folder: String) {
    Leftovers.removeFolders(in: folder, prefix: Self.prefix)
  }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test func aFolderWithoutAnOwnerIsRemovedWithAllThatIsInIt() throws {
    let directory = try TemporaryDirectory()
    let left = directory.file("\(Self.prefix)0123abcd")
    try makeFolder("\(left)/deep/deeper")
    try Data([1]).write(to: URL(fileURLWithPath: "\(left)/deep/file"))
    remove(in: directory.path)
    #expect(try directory.contents() == [])
  }

  @Test func aFolderWithAnOwnerStays() throws {
    let directory = try TemporaryDirectory()
    var folder: OwnedFolder? = try OwnedFolder(in: directory.path, prefix: Self.prefix)
    let path = try #require(folder?.path)
    remove(in: directory.path)
    #expect(FileManager.default.fileExists(atPath: path))
    folder = nil
    remove(in: directory.path)
    #expect(try directory.contents() == [])
  }

  @Test(arguments: [
    "coffer-snapshot-", "coffer-snapshot-0123abc", "coffer-snapshot-0123abcde",
    "coffer-snapshot-0123ABCD", "coffer-snapshot-0123abcd.txt", "xcoffer-snapshot-0123abcd",
    "coffer-snapshot-../abcd"
      .replacingOccurrences(of: "/", with: ":"),
  ])
  func anotherNameIsNotOurs(_ name: String) throws {
    let directory = try TemporaryDirectory()
    try makeFolder(directory.file(name))
    remove(in: directory.path)
    #expect(try directory.contents() == ["\(name)/"])
  }

  @Test func linksAreNotFollowedAndNotTakenForFolders() throws {
    let directory = try TemporaryDirectory()
    try makeFolder(directory.file("precious"))
    _ = try directory.write([1], to: "precious/file")
    let left = directory.file("\(Self.prefix)00000000")
    try makeFolder(left)
    for link in ["\(left)/link", directory.file("\(Self.prefix)11111111")] {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: directory.file("precious"))
    }
    _ = try directory.write([1], to: "\(Self.prefix)22222222")
    remove(in: directory.path)
    #expect(
      try directory.contents() == [
        "\(Self.prefix)11111111", "\(Self.prefix)22222222", "precious/", "precious/file",
      ])
  }

  /// A program that is being started has copies of all descriptors until it runs.
  @Test func whatIsGivenUpIsFreeAlthoughADescriptorHasACopy() throws {
    let directory = try TemporaryDirectory()
    var owned: OwnedFolder? = try OwnedFolder(in: directory.path, prefix: Self.prefix)
    var lock: FolderLock? = try FolderLock(directory.path, .exclusive, waiting: 0)
    let copies = try [#require(owned).path, directory.path].flatMap(Self.copies)
    defer { for copy in copies { FileIO.close(copy) } }
    #expect(copies.count >= 2)
    (owned, lock) = (nil, nil)
    #expect(lock == nil)
    _ = try FolderLock(directory.path, .exclusive, waiting: 0)
    remove(in: directory.path)
    #expect(try directory.contents() == [])
  }

  /// Copies of the descriptors of a folder, as a process that begins as a copy of this one has them.
  private static func copies(of path: String) -> [Int32] {
    var (file, open) = (stat(), stat())
    guard unsafe stat(path, &file) == 0 else { return [] }
    return (Int32(0)..<1024).filter { descriptor in
      unsafe fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino
        && open.st_dev == file.st_dev
    }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
  }

  @Test func foldersOfAnotherTargetStay() throws {
    let directory = try TemporaryDirectory()
    let others = [
      ".coffer-import-Notes.sqlite-2-00000000", ".coffer-import-notes.sqlite-00000000",
      ".coffer-import-MyNotes.sqlite-00000000", ".coffer-import-Notes.sqlite-00000000-11111111",
    ]
    for name in others { try makeFolder(directory.file(name)) }
    try makeFolder(directory.file(".coffer-import-Notes.sqlite-00000000"))
    StorePlacement.settleLeftovers(of: StorePaths(store: directory.file("Notes.sqlite")))
    #expect(try directory.contents() == others.map { "\($0)/" }.sorted())
  }

  @Test func aFolderThatHoldsAnOldStoreWithoutARecordStays() throws {
    let directory = try TemporaryDirectory()
    let left = directory.file(".coffer-import-Notes.sqlite-00000000")
    try makeFolder("\(left)/old")
    _ = try directory.write([1], to: ".coffer-import-Notes.sqlite-00000000/old/Notes.sqlite")
    StorePlacement.settleLeftovers(of: StorePaths(store: directory.file("Notes.sqlite")))
    #expect(FileManager.default.fileExists(atPath: "\(left)/old/Notes.sqlite"))
  }

  @Test func aPrivateCopyRemovesThoseThatWereLeft() throws {
    let directory = try TemporaryDirectory()
    let left = directory.file("\(TemporaryFolder.prefix)0123abcd")
    try makeFolder(left)
    _ = try directory.write([1], to: "\(TemporaryFolder.prefix)0123abcd/store.sqlite")
    let folder = try TemporaryFolder(in: directory.path, place: "a store")
    let other = try TemporaryFolder(in: directory.path, place: "a store")
    #expect(
      try directory.contents()
        == [folder.path, other.path].map { "\(StorePaths.name(of: $0))/" }.sorted())
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    let scene = try PlacementScene(.closed)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    try scene.build(placement)
    for way in [PlacementRecord.Way.add, .exchange] {
      let record = try PlacementRecord(way, placement.folder)
      #expect(record.oldStore != nil && record.newFolders.count == 2)
      #expect(PlacementRecord(record.text) == record)
      for length in 0..<(record.text.utf8.count - 1) {
        #expect(
          PlacementRecord(String(decoding: record.text.utf8.prefix(length), as: UTF8.self)) == nil)
      }
    }
  }
}
