internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CofferTables

/// Names from data are names of files and of tables, and nothing else.
@Suite struct DataExportNameTests {
  private static let hostile = [
    "a/b", "..", ".", ".hidden", "a\\b", "C:", "a\u{0}b", "a\nb", "", "Item", "item", "ITEM",
    String(repeating: "x", count: 500), String(repeating: "é", count: 300), "%41", "A", "café",
    "cafe\u{301}",
  ]

  @Test func namesOfFilesAreHarmless() {
    var names = DataFileNames()
    var taken: Set<String> = []
    for name in Self.hostile {
      for relationship in [nil, "tags", "../x"] as [Name?] {
        let part = DataPart(entityName: Name(name), relationshipName: relationship, columns: [])
        let file = names.take(part, ending: "csv")
        #expect(!file.hasPrefix("."), "\(file)")
        #expect(file.utf8.count <= 255)
        #expect(file.hasSuffix(".csv"))
        let isHarmless = !file.utf8.contains { $0 < 0x21 || [0x2F, 0x5C, 0x3A].contains($0) }
        #expect(isHarmless, "\(file)")
        #expect(taken.insert(file.lowercased()).inserted, "\(file)")
      }
    }
  }

  @Test func aDatabaseIsNamedLikeItsSource() {
    for (path, name) in [
      ("a/Trips.sqlite", "Trips"), ("Trips.coffer.tar.gz", "Trips"),
      ("My.Trips.sqlite", "My.Trips"),
      ("My.Trips.coffer.tar.gz.age", "My.Trips"), ("Trips", "Trips"), ("x/.gz", "Store"),
      ("Trips.tgz", "Trips"),
    ] {
      #expect(DataFileNames.databaseName(of: path) == name, "\(path)")
    }
  }

  @Test func entitiesOfAnyNameBecomeTables() throws {
    let folder = try TemporaryDirectory()
    let plain = try PlainDatabase(at: folder.file("a.sqlite"), place: "a.sqlite")
    try plain.use { database in
      for name in Self.hostile.filter({ !$0.contains("\u{0}") }) {
        let column = DataColumn(name: "x\"'\(name)", content: .position, column: 0)
        let part = DataPart(entityName: Name(name), number: 1, columns: [column])
        var below = part
        below.entityName = "it's"
        let shape = TableLayout(folder: "", storedName: "", kind: .entity, fields: [])
        let table = ExportedTable(shape: shape, parts: [part, below])
        let made = DatabaseTable(table, name: "\(name)-\(UUID())")
        try database.run(made.creation([:], keyName: "id"))
        try database.run(
          made.view(of: 1, named: "v'\"\(UUID())", entityNames: ["it's", "''", "'"]))
        _ = try database.prepare(made.insertion)
      }
    }
    #expect(try plain.finish() == 0)
  }

  /// A field read back is the text, for all short texts of the characters that matter.
  @Test func quotedFieldsReadBack() {
    let alphabet = ["\"", ",", "\r", "\n", "a"].map { Array($0.utf8) }
    var texts: [[UInt8]] = [[]]
    var longest: [[UInt8]] = [[]]
    for _ in 0..<5 {
      longest = longest.flatMap { text in alphabet.map { text + $0 } }
      texts += longest
    }
    for text in texts {
      for padding in ["", "0123456", "0123456789"] {
        let bytes = Array(padding.utf8) + text
        var buffer = JSONBuffer()
        unsafe bytes.withUnsafeBytes { unsafe buffer.appendField(utf8: $0) }
        let field = buffer.bytes()
        let isPlain = !bytes.isEmpty && !bytes.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
        #expect(Self.unquoted(field) == bytes)
        #expect((field == bytes) == isPlain)
      }
    }
  }

  /// The text of a quoted field; a field without quotes stays unchanged.
  private static func unquoted(_ field: [UInt8]) -> [UInt8]? {
    guard field.first == 0x22 else { return field }
    guard field.count >= 2, field.last == 0x22 else { return nil }
    var rest = field.dropFirst().dropLast()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == 0x22, rest.popFirst() != 0x22 { return nil }
      text.append(byte)
    }
    return text
  }
}
