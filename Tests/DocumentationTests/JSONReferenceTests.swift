internal import Foundation
internal import TestSupport
internal import Testing

/// Every type and every key of the lines that the program writes is described.
@Suite struct JSONReferenceTests {
  private let folder: TemporaryDirectory
  private let page: String

  init() throws {
    folder = try TemporaryDirectory()
    page = try MarkdownPage("docs/scripting.md").prose
    try SampleStore.write(to: folder.file("Todo.sqlite"))
    // Without its files, the second store has findings, and differs.
    try SampleStore.write(to: folder.file("Bare.sqlite"))
    try FileManager.default.removeItem(atPath: folder.file(".Bare_SUPPORT"))
    try SampleStore.write(to: folder.file("Wrong.sqlite"))
    try Damage.unknownEntity.apply(to: folder.file("Wrong.sqlite"))
    // Something to repair, and a relationship that stays because it is required.
    try SampleStore.write(to: folder.file("Mixed.sqlite"))
    try Damage.staleMaximum.apply(to: folder.file("Mixed.sqlite"))
    try Damage.mandatoryToOneDangling.apply(to: folder.file("Mixed.sqlite"))
    try SampleStore.write(to: folder.file("Broken.sqlite"), journal: .delete)
    try Damage.brokenPage.apply(to: folder.file("Broken.sqlite"))
    try Self.writeModels(to: folder.file("Trips.xcdatamodeld"))
  }

  @Test func whatIsWrittenIsDescribed() throws {
    for arguments in [
      ["export", "Todo.sqlite", "Todo.tar.gz"], ["export", "Bare.sqlite", "Bare.tar.gz"],
      ["import", "Bare.tar.gz", "Copy.sqlite"],
      ["import", "Todo.tar.gz", "New.sqlite", "--store-uuid", "new", "--history", "drop"],
      ["rescue", "Todo.tar.gz", "-o", "Salvaged.sqlite"],
      ["inspect", "Todo.sqlite", "--values", "--content-digest"], ["inspect", "Bare.tar.gz"],
      ["verify", "Todo.sqlite"], ["verify", "Wrong.sqlite"], ["verify", "--list"],
      ["verify", "--explain", "dangling-relationship"],
      ["diff", "Todo.sqlite", "Copy.sqlite", "--values"],
      ["diff", "Todo.tar.gz", "New.sqlite", "--values"],
      ["diff", "Todo.sqlite", "Copy.sqlite", "--output", "Day.tar.gz"],
      ["apply", "Todo.sqlite", "Day.tar.gz", "--output", "Applied.sqlite"],
      ["apply", "Todo.sqlite", "Day.tar.gz", "--dry-run"],
      ["verify", "Day.tar.gz"], ["inspect", "Day.tar.gz"], ["show", "Day.tar.gz", "TagEntity"],
      ["changes", "inspect", "Day.tar.gz", "--values"],
      ["changes", "reverse", "Day.tar.gz", "--output", "Back.tar.gz"],
      ["merge", "Todo.sqlite", "Copy.sqlite", "--match-by-object-id", "--output", "Merged.sqlite"],
      [
        "merge", "Todo.sqlite", "Copy.sqlite", "--match-by-object-id", "--dry-run", "--policy",
        "overwrite",
      ],
      ["dedupe", "Todo.sqlite", "--match", "VisitEntity=departure", "-o", "Deduped.sqlite"],
      ["repair", "Mixed.sqlite", "--fix", "dangling-relationship"],
      ["repair", "Mixed.sqlite", "--set", "TodoEntity.priority=2", "--where", "priority == 3"],
      ["repair", "Mixed.sqlite", "--output", "Plan.tar.gz"],
      ["repair", "Mixed.sqlite", "--apply", "--fix", "dangling-relationship"],
      ["rescue", "Broken.sqlite", "-o", "Rescued.sqlite"],
      ["repair", "Todo.tar.gz", "--from", "Bare.tar.gz", "--output", "Mended.tar.gz"],
      ["compact", "Todo.sqlite", "--output", "Compact.sqlite"],
      ["compact", "Todo.sqlite", "--dry-run"],
      [
        "anonymize", "Todo.sqlite", "Shared.sqlite", "--around", "TodoEntity/p1", "--closure",
        "to-one",
        "--explain",
      ],
      ["anonymize", "Wrong.sqlite", "All.sqlite", "--keep", "TagEntity.name"],
      ["import", "Todo.tar.gz", "Some.sqlite", "--entity", "TagEntity"],
      ["backup", "Todo.sqlite", "Bare.sqlite", "--vault", "Vault"], ["vault", "list", "Vault"],
      ["restore", "Vault", "Restored.sqlite", "--store", "Todo"],
      ["vault", "check", "Vault", "--max-age", "1h"],
      ["vault", "drill", "Vault"], ["history", "Vault", "TagEntity/p1", "--store", "Todo"],
      ["vault", "forget", "Vault", "--keep-daily", "7"],
      ["create", "Todo.sqlite", "Created.sqlite"],
      ["create", "Todo.sqlite", "Invented.sqlite", "--objects", "5"],
      ["migrate", "Todo.sqlite", "Later.sqlite", "--model", "Todo.tar.gz"],
      ["migrate", "Todo.sqlite", "--model", "Todo.tar.gz", "--dry-run"],
      ["rescue", "Broken.sqlite", "-o", "Broken.tar.gz"], ["inspect", "Broken.tar.gz"],
      ["tables", "export", "Todo.sqlite", "Tables", "--format", "csv"],
      ["tables", "import", "Tables", "Made.sqlite", "--model", "Todo.sqlite"],
      ["sql", "Todo.sqlite", "SELECT * FROM TagEntity"],
      ["show", "Todo.sqlite", "TodoEntity", "--group-by", "isDone"],
      ["model", "Todo.sqlite"], ["model", "Todo.sqlite", "--format", "dot", "-o", "Todo.dot"],
      ["model", "--lint", "--cloudkit", "Todo.sqlite"],
      ["model", "--diff", "Todo.sqlite", "Trips.xcdatamodeld/Trips.xcdatamodel"],
      ["model", "--diff", "Trips.xcdatamodeld/Trips.xcdatamodel", "Trips.xcdatamodeld"],
      ["model", "--matrix", "Trips.xcdatamodeld"], ["model", "Todo.sqlite", "Todo.tar.gz"],
      ["model", "Todo.sqlite", "Trips.xcdatamodeld"],
    ] {
      let lines = try run(arguments).output.split(separator: "\n")
      #expect(!lines.isEmpty, "\(arguments)")
      for line in lines { try expectDescribed(String(line), arguments) }
      let last = try object(String(lines.last ?? ""))
      #expect(last["type"] as? String == "summary", "\(arguments)")
    }
  }

  @Test func errorsAreDescribed() throws {
    let result = try run(["export", "missing.sqlite", "-"])
    #expect(result.status == 10)
    try expectDescribed(result.errorOutput, ["export"])
  }

  /// Two versions of a model, between which there are a problem and a condition.
  private static func writeModels(to path: String) throws {
    for (name, attributes) in [
      ("Trips", "<attribute name='a' attributeType='Integer 16'/>"),
      (
        "Trips 2",
        """
        <attribute name='a' attributeType='Date'/><attribute name='b' optional='YES'
        attributeType='String'/><uniquenessConstraints><uniquenessConstraint>
        <constraint value='b'/></uniquenessConstraint></uniquenessConstraints>
        """
      ),
    ] {
      let folder = "\(path)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("<?xml version='1.0'?><model><entity name='A'>\(attributes)</entity></model>".utf8)
        .write(to: URL(fileURLWithPath: "\(folder)/contents"))
    }
    let current =
      "<plist><dict><key>_XCCurrentVersionName</key>"
      + "<string>Trips 2.xcdatamodel</string></dict></plist>"
    try Data("<?xml version=\"1.0\"?>\(current)".utf8)
      .write(to: URL(fileURLWithPath: "\(path)/.xccurrentversion"))
  }

  private func run(_ arguments: [String]) throws -> ProcessResult {
    try ProcessRunner(BuiltProgram.path(), directory: folder.path)
      .run(arguments + ["--json"])
  }

  private func expectDescribed(_ line: String, _ arguments: [String]) throws {
    let object = try object(line)
    let type = try #require(object["type"] as? String)
    let isDescribed = page.contains("`\(type)`") || page.contains("### \(type)")
    #expect(isDescribed, "\(arguments[0]): the type \(type)")
    for key in Self.keys(of: object) {
      #expect(page.contains("`\(key)`"), "\(arguments[0]): the key \(key) of \(type)")
    }
  }

  private func object(_ line: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any], "\(line)")
  }

  /// What has the form that archives give it, which is described there; a user info has any keys, and so
  /// has a row.
  private static let forms: Set<String> = [
    "defaultValue", "derivation", "expression", "partialIndexPredicate", "predicate", "userInfo",
    "validationPredicates", "values",
  ]

  /// The keys of an object and of all objects in it.
  private static func keys(of value: Any) -> Set<String> {
    if let object = value as? [String: Any] {
      return object.filter { !forms.contains($0.key) }.values
        .reduce(into: Set(object.keys)) { $0.formUnion(keys(of: $1)) }
    }
    guard let list = value as? [Any] else { return [] }
    return list.reduce(into: []) { $0.formUnion(keys(of: $1)) }
  }
}
