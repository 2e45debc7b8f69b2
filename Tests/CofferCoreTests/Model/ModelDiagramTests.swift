internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferReports

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Diagrams contain every part of a model once, and distinguishable.
@Suite struct ModelDiagramTests {
  @Test func mermaidShowsEntitiesCardinalityAndInheritance() {
    var entities = ModelSamples.sound.entities
    entities.append(EntityDescription(name: "Ride", isAbstract: true, superentityName: "Leg"))
    let model = ManagedObjectModel(entities: entities, source: .file)
    #expect(
      ModelDiagram(model).mermaid == """
        classDiagram
          class Leg {
            photo: Binary?
          }
          class Ride {
            <<abstract>>
          }
          class Trip {
            name: String?
          }
          Leg <|-- Ride
          Leg "0..*" -- "0..1" Trip : trip / legs

        """)
  }

  @Test func aPairOfInversesIsOneLink() {
    for model in [ModelSamples.sound, ModelSamples.made(20), ModelSamples.made(60)] {
      let diagram = ModelDiagram(model)
      let ends = diagram.links.flatMap { [$0.end, $0.inverse].compactMap { $0 } }
        .map { [$0.entity, $0.place] }
      #expect(Set(ends).count == ends.count)
      #expect(ends.count == model.entities.reduce(0) { $0 + $1.relationships.count })
    }
  }

  @Test func aRelationshipThatIsItsOwnInverseIsOneLink() {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person",
          relationships: [
            RelationshipDescription(
              name: "friends", destinationName: "Person", inverseName: "friends", maxCount: 0)
          ])
      ], source: .file)
    let links = ModelDiagram(model).links
    #expect(links.count == 1)
    #expect(links.first?.isSymmetric == true)
    #expect(ModelDiagram(model).mermaid.contains("Person \"0..*\" -- \"0..*\" Person : friends"))
  }

  @Test(arguments: [
    (false, 0, 1, "1"), (true, 0, 1, "0..1"), (true, 0, 0, "0..*"), (false, 0, 0, "0..*"),
    (false, 2, 5, "2..5"), (true, 2, 5, "0..5"), (false, 3, 3, "3"), (true, 0, -1, "0..*"),
  ])
  func cardinalitiesSayHowManyThereMayBe(
    _ isOptional: Bool, _ least: Int, _ most: Int, _ text: String
  ) {
    let relationship = RelationshipDescription(
      name: "r", destinationName: "A", minCount: least, maxCount: most, isOptional: isOptional)
    #expect(relationship.cardinality == text)
  }

  @Test(arguments: [1, 2, 3, 12, 60])
  func everyLineOfMermaidIsOneThing(_ count: Int) {
    let model = ModelSamples.made(count)
    let lines = ModelDiagram(model).mermaid.split(separator: "\n").map(String.init)
    let diagram = ModelDiagram(model)
    #expect(lines.count { $0.hasPrefix("  class ") } == count)
    #expect(lines.count { $0.contains("<|--") } == diagram.parents.count { $0 != nil })
    #expect(lines.count { $0.contains(" : ") && !$0.hasPrefix("    ") } == diagram.links.count)
  }

  @Test func namesMeanNothingInAnyLanguage() throws {
    let diagram = ModelDiagram(ModelSamples.awkward)
    #expect(diagram.mermaid.split(separator: "\n").count { $0.hasPrefix("  class ") } == 3)
    #expect(!diagram.mermaid.contains("<b>"))
    #expect(diagram.mermaid.contains("entity1[\"A#34;#60;b#62;#38;#92;#123;x#125;#10;\"]"))
    #expect(diagram.dot.contains("A&quot;&lt;b&gt;&amp;\\{x}"))
    #expect(diagram.dot.contains("label=\"self|\\\"\""))
    #expect(try elements(diagram.svg(title: "<\"&>"))["g"] ?? 0 > 0)
  }

  @Test func graphvizReadsWhatIsWritten() throws {
    guard let dot = ProcessRunner.find("dot") else {
      print("dot of Graphviz is not installed: what it says of diagrams is not tested")
      return
    }
    for model in [
      ModelSamples.sound, ModelSamples.awkward, ModelSamples.made(1), ModelSamples.made(30),
    ] {
      let result = try ProcessRunner(dot)
        .run(["-Tplain"], input: Array(ModelDiagram(model).dot.utf8))
      #expect(result.status == 0, "\(result.errorOutput)")
      let lines = result.output.split(separator: "\n")
      let diagram = ModelDiagram(model)
      #expect(lines.count { $0.hasPrefix("node ") } == model.entities.count)
      let edges = diagram.links.count + diagram.parents.count { $0 != nil }
      #expect(lines.count { $0.hasPrefix("edge ") } == edges)
    }
  }

  @Test(arguments: [0, 1, 3, 25, 60])
  func aDrawingHasEveryEntityAndEveryLinkOnce(_ count: Int) throws {
    let model = ModelSamples.made(count)
    let diagram = ModelDiagram(model)
    let text = diagram.svg(title: "Made")
    #expect(text == ModelDiagram(model).svg(title: "Made"))
    #expect(try elements(text)["svg"] == 1)
    #expect(text.components(separatedBy: "<g class=\"entity ").count - 1 == count)
    #expect(text.components(separatedBy: "<g class=\"link ").count - 1 == diagram.links.count)
    for entity in model.entities {
      #expect(text.contains("y=\"") && text.contains(">\(entity.name)</text>"))
    }
    let heirs = diagram.parents.count { $0 != nil }
    #expect(text.components(separatedBy: "<g class=\"inherits\"").count - 1 == heirs)
    #expect(!text.contains("http://") || text.components(separatedBy: "http").count == 2)
  }

  /// The number of elements of each name in a document; it is read as XML.
  private func elements(_ text: String) throws -> [String: Int] {
    final class Counter: NSObject, XMLParserDelegate {
      var counts: [String: Int] = [:]
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
      ) {
        counts[name, default: 0] += 1
      }
    }
    let counter = Counter()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = counter
    try #require(parser.parse(), "not well-formed, near line \(parser.lineNumber)")
    return counter.counts
  }
}
