internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Restoring some objects of an archive with the objects that they need.
@Suite struct SelectedRestoreTests {
  private let directory: TemporaryDirectory
  private let original: String
  private let archive: String

  init() throws {
    directory = try TemporaryDirectory()
    original = directory.file("Original.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 150
    options.externalCount = 4
    try StoreMaker.write(to: original, options)
    archive = directory.file("Original.coffer.tar.gz")
    try StoreExporter().export(storeAt: original, to: archive)
  }

  private func restored(
    _ entity: Name, _ condition: String? = nil, strict: Bool = true
  ) throws -> (path: String, summary: ImportSummary) {
    let path = directory.file("\(UUID().uuidString).sqlite")
    var options = ImportOptions(isStrict: strict)
    options.selection = ObjectSelection(entityNames: [entity], condition: condition)
    return (path, try StoreImporter(options: options).import(archive, to: path))
  }

  private func count(_ table: String, in path: String, _ condition: String = "1") throws -> Int64 {
    try GeneratorDatabase(path: path).integer(
      "SELECT count(*) FROM \(table) WHERE \(condition)") ?? -1
  }

  /// Settings need their person; persons do not need their settings.
  @Test func whatIsNeededComesAlong() throws {
    let settings = try count("ZSETTINGSENTITY", in: original)
    try #require(settings > 0)
    let (path, summary) = try restored("SettingsEntity")
    #expect(summary.selection?.selectedCount == Int(settings))
    #expect(try count("ZSETTINGSENTITY", in: path) == settings)
    #expect(try count("ZPERSONENTITY", in: path) == settings)
    #expect(try count("ZITEMENTITY", in: path) == 0)
    #expect(summary.selection?.neededCount == Int(settings))
    #expect(summary.objectCount == Int(2 * settings))
    let (other, persons) = try restored("PersonEntity")
    #expect(try count("ZSETTINGSENTITY", in: other) == 0)
    #expect(try count("ZPERSONENTITY", in: other, "ZSETTINGS IS NOT NULL") == 0)
    #expect((persons.selection?.unsetCount ?? 0) >= Int(settings))
  }

  /// Every restored object is unchanged, except for its relationships.
  @Test(arguments: ["TodoEntity", "NoteEntity", "AttachmentEntity", "LocationEntity", "TagEntity"])
  func whatIsLeftIsSoundAndUnchanged(_ entity: Name) throws {
    let (path, summary) = try restored(entity)
    #expect(summary.findings.filter { $0.severity == .error } == [])
    var comparison = ComparisonOptions(includesValues: true)
    comparison.matchesByObjectID = true
    comparison.ignoredAspects = [.history]
    var added = 0
    var names: Set<String> = []
    try StoreComparison(options: comparison).compare(original, path) { difference in
      guard case .object(let object) = difference else { return }
      if object.kind == .added { added += 1 }
      guard object.kind == .changed else { return }
      for property in object.properties where property.subject == .attribute {
        names.insert(property.name.text)
      }
    }
    #expect(added == 0)
    #expect(names.subtracting(["todoCount", "locationName"]) == [])
    let counters = "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
    #expect(
      try GeneratorDatabase(path: path).rows(counters)
        == GeneratorDatabase(path: original).rows(counters))
  }

  @Test func aConditionChoosesObjects() throws {
    let (path, summary) = try restored("TagEntity", "color == 1 OR name BEGINSWITH 'a'")
    let wanted = try count("ZTAGENTITY", in: original, "ZCOLOR = 1 OR ZNAME GLOB 'a*'")
    #expect(try count("ZTAGENTITY", in: path) == wanted)
    #expect(summary.selection?.selectedCount == Int(wanted))
  }

  /// Files that no object refers to are left out.
  @Test func filesOfOthersAreLeftOut() throws {
    let (tags, _) = try restored("TagEntity")
    #expect(StoreFiles(tags).externalFileNames == [])
    let (attachments, _) = try restored("AttachmentEntity")
    #expect(
      StoreFiles(attachments).externalFileNames.sorted()
        == StoreFiles(original).externalFileNames.sorted())
  }

  @Test func aRestoredSelectionRoundTrips() throws {
    let (path, _) = try restored("NoteEntity")
    let again = directory.file("Again.coffer.tar.gz")
    try StoreExporter().export(storeAt: path, to: again)
    let copy = directory.file("Again.sqlite")
    try StoreImporter().import(again, to: copy)
    #expect(try StoreComparer.differences(path, copy) == [])
  }

  @Test func objectsThatOnlyTheAppCanLeaveOutAreNotLeftOut() throws {
    try GeneratorDatabase(path: original).run(
      "CREATE TRIGGER OWN AFTER DELETE ON ZTAGENTITY BEGIN SELECT 1; END")
    let archive = directory.file("Own.coffer.tar.gz")
    try StoreExporter().export(storeAt: original, to: archive)
    var options = ImportOptions()
    options.selection = ObjectSelection(entityNames: ["LocationEntity"])
    let error = #expect(throws: CofferError.self) {
      try StoreImporter(options: options).import(archive, to: directory.file("None.sqlite"))
    }
    #expect(error?.code == .refused && error?.place.path == archive)
    #expect(error?.advice == ["Restore all objects."])
  }

  @Test func wrongSelectionsLeaveNothing() throws {
    for (entity, condition, code) in [
      ("Nobody", nil, CofferError.Code.noSuchEntity),
      ("TagEntity", "nothing == 1", .noSuchProperty), ("TagEntity", "(", .invalidCondition),
    ] as [(String, String?, CofferError.Code)] {
      let path = directory.file("None.sqlite")
      var options = ImportOptions()
      options.selection = ObjectSelection(entityNames: [Name(entity)], condition: condition)
      let error = #expect(throws: CofferError.self) {
        try StoreImporter(options: options).import(archive, to: path)
      }
      #expect(error?.code == code)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
