internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// Whatever is in the folder of external binary data, nothing outside of it is read, and nothing
/// blocks.
@Suite struct SupportFolderTests {
  private let folder: TemporaryDirectory
  private let store: StorePaths

  init() throws {
    folder = try TemporaryDirectory()
    store = StorePaths(store: folder.file("Notes.sqlite"))
    try FileManager.default.createDirectory(
      atPath: store.externalDataFolder, withIntermediateDirectories: true)
    try write("secret", to: folder.file("outside"))
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func replace(_ path: String, byLinkTo target: String) throws {
    try FileManager.default.removeItem(atPath: path)
    try link(path, to: target)
  }

  /// What reading a file gives: its text, or the code of the error.
  private func read(_ file: SupportFolder.File, in folder: SupportFolder) throws -> String {
    var bytes: [UInt8] = []
    do {
      let isThere = try unsafe folder.read(file, begin: {}) { unsafe bytes += Array($0) }
      return isThere ? String(decoding: bytes, as: UTF8.self) : "gone"
    } catch let error as CofferError {
      return bytes.isEmpty ? error.code.text : error.code.text + " after \(bytes.count)"
    }
  }

  @Test func linksAreNamedAndNotFollowed() throws {
    let data = store.externalDataFolder
    try write("whole", to: data + "/A")
    try link(data + "/B", to: folder.file("outside"))
    try link(data + "/C", to: "/")
    let found = try SupportFolder(of: store)
    #expect(found.files.map(\.components) == [["_EXTERNAL_DATA", "A"]])
    #expect(found.irregular.map(\.path) == ["_EXTERNAL_DATA/B", "_EXTERNAL_DATA/C"])
    let file = try #require(found.files.first)
    #expect(try read(file, in: found) == "whole")
  }

  @Test func aLinkInThePlaceOfAFolderIsNotFollowed() throws {
    let elsewhere = folder.file("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try write("secret", to: elsewhere + "/A")
    try replace(store.externalDataFolder, byLinkTo: elsewhere)
    var found = try SupportFolder(of: store)
    #expect(found.files.isEmpty && found.irregular.map(\.path) == ["_EXTERNAL_DATA"])
    try replace(store.supportFolder, byLinkTo: elsewhere)
    found = try SupportFolder(of: store)
    #expect(found.files.isEmpty && found.irregular.map(\.path) == ["."])
    try FileManager.default.removeItem(atPath: store.supportFolder)
    try write("", to: store.supportFolder)
    #expect(
      try SupportFolder(of: store).irregular.map(\.description) == [".: it is not a folder"])
  }

  @Test func whatBecomesALinkAfterItWasListedIsNotFollowed() throws {
    let data = store.externalDataFolder
    try write("public", to: data + "/A")
    let found = try SupportFolder(of: store)
    let file = try #require(found.files.first)
    try replace(data + "/A", byLinkTo: folder.file("outside"))
    #expect(try read(file, in: found) == "read-failed")
    let elsewhere = folder.file("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try write("secret", to: elsewhere + "/A")
    try replace(data, byLinkTo: elsewhere)
    #expect(try read(file, in: found) == "read-failed")
    try FileManager.default.createDirectory(
      atPath: elsewhere + "/_EXTERNAL_DATA", withIntermediateDirectories: true)
    try write("secret", to: elsewhere + "/_EXTERNAL_DATA/A")
    try replace(store.supportFolder, byLinkTo: elsewhere)
    #expect(try read(file, in: found) == "read-failed")
  }

  @Test func pipesAreNotWaitedFor() throws {
    let path = store.externalDataFolder + "/A"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(
      try SupportFolder(of: store).irregular.map(\.description)
        == ["_EXTERNAL_DATA/A: it is not a regular file"])
    try FileManager.default.removeItem(atPath: path)
    try write("public", to: path)
    let found = try SupportFolder(of: store)
    let file = try #require(found.files.first)
    try FileManager.default.removeItem(atPath: path)
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(try read(file, in: found) == "read-failed")
  }

  @Test func filesThatChangeAreNoticed() throws {
    let path = store.externalDataFolder + "/A"
    try write("four", to: path)
    let found = try SupportFolder(of: store)
    let file = try #require(found.files.first)
    try write("longer", to: path)
    #expect(try read(file, in: found) == "read-failed")
    try write("two", to: path)
    #expect(try read(file, in: found) == "read-failed after 3")
    try FileManager.default.removeItem(atPath: store.externalDataFolder)
    #expect(try read(file, in: found) == "gone")
  }

  @Test func strangeNamesAreKeptOrNamed() throws {
    let names = ["line\nfeed", "..x", "e\u{301}", "\u{e9}", "\u{301}accent", "a b"]
    for name in names { try write(name, to: store.externalDataFolder + "/" + name) }
    var bytes = Array((store.externalDataFolder + "/").utf8CString.dropLast()) + [-1, 65, 0]
    let made = unsafe open(&bytes, O_CREAT | O_WRONLY, 0o600)
    // Some file systems take no such name.
    if made >= 0 { close(made) }
    let found = try SupportFolder(of: store)
    #expect(found.irregular.map(\.path) == (made >= 0 ? ["_EXTERNAL_DATA/\u{fffd}A"] : []))
    #expect(Set(found.files.compactMap(\.externalName).map { Array($0.utf8) }).count == names.count)
    for file in found.files {
      let text = try read(file, in: found)
      #expect(Array(text.utf8) == file.externalName.map { Array($0.utf8) })
    }
  }

  @Test func foldersAreReadToADepth() throws {
    var path = store.supportFolder
    for depth in 1...10 { path += "/\(depth)" }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(
      try SupportFolder(of: store).irregular.map(\.description)
        == ["1/2/3/4/5/6/7/8/9: it is below more than 8 folders"])
  }
}
