internal import CoreDataModel
internal import Testing

/// Models of a shape that no app has: too large, too deep, with names that collide or mean something
/// elsewhere.
@Suite struct HostileModelShapeTests {
  private func read(_ entities: [EntityDescription]) throws(CofferError) -> ManagedObjectModel {
    let model = ManagedObjectModel(entities: entities, source: .modelCache)
    return try ModelCacheReader.read(archive: ModelCacheWriter.archive(model))
  }

  /// Entities each of which is the superentity of the next.
  private func chain(_ count: Int) -> [EntityDescription] {
    (0..<count).map {
      EntityDescription(name: "E\($0)", superentityName: $0 == 0 ? nil : "E\($0 - 1)")
    }
  }

  @Test func inheritanceHasALimit() throws {
    let longest = ManagedObjectModel.maximumInheritanceDepth
    #expect(try read(chain(longest)).lineage(of: "E\(longest - 1)").count == longest)
    #expect(code { _ = try read(chain(longest + 1)) } == .modelLimit)
  }

  @Test func theNumberOfEntitiesHasALimit() {
    let entities = (0..<ManagedObjectModel.entityLimit).map { EntityDescription(name: "E\($0)") }
    #expect(code { _ = try read(entities) } == .modelLimit)
  }

  @Test(arguments: [
    "", " ", "\"", "'", "line\nfeed", "\0", "😀", "]", "a.b", "../x", "$pk", "\u{202e}x",
    String(repeating: "n", count: 1_000_000),
  ])
  func namesAreReadAsTheyAre(_ text: String) throws {
    let name = Name(text)
    let model = try read([
      EntityDescription(
        name: name, attributes: [.init(name: name, type: .string)],
        relationships: [
          // Its inverse is a property of something that is not there.
          .init(name: "\(name)2", destinationName: "none", inverseName: "such", maxCount: 1)
        ])
    ])
    #expect(model.entities.map(\.name) == [name])
    #expect(model[name]?.attributes.map(\.name) == [name])
    let relationship = try #require(model[name]?.relationships.first)
    #expect(model.inverse(of: relationship) == nil)
  }

  @Test func attributesThatDifferInCaseAreAllRead() throws {
    let names = ["a", "A", "\u{e9}", "\u{c9}"]
    let attributes = names.map { AttributeDescription(name: Name($0), type: .string) }
    let found = try read([EntityDescription(name: "E", attributes: attributes)])
    let read = found["E"]?.attributes.map { Array($0.name.utf8) } ?? []
    #expect(Set(read) == Set(names.map { Array($0.utf8) }))
  }

  @Test func nestingThatHidesInInstructionsIsFound() {
    // The parser skips an instruction as a whole, not only up to its first bracket.
    let text =
      "<plist>" + String(repeating: "<array><?a <x></array></array>?>", count: 100_000)
    #expect(code { _ = try PropertyListValue.parse(Array(text.utf8)) } == .modelLimit)
  }

  @Test(arguments: [
    """
    <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;">\
    <!ENTITY c "&b;&b;&b;&b;&b;">]><plist version="1.0"><string>&c;</string></plist>
    """,
    """
    <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a SYSTEM "file:///etc/passwd">]>\
    <plist version="1.0"><string>&a;</string></plist>
    """,
    """
    <?xml version="1.0"?><!DOCTYPE plist SYSTEM "file:///dev/zero">\
    <plist version="1.0"><string>&a;</string></plist>
    """,
  ])
  func entitiesOfXMLAreNotExpanded(_ text: String) {
    #expect(code { _ = try PropertyListValue.parse(Array(text.utf8)) } == .damagedModel)
  }
}
