internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Every command treats names that differ only in the composition of an accent like names that differ in
/// their letters.
@Suite struct ComposedNameTests {
  /// Two endings of names: of entities, attributes and relationships at once.
  private struct Endings {
    var first: String
    var second: String

    /// Puts the endings into a text; `{A}` and `{B}` stand for them, `{a}` and `{b}` for their upper
    /// case.
    func apply(to text: String) -> String {
      [("{A}", first), ("{B}", second), ("{a}", first.uppercased()), ("{b}", second.uppercased())]
        .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
  }

  private static let letters = Endings(first: "zq", second: "eq")
  private static let accents = Endings(first: "\u{e9}", second: "e\u{301}")

  private static func entities(_ more: String = "") -> String {
    func toOne(_ name: String, _ destination: String, _ inverse: Name) -> String {
      """
      <relationship name='\(name)' optional='YES' maxCount='1' destinationEntity='\(destination)' \
      inverseName='\(inverse)' inverseEntity='\(destination)'/>
      """
    }
    func toMany(_ name: String, _ destination: String, _ inverse: Name) -> String {
      toOne(name, destination, inverse).replacing("maxCount='1'", with: "toMany='YES'")
    }
    let attributes = """
      <attribute name='v{A}' attributeType='String' optional='YES'/>
      <attribute name='v{B}' attributeType='Integer 64' optional='YES'/>
      """
    return """
      <?xml version='1.0'?><model>
      <entity name='P{A}'>\(attributes)\(more)
      \(toOne("o{A}", "P{B}", "m{A}"))\(toOne("o{B}", "P{B}", "m{B}"))
      \(toMany("n{A}", "P{B}", "k{A}"))\(toMany("n{B}", "P{B}", "k{B}"))
      </entity>
      <entity name='S{A}' parentEntity='P{A}'>
      <attribute name='w' attributeType='String'/>\(toOne("r", "S{A}", "t"))\(toOne("t", "S{A}", "r"))
      </entity>
      <entity name='S{B}' parentEntity='P{A}'>
      <attribute name='w' attributeType='String' optional='YES'/>
      </entity>
      <entity name='P{B}'>\(attributes)
      \(toMany("m{A}", "P{A}", "o{A}"))\(toMany("m{B}", "P{A}", "o{B}"))
      \(toMany("k{A}", "P{A}", "n{A}"))\(toMany("k{B}", "P{A}", "n{B}"))
      <uniquenessConstraints><uniquenessConstraint><constraint value='v{A}'/></uniquenessConstraint>
      </uniquenessConstraints>
      </entity></model>
      """
  }

  private static let rows = """
    INSERT INTO "ZP{b}" (Z_PK, Z_ENT, Z_OPT, "ZV{a}", "ZV{b}")
    SELECT column1, Z_ENT, 1, column2, column1 * 10 FROM
    (VALUES (1, 'one'), (2, 'two'), (3, 'three')) JOIN Z_PRIMARYKEY ON Z_NAME = 'P{B}';
    INSERT INTO "ZP{a}" (Z_PK, Z_ENT, Z_OPT, "ZV{a}", "ZV{b}", "ZO{a}", "ZO{b}")
    SELECT column1, Z_ENT, 1, column3, column1, column4, column5 FROM
    (VALUES (1, 'P{A}', 'a', 1, 2), (2, 'S{A}', 'b', 3, 1), (3, 'S{B}', 'c', NULL, 3))
    JOIN Z_PRIMARYKEY ON Z_NAME = column2;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_SUPER = 0
    """

  /// A folder with a store of such names.
  private struct Subject {
    let endings: Endings
    let folder: TemporaryDirectory
    let store: String

    init(_ endings: Endings) throws {
      self.endings = endings
      folder = try TemporaryDirectory()
      store = folder.file("Store.sqlite")
      try StoreCreator().create(source(ComposedNameTests.entities(), named: "M"), at: store)
      try change(ComposedNameTests.rows)
      let database = try GeneratorDatabase(path: store)
      let tables = try database.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY rowid"
      )
      #expect(tables.count == 2)
      for (number, row) in tables.enumerated() {
        guard case .text(let name)? = row.first else { continue }
        try database.run(
          "INSERT INTO \"\(String(decoding: name, as: UTF8.self))\" VALUES "
            + "(1, 1), (2, \(number + 1)), (3, \(number + 2))")
      }
    }

    /// Writes the source of a model.
    func source(_ text: String, named name: String) throws -> String {
      let path = folder.file("\(name).xcdatamodel")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      _ = try folder.write(
        Array(endings.apply(to: text).utf8), to: "\(name).xcdatamodel/contents")
      return path
    }

    func change(_ sql: String, in path: String? = nil) throws {
      try GeneratorDatabase(path: path ?? store).run(endings.apply(to: sql))
    }

    /// What one command says, with the names of letters.
    func said(_ lines: [String]) -> [String] {
      lines.map { line in
        [(endings.first, letters.first), (endings.second, letters.second)]
          .flatMap { [$0, ($0.0.uppercased(), $0.1.uppercased())] }
          .reduce(line) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
          // Names of columns and files are distinguished as file systems do.
          .replacing("_2", with: "")
      }
    }
  }

  /// The output of a command for both stores.
  private func compare(_ body: (Subject) throws -> [String]) throws {
    let plain = try Subject(Self.letters)
    let expected = plain.said(try body(plain))
    #expect(!expected.isEmpty)
    let composed = try Subject(Self.accents)
    let found = composed.said(try body(composed))
    #expect(found == expected)
  }

  @Test func verifyNamesTheRightOne() throws {
    try compare { subject in
      try subject.change(
        """
        UPDATE "ZP{a}" SET "ZO{a}" = 77 WHERE Z_PK = 1; UPDATE "ZP{a}" SET "ZO{b}" = 78 WHERE Z_PK = 2;
        UPDATE "ZP{a}" SET "ZV{b}" = 'text' WHERE Z_PK = 3
        """)
      let archive = subject.folder.file("a.coffer.tar.gz")
      try StoreExporter().export(storeAt: subject.store, to: archive)
      let texts = try Verification(of: subject.store).findings.map { "\($0)" }
      #expect(try Verification(of: archive).texts == Verification(of: subject.store).texts)
      return texts
    }
  }

  @Test func importRestoresAndReportsTheRightOne() throws {
    try compare { subject in
      let trip = try RoundTrip(of: subject.store)
      #expect(try trip.problems() == [])
      try subject.change("UPDATE \"ZP{a}\" SET \"ZO{a}\" = 77 WHERE Z_PK = 1")
      return try ["\(trip.imported.content)"]
        + RoundTrip(of: subject.store).imported.findings.map { "\($0)" }
    }
  }

  @Test func inspectCountsTheRightOne() throws {
    try compare { subject in
      try StoreInspector().inspect(subject.store).entities.map { "\($0.name) \($0.objectCount)" }
    }
  }

  @Test func showFollowsTheRightOne() throws {
    try compare { subject in
      var said: [String] = []
      for (entity, names) in [
        ("P{A}", ["o{A}", "o{B}", "n{A}", "n{B}"]), ("P{B}", ["m{A}", "m{B}", "k{A}", "k{B}"]),
        ("S{A}", ["r"]), ("S{B}", ["o{B}"]),
      ] {
        for name in names {
          let query = ObjectQuery(
            entityName: Name(subject.endings.apply(to: entity)),
            followedRelationships: [Name(subject.endings.apply(to: name))])
          try ObjectBrowser().show(subject.store, query) { said.append("\($0)") }
        }
      }
      return said
    }
  }

  @Test func diffNamesTheRightOne() throws {
    try compare { subject in
      let other = try RoundTrip(of: subject.store)
      try subject.change(
        """
        UPDATE "ZP{a}" SET "ZO{a}" = 2 WHERE Z_PK = 1; UPDATE "ZP{b}" SET "ZV{b}" = 7 WHERE Z_PK = 2;
        UPDATE "ZP{a}" SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'S{A}')
        WHERE Z_PK = 3
        """)
      return try differences(subject.store, other.copy, values: true).texts
        + differences(other.archive, subject.store, values: true).texts
    }
  }

  @Test(arguments: [DataFormat.csv, .ndjson]) func tablesHoldTheRightOne(_ format: DataFormat)
    throws
  {
    try compare { subject in
      let output = subject.folder.file("Data")
      let summary = try DataExporter(options: DataExportOptions(format: format))
        .write(subject.store, to: output)
      return try summary.parts.flatMap { part in
        ["\(part.entityName) \(part.relationshipName ?? "-") \(part.count)"]
          + (try String(contentsOfFile: "\(output)/\(part.fileName)", encoding: .utf8))
          .split(separator: "\n").map(String.init)
      }
    }
  }

  @Test func migrateCarriesTheRightOne() throws {
    try compare { subject in
      let model = try subject.source(
        Self.entities("<attribute name='u{A}' attributeType='String' optional='YES'/>"), named: "N")
      let new = subject.folder.file("New.sqlite")
      try StoreMigrator().migrate(subject.store, to: model, at: new)
      var said = try Verification(of: new).findings.map { "\($0)" }
      for table in ["ZP{a}", "ZP{b}"] {
        said += try SampleCopy.rows(new, "SELECT * FROM \"\(subject.endings.apply(to: table))\"")
          .map { "\($0)" }
      }
      return said
    }
  }
}
