internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CoreDataStore

/// Every state that a crash can leave between two changes of the file system, and the result of the
/// next run.
@Suite struct PlacementStepTests {
  /// Whether the old store of a scene has to be moved away, so that nothing may stand there for a time.
  private func mayBeAbsent(_ old: PlacementScene.Old) -> Bool {
    switch old {
    case .nothing, .small, .closed, .logged, .hotJournal: false
    case .damagedLog, .conflict, .remains, .notADatabase: true
    }
  }

  private func before(_ old: PlacementScene.Old) -> PlacementScene.Found {
    old == .nothing || old == .remains ? .nothing : .old
  }

  /// Commits until before the change of that number, and leaves all as a crash would.
  ///
  /// - Returns: whether there were so many changes.
  private func crash(
    _ scene: PlacementScene, beforeChange number: Int, mayLink: Bool = true
  ) throws -> Bool {
    let placement = try StorePlacement(path: scene.target, isReplacing: scene.old != .nothing)
    placement.files.mayLink = mayLink
    try scene.build(placement)
    stop(placement.files, beforeChange: number)
    _ = try? placement.commit()
    return placement.files.isStopped
  }

  private func stop(_ files: PlacementFiles, beforeChange number: Int) {
    var left = number
    files.willChange = { [unowned files] change throws(CofferError) in
      left -= 1
      if left < 0 {
        files.isStopped = true
        throw CofferError(.writeFailed, detail: "stopped before: \(change)")
      }
    }
  }

  @Test(arguments: PlacementScene.Old.allCases)
  func aCrashAtAnyStepLeavesOneStoreOrNothing(_ old: PlacementScene.Old) throws {
    var number = 0
    while true {
      let scene = try PlacementScene(old)
      let wasStopped = try crash(scene, beforeChange: number)
      let found = try scene.look()
      if !wasStopped {
        #expect(found == .new)
        try checkNew(scene)
        break
      }
      #expect(
        found == before(old) || found == .new || (found == .nothing && mayBeAbsent(old)),
        "before change \(number)")
      StorePlacement.settleLeftovers(of: scene.paths)
      try checkSettled(scene, found, "before change \(number)")
      number += 1
    }
    #expect(number > 4)
  }

  @Test(arguments: [PlacementScene.Old.nothing, .closed])
  func withoutHardLinksThereIsAGapInsteadOfAMix(_ old: PlacementScene.Old) throws {
    var number = 0
    while true {
      let scene = try PlacementScene(old)
      let wasStopped = try crash(scene, beforeChange: number, mayLink: false)
      let found = try scene.look()
      guard wasStopped else {
        #expect(found == .new)
        try checkNew(scene)
        break
      }
      #expect([before(old), .nothing, .new].contains(found), "before change \(number)")
      StorePlacement.settleLeftovers(of: scene.paths)
      try checkSettled(scene, found, "before change \(number)")
      number += 1
    }
    #expect(number > 8)
  }

  @Test(arguments: [PlacementScene.Old.closed, .conflict])
  func aRecoveryThatIsKilledIsDoneByTheNext(_ old: PlacementScene.Old) throws {
    var number = 0
    while try crash(PlacementScene(old), beforeChange: number) {
      var second = 0
      while true {
        let scene = try PlacementScene(old)
        _ = try crash(scene, beforeChange: number)
        let found = try scene.look()
        let files = PlacementFiles()
        stop(files, beforeChange: second)
        StorePlacement.settleLeftovers(of: scene.paths, files: files)
        let between = try scene.look()
        #expect(between == found || between == before(old), "\(number), \(second)")
        StorePlacement.settleLeftovers(of: scene.paths)
        try checkSettled(scene, found, "\(number), \(second)")
        if !files.isStopped { break }
        second += 1
      }
      // Every second one does: each is a test of a whole recovery.
      number += 2
    }
  }

  @Test(arguments: PlacementScene.Old.allCases)
  func aStepThatFailsIsTakenBack(_ old: PlacementScene.Old) throws {
    var number = 0
    while true {
      let scene = try PlacementScene(old)
      let files = scene.externalFiles()
      var left = number
      do {
        let placement = try StorePlacement(path: scene.target, isReplacing: old != .nothing)
        try scene.build(placement)
        placement.files.willChange = { change throws(CofferError) in
          left -= 1
          if left == -1 { throw CofferError(.writeFailed, detail: "failed: \(change)") }
        }
        try placement.commit()
      } catch let error as CofferError {
        #expect(error.code == .writeFailed)
      }
      let found = try scene.look()
      #expect(try scene.leftovers() == [])
      if found != .new {
        #expect(found == before(old), "change \(number)")
        #expect(scene.externalFiles() == files, "change \(number)")
      }
      if left >= 0 { break }
      number += 1
    }
  }

  /// The new store takes over the old one's files but for one: neither a crash nor a failure, nor what
  /// takes it back, costs either store a file.
  @Test(
    arguments: [
      (PlacementScene.Old.closed, PlacementScene.TakingOver.inPlace), (.conflict, .inPlace),
      (.logged, .inPlace), (.closed, .inPlaceWithoutLinks),
      (.conflict, .inPlaceWithoutLinks), (.closed, .bySecondNames), (.conflict, .bySecondNames),
    ])
  func filesThatBothStoresHaveAreNeverLost(
    _ old: PlacementScene.Old, _ way: PlacementScene.TakingOver
  ) throws {
    let removed = "_EXTERNAL_DATA/OLD-1"
    let shared = PlacementScene.oldFiles.filter {
      $0.key != removed && PlacementScene.newFiles[$0.key] == nil
    }
    let wanted = (Array(PlacementScene.newFiles.keys) + shared.keys).sorted()
    for isCrash in [true, false] {
      var number = 0
      while true {
        let scene = try PlacementScene(old)
        let before = scene.externalFiles()
        var left = number
        do {
          let placement = try StorePlacement(path: scene.target, isReplacing: true)
          placement.files.mayLink = way != .inPlaceWithoutLinks
          try scene.build(placement, takingOver: shared, way)
          let files = placement.files
          files.willChange = { [unowned files] change throws(CofferError) in
            left -= 1
            guard isCrash ? left < 0 : left == -1 else { return }
            files.isStopped = isCrash
            throw CofferError(.writeFailed, detail: "failed: \(change)")
          }
          try? placement.commit(
            keepingFilesExcept: way == .bySecondNames ? nil : [Name(removed)])
        }
        let found = try scene.look()
        let place: Comment = "\(isCrash ? "crash" : "failure") at change \(number)"
        #expect([.old, .new].contains(found) || (isCrash && found == .nothing), place)
        if isCrash { StorePlacement.settleLeftovers(of: scene.paths) }
        let settled = try scene.look()
        #expect(settled == (found == .nothing ? .old : found), place)
        if settled == .old { #expect(scene.externalFiles() == before, place) }
        #expect(try scene.leftovers() == [], place)
        if left >= 0 {
          #expect(settled == .new)
          #expect(scene.externalFiles() == wanted)
          break
        }
        number += 1
      }
      #expect(number > 4)
    }
  }

  @Test(arguments: [PlacementScene.Old.closed, .conflict, .logged])
  func whatAnAppWritesAfterACrashIsKept(_ old: PlacementScene.Old) throws {
    var number = 0
    while true {
      let scene = try PlacementScene(old)
      guard try crash(scene, beforeChange: number) else { break }
      let found = try scene.lookInPlace()
      guard found != .nothing else {
        number += 1
        continue
      }
      try scene.addFile("_EXTERNAL_DATA/LATER", "later")
      StorePlacement.settleLeftovers(of: scene.paths)
      #expect(try scene.lookInPlace() == found, "before change \(number)")
      #expect(scene.externalFiles().contains("_EXTERNAL_DATA/LATER"))
      #expect(try scene.leftovers() == [])
      number += 1
    }
  }

  @Test func aStoreThatSomebodyMadeInTheGapIsNotTouchedAndTheOldOneKept() throws {
    var gaps = 0
    var number = 0
    while true {
      let scene = try PlacementScene(.conflict)
      guard try crash(scene, beforeChange: number) else { break }
      number += 1
      guard try scene.look() == .nothing else { continue }
      gaps += 1
      try Data("somebody's".utf8).write(to: URL(fileURLWithPath: scene.target))
      let files = scene.externalFiles()
      StorePlacement.settleLeftovers(of: scene.paths)
      #expect(FileManager.default.contents(atPath: scene.target) == Data("somebody's".utf8))
      #expect(scene.externalFiles() == files)
      let kept = try #require(try scene.leftovers().first)
      let old = "\(scene.folder)/\(kept)/old/\(PlacementScene.name)"
      #expect(FileManager.default.fileExists(atPath: old))
    }
    #expect(gaps > 3)
  }

  private func checkNew(_ scene: PlacementScene) throws {
    #expect(scene.externalFiles() == PlacementScene.newFiles.keys.sorted())
    #expect(try scene.leftovers() == [])
    #expect(!scene.paths.companions.contains(where: FileManager.default.fileExists(atPath:)))
  }

  /// Checks the result of a recovery: the existing store, or the old one if there was none.
  private func checkSettled(
    _ scene: PlacementScene, _ found: PlacementScene.Found, _ comment: Comment
  ) throws {
    if found == .new {
      #expect(try scene.look() == .new, comment)
      return try checkNew(scene)
    }
    #expect(try scene.look() == before(scene.old), comment)
    #expect(try scene.leftovers() == [], comment)
    #expect(try scene.externalFiles() == PlacementScene(scene.old).externalFiles(), comment)
  }
}

extension PlacementScene {
  /// Adds an external file to the store at the target, as an app would.
  func addFile(_ path: String, _ text: String) throws {
    let file = "\(paths.supportFolder)/\(path)"
    try FileManager.default.createDirectory(
      atPath: StorePaths.folder(of: file), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }
}
