internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// The conditions of a placement, and the files that it keeps.
@Suite struct PlacementTests {
  /// The inode of a file.
  private func inode(_ path: String) throws -> UInt64 {
    try #require(FileState(named: path)).inode
  }

  @Test func aStoreAtRestIsReplacedByOneRename() throws {
    for old in [PlacementScene.Old.small, .closed, .logged, .hotJournal] {
      let scene = try PlacementScene(old)
      let placement = try StorePlacement(path: scene.target, isReplacing: true)
      try scene.build(placement)
      var changes: [String] = []
      placement.files.willChange = { change throws(CofferError) in changes.append(change) }
      try placement.commit()
      #expect(changes.filter { $0.hasPrefix("move") } == ["move \(scene.target)"], "\(old)")
    }
  }

  @Test func aFileWithTheSameBytesStays() throws {
    let scene = try PlacementScene(.closed)
    let same = "\(scene.paths.externalDataFolder)/SAME"
    let before = try inode(same)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    try scene.build(placement)
    try placement.commit()
    #expect(try inode(same) == before)
  }

  @Test func anEmptySupportFolderIsNotInTheWay() throws {
    let scene = try PlacementScene(.nothing)
    try FileManager.default.createDirectory(
      atPath: scene.paths.externalDataFolder, withIntermediateDirectories: true)
    let placement = try StorePlacement(path: scene.target, isReplacing: false)
    try scene.build(placement)
    try placement.commit()
    #expect(try scene.look() == .new)
  }

  @Test func aNameWithoutRoomForTheHiddenFolderIsRefused() throws {
    let folder = try TemporaryDirectory()
    let long = folder.file(String(repeating: "a", count: 240))
    let error = #expect(throws: CofferError.self) {
      _ = try StorePlacement(path: long, isReplacing: false)
    }
    #expect(error?.code == .writeFailed)
    #expect(error?.detail.contains("the name is too long") == true, "\(String(describing: error))")
  }

  @Test func aStoreThatAppearsMeanwhileIsNotReplacedAndItsFolderNotTouched() throws {
    let scene = try PlacementScene(.nothing)
    let placement = try StorePlacement(path: scene.target, isReplacing: false)
    try scene.build(placement)
    try scene.addFile("_EXTERNAL_DATA/THEIRS", "theirs")
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: scene.target))
    let error = #expect(throws: CofferError.self) { try placement.commit() }
    #expect(error?.code == .outputExists)
    placement.abandon()
    #expect(scene.externalFiles() == ["_EXTERNAL_DATA/THEIRS"])
    #expect(FileManager.default.contents(atPath: scene.target) == Data("theirs".utf8))
    #expect(try scene.leftovers() == [])
  }

  @Test func aStoreThatIsOpenedMeanwhileIsNotReplaced() throws {
    let scene = try PlacementScene(.closed)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    try scene.build(placement)
    let app = try GeneratorDatabase(path: scene.target)
    #expect(try app.integer("SELECT count(*) FROM NAME") == 1)
    let error = #expect(throws: CofferError.self) { try placement.commit() }
    #expect(error?.code == .storeBusy)
    placement.abandon()
    try app.run("INSERT INTO ROWS VALUES ('more')")
    #expect(try scene.look() == .old)
    #expect(try scene.leftovers() == [])
  }

  @Test func nobodyCanOpenTheStoreDuringTheSwitch() throws {
    let scene = try PlacementScene(.closed)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    try scene.build(placement)
    var refused = 0
    placement.files.willChange = { change throws(CofferError) in
      guard change == "move \(scene.target)" else { return }
      if (try? GeneratorDatabase(path: scene.target).integer("SELECT count(*) FROM NAME")) == nil {
        refused += 1
      }
    }
    try placement.commit()
    #expect(refused == 1)
    #expect(try scene.look() == .new)
  }

  /// From the look at the store until its log is written, no one else can commit.
  @Test func aStoreComesToRestUnderOneLock() throws {
    let scene = try PlacementScene(.logged)
    var refused: [String] = []
    func intrude(_ moment: String) {
      do {
        try GeneratorDatabase(path: scene.target).run("INSERT INTO ROWS VALUES ('theirs')")
      } catch {
        refused.append(moment)
      }
    }
    let isAtRest = try StoreQuiescence.attempt(
      scene.paths, .init(before: { intrude("before") }, after: { intrude("after") }))
    #expect(isAtRest)
    #expect(refused == ["before", "after"])
    #expect(try scene.look() == .old)
  }

  @Test func aStoreThatIsNotAsItWasKeepsItsContent() throws {
    let scene = try PlacementScene(.logged)
    let error = #expect(throws: CofferError.self) {
      _ = try StoreQuiescence.attempt(
        scene.paths,
        .init(
          before: { () throws(CofferError) in throw PlacementTarget.busy(scene.paths) }, after: {}))
    }
    #expect(error?.code == .storeBusy)
    #expect(try scene.look() == .old)
  }

  /// An unfinished transaction is not rolled back first: that would look like a change of others.
  @Test(arguments: [PlacementScene.Old.closed, .logged, .hotJournal], [false, true])
  func aStoreWhoseStateMattersIsReplacedAsItWas(
    _ old: PlacementScene.Old, isChanged: Bool
  ) throws {
    let scene = try PlacementScene(old)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    let state = try placement.targetState()
    try scene.build(placement)
    if isChanged {
      try GeneratorDatabase(path: scene.target).run("UPDATE ROWS SET TEXT = 'theirs'")
      let error = #expect(throws: CofferError.self) { try placement.commit(ifStill: state) }
      #expect(error?.code == .storeBusy)
      let rows = try GeneratorDatabase(path: scene.target)
        .integer("SELECT count(*) FROM ROWS WHERE TEXT <> 'theirs'")
      #expect(rows == 0)
    } else {
      try placement.commit(ifStill: state)
      #expect(try scene.look() == .new)
    }
    placement.abandon()
    #expect(try scene.leftovers() == [])
  }

  @Test func aLinkToTheStoreGoesOnLeadingToIt() throws {
    let scene = try PlacementScene(.closed)
    let link = scene.directory.file("Link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.target)
    let refused = #expect(throws: CofferError.self) {
      try StorePlacement(path: link, isReplacing: false)
    }
    #expect(refused?.code == .outputExists)
    let placement = try StorePlacement(path: link, isReplacing: true)
    try scene.build(placement)
    try placement.commit()
    #expect(try scene.look() == .new)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == scene.target)
  }

  /// Whether the link leads to a folder, to a file or to nothing.
  @Test(arguments: ["_EXTERNAL_DATA/Link", "Link", "_EXTERNAL_DATA/Nowhere"])
  func aStoreWithALinkAmongItsFilesIsNotReplaced(_ link: String) throws {
    let scene = try PlacementScene(.closed)
    let target = link.hasSuffix("Nowhere") ? "nowhere" : scene.directory.file("elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: "\(scene.paths.supportFolder)/\(link)", withDestinationPath: target)
    let error = #expect(throws: CofferError.self) {
      try StorePlacement(path: scene.target, isReplacing: true)
    }
    #expect(error?.code == .refused)
    #expect(error?.place.item == "external data \(link)")
    #expect(try scene.leftovers() == [])
  }

  /// Reports and archives of a store are next to it, under its base name.
  @Test(arguments: [".html", ".txt", ".tgz", ".zip", ".coffer.tar.gz", ""])
  func onlyAStoreSharesTheSupportFolder(_ ending: String) throws {
    let scene = try PlacementScene(.closed)
    let other = StorePaths.join(scene.paths.folder, scene.paths.baseName + ending)
    for text in ["", "<!DOCTYPE html>"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: other))
      try StorePlacement(path: scene.target, isReplacing: true).abandon()
    }
    guard StorePaths(store: other).baseName == scene.paths.baseName else { return }
    try Data("SQLite format 3\0".utf8).write(to: URL(fileURLWithPath: other))
    let error = #expect(throws: CofferError.self) {
      try StorePlacement(path: scene.target, isReplacing: true)
    }
    #expect(error?.code == .refused)
  }

  @Test func aLinkThatLeadsNowhereIsRefused() throws {
    let scene = try PlacementScene(.nothing)
    try FileManager.default.createSymbolicLink(
      atPath: scene.target, withDestinationPath: "nowhere")
    for isReplacing in [false, true] {
      let error = #expect(throws: CofferError.self) {
        try StorePlacement(path: scene.target, isReplacing: isReplacing)
      }
      #expect(error?.code == (isReplacing ? .refused : .outputExists))
    }
  }

  @Test func whatTakesThePlaceOfAPrivateStoreIsPrivate() throws {
    let scene = try PlacementScene(.closed)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.target)
    let placement = try StorePlacement(path: scene.target, isReplacing: true)
    try scene.build(placement)
    try placement.commit()
    #expect(FileState(named: scene.target)?.permissions == 0o600)
  }

  @Test func changesOfOneFolderExcludeEachOtherAndWhoLooks() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.file("missing")
    #expect(throws: SystemError.self) { try FolderLock(missing, .shared, waiting: 0) }
    var lock: FolderLock? = try FolderLock(directory.path, .exclusive, waiting: 0)
    for mode in [FileLock.Mode.exclusive, .shared] {
      #expect(throws: SystemError.self) { try FolderLock(directory.path, mode, waiting: 0) }
    }
    lock = nil
    lock = try FolderLock(directory.path, .shared, waiting: 0)
    let other = try FolderLock(directory.path, .shared, waiting: 0)
    #expect(throws: SystemError.self) { try FolderLock(directory.path, .exclusive, waiting: 0) }
    withExtendedLifetime(other) {}
    #expect(lock != nil)
    #expect(try directory.contents() == [])
  }
}
