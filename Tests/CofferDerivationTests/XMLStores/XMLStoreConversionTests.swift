internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// SQLite stores that are made of XML stores.
@Suite struct XMLStoreConversionTests {
  private static func converted(
    _ bytes: [UInt8], in folder: TemporaryDirectory
  ) throws -> XMLStoreConversion {
    let path = folder.file("Notes.xml")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var environment = WorkEnvironment(model: LoadedModel(XMLStoreSample.model))
    environment.temporaryFolder = folder.path
    return try XMLStoreConversion(of: path, environment)
  }

  private static func rows(_ sql: String, _ path: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: path).rows(sql)
  }

  @Test func everyValueArrives() throws {
    let folder = try TemporaryDirectory()
    let store = try Self.converted(Array(XMLStoreSample.text.utf8), in: folder)
    let notes = try Self.rows(
      "SELECT Z_PK, ZISPINNED, ZCREATEDAT, ZRATING, ZTITLE, ZCOVER, ZPAGES, ZPRICE, hex(ZTOKEN), ZFOLDER "
        + "FROM ZNOTE ORDER BY Z_PK", store.path)
    #expect(
      notes == [
        [
          .integer(102), .integer(1), .real(123_456_789.125), .null, .string(" two  spaces "),
          .blob([1, 2, 3, 4, 5]), .null, .null, .string(""), .integer(104),
        ],
        [
          .integer(103), .null, .null, .null, .null, .null, .integer(7), .real(12.5),
          .string("E621E1F8C36C495A93FC0C247A3E6E5F"), .integer(104),
        ],
      ])
    let order = try Self.rows("SELECT Z_PK FROM ZNOTE ORDER BY Z_FOK_FOLDER", store.path)
    #expect(order == [[.integer(103)], [.integer(102)]])
    let opened = try PersistentStore(readingFrom: store.path)
    #expect(opened.uuid == XMLStoreSample.uuid)
    #expect(opened.metadata.applicationKeys == ["theme"])
    #expect(opened.metadata.frameworkVersion == 640)
    var findings: [String] = []
    var options = VerificationOptions()
    options.skippedCodes = [.noVersionHashes]
    _ = try Verifier(options: options).verify(store.path) { findings.append("\($0)") }
    #expect(findings == [])
  }

  @Test func nothingIsLeftBehind() throws {
    let folder = try TemporaryDirectory()
    var store: XMLStoreConversion? = try Self.converted(
      Array(XMLStoreSample.text.utf8), in: folder)
    let path = try #require(store?.path)
    #expect(FileManager.default.fileExists(atPath: path))
    store = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Objects that contradict the model, and what the error names.
  private static let wrong: [(objects: String, code: CofferError.Code, item: String)] = [
    ("<object type='PLACE' id='z1'/>", .modelMismatch, "z1 (line 19)"),
    (
      "<object type='NOTE' id='z1'><attribute name='nope'>1</attribute></object>", .modelMismatch,
      "z1.nope (line 19)"
    ),
    (
      "<object type='NOTE' id='z1'><attribute name='createdat'>soon</attribute></object>",
      .damagedStore, "z1.createdAt (line 19)"
    ),
    (
      "<object type='NOTE' id='z1'><attribute name='cover'>!</attribute></object>", .damagedStore,
      "z1.cover (line 19)"
    ),
    (
      "<object type='NOTE' id='z1'><attribute name='ispinned'>maybe</attribute></object>",
      .damagedStore, "Note, z1 (line 19), column isPinned"
    ),
    (
      "<object type='FOLDER' id='z1'/><object type='FOLDER' id='z3'/><object type='NOTE' id='z2'>"
        + "<relationship name='folder' idrefs='z1 z3'/></object>", .damagedStore,
      "z2.folder (line 19)"
    ),
    (
      "<object type='NOTE' id='z2'><relationship name='folder' idrefs='z2'/></object>",
      .damagedStore, "Note, z2 (line 19), column folder"
    ),
    ("<object type='NOTE' id='q1'/>", .damagedStore, "q1 (line 19)"),
    ("<object type='NOTE' id='z0'/>", .damagedStore, "z0 (line 19)"),
    ("<object type='NOTE' id='z-4'/>", .damagedStore, "z-4 (line 19)"),
    (
      "<object type='NOTE' id='z9223372036854775807'/>", .damagedStore,
      "z9223372036854775807 (line 19)"
    ),
    (
      "<object type='NOTE' id='z1'><attribute name='TITLE'/><attribute name='title'/></object>",
      .damagedStore, "z1 (line 19)"
    ),
  ]

  @Test(arguments: wrong)
  func whatContradictsTheModelIsRefused(
    _ wrong: (objects: String, code: CofferError.Code, item: String)
  ) throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: CofferError.self) {
      try Self.converted(XMLStoreSample.store(wrong.objects), in: folder)
    }
    #expect(error?.code == wrong.code, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.place.item == wrong.item, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.place.path.hasSuffix("Notes.xml") == true)
  }

  /// Case is ignored, as documented.
  @Test func namesAreFoundInAnyCase() throws {
    let folder = try TemporaryDirectory()
    let store = try Self.converted(
      XMLStoreSample.store(
        "<object type='Note' id='z1'><attribute name='CreatedAt'>1</attribute></object>"),
      in: folder)
    #expect(try Self.rows("SELECT ZCREATEDAT FROM ZNOTE", store.path) == [[.integer(1)]])
  }

  /// Names that differ only in case are not confused: a name that could be either is refused.
  @Test func namesThatDifferInCaseAreToldApart() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Extra", className: "Extra",
          attributes: ["V", "aB", "ab", "v"].map { AttributeDescription(name: $0, type: .string) })
      ], versionIdentifiers: [""], source: .modelCache)
    let folder = try TemporaryDirectory()
    let path = folder.file("Extra.xml")
    let environment = WorkEnvironment(model: LoadedModel(model))
    for (name, isClear) in [("aB", true), ("v", false), ("V", false), ("ab", false)] {
      let text = "<object type='EXTRA' id='z1'><attribute name='\(name)'>one</attribute></object>"
      try Data(XMLStoreSample.store(text)).write(to: URL(fileURLWithPath: path))
      if isClear {
        let store = try XMLStoreConversion(of: path, environment)
        let row = try Self.rows("SELECT * FROM ZEXTRA", store.path).first ?? []
        #expect(row.filter { $0 == "one" }.count == 1, "\(name)")
      } else {
        let error = #expect(throws: CofferError.self) {
          try XMLStoreConversion(of: path, environment)
        }
        #expect(error?.code == .modelMismatch, "\(name)")
        #expect(error?.detail.hasPrefix("it may be ") == true)
      }
    }
  }

  /// A decimal number of Core Data has up to 38 digits; an SQLite store keeps 16 of them.
  @Test func longDecimalsAreRoundedAndNamed() throws {
    func store(_ price: String) throws -> (price: [[StoreValue]], note: String?) {
      let folder = try TemporaryDirectory()
      let store = try Self.converted(
        XMLStoreSample.store(
          "<object type='BIGNOTE' id='z1'><attribute name='price'>\(price)</attribute></object>"),
        in: folder)
      return (try Self.rows("SELECT ZPRICE FROM ZNOTE", store.path), store.roundingNote)
    }
    let long = try store("0.12345678901234567890123456789012345678")
    #expect(long.price == [[.real(0.12345678901234568)]])
    #expect(
      long.note
        == "1 decimal number is rounded, because an SQLite store keeps about 16 digits of a decimal number; "
        + "the first is z1.price (line 19)")
    #expect(try store("0.1234567890123456").note == nil)
    #expect(try store("12345678901234567").price == [[.integer(12_345_678_901_234_567)]])
  }

  @Test func withoutAModelNothingIsGuessed() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Notes.xml")
    try Data(XMLStoreSample.text.utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: CofferError.self) {
      try XMLStoreConversion(of: path, WorkEnvironment())
    }
    #expect(error?.code == .unknownStoreModel)
  }

  /// Whatever is in the file, it becomes a store that a verification accepts, or an error.
  @Test func noChangeOfTheFileCrashes() throws {
    var random = SeededGenerator(seed: 200)
    let whole = Array(XMLStoreSample.text.utf8)
    let texts = [
      "z102", "z103 z104", "z9", "NOTE", "FOLDER", "1e400", "-1", "nan", "\u{0}", "</object>",
    ]
    var refused = 0
    for _ in 0..<200 {
      let folder = try TemporaryDirectory()
      var bytes = whole
      for _ in 0..<(1 + random.below(3)) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(40)))
        default: bytes.insert(contentsOf: texts[random.below(texts.count)].utf8, at: place)
        }
      }
      do {
        let store = try Self.converted(bytes, in: folder)
        _ = try PersistentStore(readingFrom: store.path)
      } catch let error as CofferError {
        refused += 1
        #expect(!error.place.path.contains("coffer-conversion"), "\(error)")
      }
    }
    #expect(refused > 20 && refused < 200)
  }

  /// A file of a gibibyte is refused before it is read as a whole.
  @Test func aHugeFileIsRefused() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Huge.xml")
    try Data(XMLStoreSample.text.utf8).write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.truncate(atOffset: 1 << 30)
    try handle.close()
    let error = #expect(throws: CofferError.self) {
      try XMLStoreConversion(of: path, WorkEnvironment(model: LoadedModel(XMLStoreSample.model)))
    }
    #expect(error?.code == .refused)
  }
}
