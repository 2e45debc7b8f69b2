internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Renaming identifiers that authors add to a version after stores were written with it.
@Suite struct MigrationIdentifierTests {
  private let folder: TemporaryDirectory
  private let bundle: String

  /// In the first version, a flag has the identifier of the number that it is in the second.
  init() throws {
    folder = try TemporaryDirectory()
    bundle = folder.file("Chat.xcdatamodeld")
    let attributes = [
      #"<attribute name="isSilenced" attributeType="Boolean" elementID="mutedStatus" optional="YES"/>"#,
      #"<attribute name="mutedStatus" attributeType="Integer 32" optional="YES" defaultValueString="0"/>"#,
    ]
    for (number, attribute) in attributes.enumerated() {
      let version = "\(bundle)/Chat \(number + 1).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Chat" representedClassName="Chat">\(attribute)</entity></model>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
  }

  /// A store whose copy of the first version has no identifier yet.
  private func store() throws -> String {
    let path = folder.file("Chat.sqlite")
    var chat = try #require(try ModelLoader.model(from: bundle, version: "Chat 1")["Chat"])
    chat.attributes[0].renamingIdentifier = nil
    let model = ManagedObjectModel(
      entities: [chat], versionIdentifiers: [""], source: .modelCache)
    let builder = try SampleStoreBuilder(path: path, model: model, journal: .delete)
    for value in [1, 0, 1] { try builder.insert("Chat", ["isSilenced": .integer(Int64(value))]) }
    try builder.finish()
    return path
  }

  private static let expected: [[StoreValue]] = [[1], [0], [1]]
  private static let query = "SELECT ZMUTEDSTATUS FROM ZCHAT ORDER BY Z_PK"

  @Test func thoseOfTheVersionWinOverThoseOfTheStore() throws {
    let new = folder.file("New.sqlite")
    let options = MigrationOptions(version: "Chat 2")
    let summary = try StoreMigrator(options: options).migrate(store(), to: bundle, at: new)
    #expect(try GeneratorDatabase(path: new).rows(Self.query) == Self.expected)
    let notes = summary.notes.filter { $0.code == .otherIdentifiers }
    #expect(notes.count == 1)
    #expect(notes.first?.text.contains("Chat.isSilenced") == true)
    #expect(try StoreMigrator(options: options).plan(store(), to: bundle).notes.contains(notes[0]))
  }

  @Test func anArchiveGivesWhatItsStoreGives() throws {
    let archive = folder.file("Chat.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store()), to: archive)
    let new = folder.file("New.sqlite")
    try StoreMigrator(options: MigrationOptions(version: "Chat 2"))
      .migrate(archive, to: bundle, at: new)
    #expect(try GeneratorDatabase(path: new).rows(Self.query) == Self.expected)
  }

  @Test func theVersionThatIsNamedWins() throws {
    var options = MigrationOptions(version: "Chat 2")
    options.storeModel = "Chat 1"
    let new = folder.file("New.sqlite")
    try StoreMigrator(options: options).migrate(store(), to: bundle, at: new)
    #expect(try GeneratorDatabase(path: new).rows(Self.query) == Self.expected)
  }
}
