internal import BackupPlaces
internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import TestSupport
internal import Testing

/// The behavior of folders beyond the behavior of all places.
@Suite struct FolderPlaceTests {
  @Test func manyFilesAreListedInOrder() throws {
    let folder = try TemporaryDirectory()
    let place = FolderPlace(path: folder.path)
    var names: [String] = []
    for number in 0..<2500 {
      let name = "\(number % 7)/\(number)"
      try FileManager.default.createDirectory(
        atPath: folder.file("\(number % 7)"), withIntermediateDirectories: true)
      _ = try folder.write([], to: name)
      names.append(name)
    }
    #expect(
      try place.list("").map(\.name)
        == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func whatAKilledWriterLeftIsNotListedAndGoesWithTheNextWrite() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write([1, 2], to: ".coffer-partial-0123abcd")
    _ = try folder.write([1, 2], to: ".coffer-partial-of-somebody-else")
    let place = FolderPlace(path: folder.path)
    #expect(try place.list("") == [])
    try place.put("a/b", from: try folder.write([3], to: "source"))
    #expect(
      try folder.contents() == [".coffer-partial-of-somebody-else", "a/", "a/b", "source"])
  }

  @Test func theFileOfALiveWriterStays() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write([1], to: ".coffer-partial-0123abcd")
    let descriptor = try FileIO.open(path)
    defer { FileIO.close(descriptor) }
    #expect(FileLock.own(descriptor, at: path))
    try FolderPlace(path: folder.path).put("a", from: try folder.write([3], to: "source"))
    #expect(try folder.contents().contains(".coffer-partial-0123abcd"))
  }

  @Test func foldersGoWithTheirLastFile() throws {
    let folder = try TemporaryDirectory()
    let place = FolderPlace(path: folder.file("place/"))
    let file = try folder.write([3], to: "source")
    try place.put("a/b/c", from: file)
    try place.put("a/d", from: file)
    try place.delete("a/b/c")
    #expect(try folder.contents() == ["place/", "place/a/", "place/a/d", "source"])
    try place.delete("a/d")
    #expect(try folder.contents() == ["place/", "source"])
  }

  @Test func linksAreNotFollowed() throws {
    let folder = try TemporaryDirectory()
    let outside = try TemporaryDirectory()
    _ = try outside.write([1], to: "secret")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.file("folder"), withDestinationPath: outside.path)
    try files.createSymbolicLink(
      atPath: folder.file("file"), withDestinationPath: outside.file("secret"))
    #expect(try FolderPlace(path: folder.path).list("") == [])
    // The place itself may be one.
    let link = outside.file("link")
    try files.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    try FolderPlace(path: link).put("a", from: outside.file("secret"))
    #expect(try FolderPlace(path: link).list("").map(\.name) == ["a"])
  }

  @Test func theFileIsReadWhereItIs() throws {
    let folder = try TemporaryDirectory()
    let place = FolderPlace(path: folder.path)
    #expect(place.localPath(of: "a/b") == folder.file("a/b"))
    #expect(place.localPath(of: "../b") == nil)
  }

  @Test func aFileInPlaceOfAFolderIsReported() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write([3], to: "file")
    #expect(
      codeThrown { try FolderPlace(path: file).put("a", from: file) } == .writeFailed)
    let place = FolderPlace(path: folder.path)
    #expect(codeThrown { try place.put("file/a", from: file) } == .writeFailed)
    #expect(try folder.contents() == ["file"])
  }
}
