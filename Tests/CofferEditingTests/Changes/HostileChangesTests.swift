internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Files of changes that no one wrote by mistake are refused by code, before anything is written.
@Suite struct HostileChangesTests {
  /// A store, and changes that begin with it, which a test spoils.
  private struct Scene {
    let trial: ChangesTrial
    let store: String
    let changes: String

    init() throws {
      trial = try ChangesTrial()
      store = trial.directory.file("Store.sqlite")
      try SampleStore.write(to: store, journal: .delete)
      let second = try StoreFiles(store).copy(to: trial.directory.file("Second.sqlite"))
      let database = try GeneratorDatabase(path: second)
      try database.registerCoreDataFunctions()
      try database.run("UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK WHERE Z_PK < 3")
      try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'TagEntity'")
      changes = trial.file("Changes")
      try StoreComparison().writeChanges(from: store, to: second, at: .file(changes))
    }

    /// Applies the changes, which must not succeed, and leave everything as it was.
    ///
    /// - Returns: the code of the error.
    func refusal(_ label: String) throws -> String? {
      let before = try Data(contentsOf: URL(fileURLWithPath: store))
      let names = try trial.directory.contents()
      let error = #expect(throws: CofferError.self, "\(label)") {
        try ChangesApplier().apply(changes, to: store)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before, "\(label)")
      #expect(try trial.directory.contents() == names, "\(label)")
      return error?.code.text
    }
  }

  /// The replacement of the lines of a table, and the code of the refusal.
  struct Lines: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var folder = "changes/TagEntity"
    let lines: [String]
    var code = "damaged-archive"

    init(_ name: String, _ lines: String..., in folder: String = "changes/TagEntity") {
      testDescription = name
      self.lines = lines
      self.folder = folder
    }

    func refused(as code: String) -> Lines {
      var copy = self
      copy.code = code
      return copy
    }
  }

  private static let insertion = #"{"$change":"insert","$pk":90,"$opt":1}"#
  private static let update = #"{"$change":"update","$pk":1,"$opt":[1,2]}"#

  static let lines = [
    Lines("no key", #"{"$change":"insert","$opt":1}"#),
    Lines("a key that is nil", #"{"$change":"insert","$pk":null,"$opt":1}"#),
    Lines("a key that is a text", #"{"$change":"insert","$pk":{"$text":"9"},"$opt":1}"#),
    Lines("a key that is a fraction", #"{"$change":"insert","$pk":90.5,"$opt":1}"#),
    Lines("a key that is true", #"{"$change":"insert","$pk":true,"$opt":1}"#),
    Lines("a counter that is true", #"{"$change":"update","$pk":1,"$opt":[1,true]}"#),
    Lines("a text that is true", #"{"$change":"insert","$pk":90,"$opt":1,"name":true}"#),
    Lines("a text that is a number", #"{"$change":"insert","$pk":90,"$opt":1,"name":5}"#),
    Lines(
      "a highest key that is true",
      #"{"$change":"update","Z_ENT":4,"Z_MAX":[true,false]}"#, in: "store/Z_PRIMARYKEY"),
    Lines("a key with two values", #"{"$change":"update","$pk":[1,2],"$opt":[1,2]}"#),
    Lines("an object that is inserted twice", insertion, insertion),
    Lines("an object that is updated twice", update, update),
    Lines("an object that is updated and deleted", update, #"{"$change":"delete","$pk":1}"#),
    Lines(
      "an object with three changes", insertion, #"{"$change":"delete","$pk":90,"$opt":1}"#,
      insertion),
    Lines("keys that fall", insertion, update),
    Lines("another word", #"{"$change":"replace","$pk":1}"#),
    Lines("no word", #"{"$pk":1,"$opt":1}"#),
    Lines("a line of nothing", ""),
    Lines("one value instead of two", #"{"$change":"update","$pk":1,"$opt":2}"#),
    Lines("three values instead of two", #"{"$change":"update","$pk":1,"$opt":[1,2,3]}"#),
    Lines("another entity", #"{"$change":"insert","$pk":90,"$opt":1,"$entity":"Nothing"}"#),
    Lines(
      "a value that is not there",
      #"{"$change":"insert","$pk":90,"$opt":1,"name":{"$text":["value-0",9223372036854775807]}}"#),
    Lines(
      "bytes behind the blobs",
      #"{"$change":"insert","$pk":90,"$opt":1,"name":{"$blob":[0,9223372036854775807]}}"#),
    Lines(
      "a value in another folder",
      #"{"$change":"insert","$pk":90,"$opt":1,"name":{"$blob":["../../../x",5]}}"#),
    Lines("an object that is not there", #"{"$change":"delete","$pk":90}"#)
      .refused(as: "wrong-state"),
    Lines("an object that is there", #"{"$change":"insert","$pk":1,"$opt":1}"#)
      .refused(as: "wrong-state"),
    Lines("a value that was another", #"{"$change":"update","$pk":1,"$opt":[77,2]}"#)
      .refused(as: "wrong-state"),
    Lines("a part of a deleted object", #"{"$change":"delete","$pk":1}"#)
      .refused(as: "wrong-state"),
    Lines(
      "a counter without a number", #"{"$change":"insert","Z_NAME":"Nothing"}"#,
      in: "store/Z_PRIMARYKEY"
    ).refused(as: "wrong-state"),
  ]

  @Test(arguments: lines) func linesAreRefused(_ lines: Lines) throws {
    let scene = try Scene()
    var archive = try ArchiveRewriter(scene.changes)
    try archive.changeLines(of: "\(lines.folder)/00000.ndjson") { $0 = lines.lines }
    try archive.write(to: scene.changes)
    #expect(try scene.refusal(lines.testDescription) == lines.code)
    guard lines.code == "damaged-archive" else { return }
    let error = #expect(throws: CofferError.self) { try StoreChanges(scene.changes).verify() }
    #expect(error?.code.text == lines.code)
  }

  /// Numbers of SQLite's header that it would store differently, so that they could not be undone.
  @Test(arguments: ["userVersion", "applicationID"])
  func settingsOfMoreThan32BitsAreRefused(_ name: String) throws {
    let scene = try Scene()
    var archive = try ArchiveRewriter(scene.changes)
    try archive.changeText(of: "changes.json") { text in
      let end = text.range(of: "\"\(name)\"", options: .backwards)?.upperBound ?? text.endIndex
      let number = text[end...].firstIndex(where: \.isNumber) ?? text.endIndex
      let rest = text[number...].drop(while: \.isNumber)
      text = "\(text[..<number])4294967301\(rest)"
    }
    try archive.write(to: scene.changes)
    #expect(try scene.refusal(name) == "damaged-archive")
    #expect(throws: CofferError.self) { try StoreChanges(scene.changes).verify() }
  }

  @Test func aResultThatIsNotTheStatedStateIsRefused() throws {
    let scene = try Scene()
    var archive = try ArchiveRewriter(scene.changes)
    try archive.changeLines(of: "changes/TagEntity/00000.ndjson") { lines in
      lines = lines.map { $0.replacing("changed 1", with: "forged 1") }
    }
    try archive.write(to: scene.changes)
    #expect(try scene.refusal("another name") == "damaged-archive")
  }

  /// Files whose names lead out of the support folder.
  @Test(arguments: [
    "after/support/..%2F..%2Fx", "after/support/../../x", "after/support/%2Fetc%2Fx",
    "after/external/..", "before/support/a/../../x",
  ]) func namesOfFilesLeadNowhereElse(_ name: String) throws {
    let scene = try Scene()
    var archive = try ArchiveRewriter(scene.changes)
    let position = try archive.position(of: "changes.json")
    try archive.insert(.init(name, text: "x"), at: position)
    try archive.write(to: scene.changes)
    #expect(try scene.refusal(name) != nil)
  }

  @Test func aFileThatEndsAtAnyByteIsRefused() throws {
    let scene = try Scene()
    let whole = try Data(contentsOf: URL(fileURLWithPath: scene.changes))
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.store))
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: URL(fileURLWithPath: scene.changes))
      #expect(throws: CofferError.self, "\(count) bytes") {
        // Both read the file in the same way; only one copies the store before it does.
        if count % 16 == 0 {
          try ChangesApplier().apply(scene.changes, to: scene.store)
        } else {
          try StoreChanges(scene.changes).verify()
        }
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: scene.store)) == before)
  }

  @Test func aFlippedByteIsNoticedOrMeansNothing() throws {
    let scene = try Scene()
    let whole = try Data(contentsOf: URL(fileURLWithPath: scene.changes))
    let changes = StoreChanges(scene.changes)
    func differences() throws -> [Difference] {
      var found: [Difference] = []
      try changes.inspect(includesValues: true) { found.append($0) }
      return found
    }
    let original = try differences()
    for place in stride(from: 0, to: whole.count, by: 11) {
      var bytes = whole
      bytes[place] ^= UInt8(1 << (place % 8))
      try bytes.write(to: URL(fileURLWithPath: scene.changes))
      do {
        try changes.verify()
      } catch is CofferError { continue }
      // The last bits of compressed data mean nothing.
      #expect(try differences() == original, "byte \(place)")
    }
  }

  /// A claim costs nothing: the limits of archives hold for changes too.
  @Test(arguments: [ArchiveLimits.Name.documentSize, .partSize, .entryCount, .lineDepth, .entities])
  func limitsHold(_ limit: ArchiveLimits.Name) throws {
    let scene = try Scene()
    var options = ApplyOptions()
    options.environment.limits[limit] = 0
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier(options: options).apply(scene.changes, to: scene.store)
    }
    #expect(error?.code == .archiveLimit)
  }
}
