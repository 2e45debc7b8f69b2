internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataModel

/// Written sources of models read back as the original model.
@Suite struct SourceModelWriterTests {
  private func model(_ body: String) throws -> ManagedObjectModel {
    try SourceModelReader.read(
      contents: Array("<?xml version=\"1.0\"?><model>\(body)</model>".utf8))
  }

  private func kinds(_ source: SourceModel) -> Set<SourceModelDeparture.Kind> {
    Set(source.departures.map(\.kind))
  }

  @Test(arguments: [
    "attributeType='Decimal' defaultValueString='12.50'",
    "attributeType='Decimal' defaultValueString='-0.0003'",
    "attributeType='Decimal' defaultValueString='7e3'",
    "attributeType='Decimal' defaultValueString='340282366920938463463374607431768211455'",
    "attributeType='Integer 64' defaultValueString='-9223372036854775808'",
    "attributeType='Double' defaultValueString='0.1' minValueString='0' maxValueString='2.5'",
    "attributeType='Date' defaultDateTimeInterval='-978307200.25' minDateTimeInterval='5'",
    "attributeType='String' defaultValueString='a&#10;&quot;&amp;&lt;b' minValueString='3'",
    "attributeType='String' regularExpressionString='^a+$' maxValueString='9' indexed='YES'",
    "attributeType='Boolean' defaultValueString='YES' optional='YES' transient='YES'",
    "attributeType='UUID' defaultValueString='00112233-4455-6677-8899-AABBCCDDEEFF'",
    "attributeType='URI' defaultValueString='https://example.org/?a=b&amp;c'",
    "attributeType='UUID' defaultValueString='Empy'",
    "attributeType='Transformable' valueTransformerName='T' customClassName='Color'",
    "attributeType='Binary' allowsExternalBinaryDataStorage='YES' allowsCloudEncryption='YES'",
    "preserveAfterDeletion='YES' spotlightIndexingEnabled='YES' elementID='b'",
    "attributeType='Integer 32' derived='YES' derivationExpression='x.y.@count'",
    "attributeType='Date' derived='YES' derivationExpression='now:()' versionHashModifier='2'",
    "transient='YES'", "attributeType='4711'", "composite='Place'",
  ])
  func attributesAreReadAsTheyWere(_ text: String) throws {
    let place = "<composite name='Place'><attribute name='x' attributeType='Double'/></composite>"
    let found = try model(
      """
      <entity name='A'><attribute name='a' \(text)><userInfo><entry key='k' value='v'/></userInfo>
      </attribute><attribute name='b' attributeType='String'/></entity>\(place)
      """)
    let source = try SourceModel(found)
    #expect(source.departures == [])
    #expect(try SourceModelReader.read(contents: source.contents) == found)
  }

  @Test func everythingBesidesAttributesIsReadAsItWas() throws {
    let found = try model(
      """
      <entity name='A' representedClassName='App.A' isAbstract='YES' elementID='Old'
        versionHashModifier='m'>
      <attribute name='x' attributeType='String'/><attribute name='y' attributeType='Date'/>
      <relationship name='r' toMany='YES' minCount='2' maxCount='5' ordered='YES' optional='YES'
        deletionRule='Cascade' destinationEntity='B' inverseName='s' inverseEntity='B'
        spotlightIndexingEnabled='YES' versionHashModifier='z'/>
      <relationship name='alone' maxCount='1' minCount='1' destinationEntity='B' transient='YES'/>
      <fetchedProperty name='f' optional='YES'><fetchRequest name='q' entity='B' fetchLimit='3'
        predicateString='ANY tags.name CONTAINS[cd] $FETCH_SOURCE.x AND NOT (z == NULL)'/>
      </fetchedProperty>
      <fetchIndex name='byX' predicate='x != NULL'><fetchIndexElement property='x' order='descending'/>
      <fetchIndexElement expression='y.z' type='RTree'/></fetchIndex>
      <compoundIndexes><compoundIndex><index value='x'/><index value='y'/></compoundIndex></compoundIndexes>
      <uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint>
      </uniquenessConstraints><userInfo><entry key='k' value=''/></userInfo></entity>
      <entity name='B' parentEntity='A'><relationship name='s' maxCount='1' destinationEntity='A'
        inverseName='r' inverseEntity='A' deletionRule='Deny'/></entity>
      <configuration name='Cloud'><memberEntity name='B'/><memberEntity name='A'/></configuration>
      """)
    let source = try SourceModel(found)
    #expect(source.departures == [])
    #expect(try SourceModelReader.read(contents: source.contents) == found)
    let text = String(decoding: source.contents, as: UTF8.self)
    #expect(text.contains("inverseName=\"s\" inverseEntity=\"B\""))
  }

  @Test func requestsAreNotedBecauseTheirNamesAloneAreKnown() throws {
    let found = try model("<fetchRequest name='Q' entity='A'/><entity name='A'/>")
    let source = try SourceModel(found)
    #expect(source.departures == [.init(.fetchRequests)])
    #expect(try SourceModelReader.read(contents: source.contents) == found)
  }

  @Test func whatASourceCannotHoldIsNamed() throws {
    let source = try SourceModel(SampleModels.everyFeature)
    #expect(
      source.departures.map {
        "\($0.kind.rawValue) \($0.entityName ?? "") \($0.propertyName ?? "")"
      }
        == Self.everyFeature)
  }

  private static let everyFeature = [
    "version-identifiers  ", "fetch-requests  ", "value-class Magazine issued",
    "value-class Novel isGood", "value-class Novel link", "value-class Novel pages",
    "value-class Novel weight", "user-info Publication ", "added-index Publication ",
    "validation Publication code", "user-info Publication code", "value-class Publication cover",
    "value-class Publication place", "value-class Publication price",
    "value-class Publication readerCount",
    "derivation Publication readerCount", "value-class Publication shared",
    "default-value Publication temporary",
    "default-form Publication price", "predicate Reader favourites",
    "sort-order Reader favourites", "value-class Reader name",
  ]

  @Test(arguments: 0..<200) func aModelWithoutDeparturesIsReadAsItWas(_ seed: UInt64) throws {
    let model = SampleModels.generated(seed: seed)
    guard let source = try? SourceModel(model) else { return }
    let found = try SourceModelReader.read(contents: source.contents)
    #expect((found == model) == source.departures.allSatisfy { $0.kind == .fetchRequests })
    // What the first pass could not hold is gone, so that the second loses nothing.
    let second = try SourceModel(found)
    #expect(second.departures.filter(\.isLoss) == [], "seed \(seed)")
  }

  /// Default values as Core Data archives them, and the result of reading them.
  private static let forms: [(AttributeType, ModelValue, ModelValue, [String])] = [
    (.boolean, .integer(1), .bool(true), ["default-form"]),
    (.boolean, .real(1), .bool(true), ["default-form"]),
    (.integer32, .bool(true), .integer(1), ["default-form"]),
    (.integer16, .real(2), .integer(2), ["default-form"]),
    (.double, .integer(2), .real(2), ["default-form"]),
    (.decimal, .integer(5), DecimalNumber(parsing: "5").archived, ["default-form"]),
    (
      .decimal,
      .object(
        className: "NSDecimalNumber",
        fields: [
          "NS.mantissa": .data([0, 25]), "NS.mantissa.bo": .integer(2),
          "NS.exponent": .integer(-1), "NS.negative": .bool(true),
        ]), DecimalNumber(parsing: "-2.5").archived, ["default-form"]
    ),
    (
      .uuid, .uuid("00112233-4455-6677-8899-AABBCCDDEEFF"),
      .uuid("00112233-4455-6677-8899-AABBCCDDEEFF"), []
    ),
    (.date, .date(-0.5), .date(-0.5), []),
  ]

  @Test(arguments: forms)
  func defaultValuesKeepTheirMeaning(
    _ type: AttributeType, _ value: ModelValue, _ expected: ModelValue, _ kinds: [String]
  ) throws {
    let attribute = AttributeDescription(name: "a", type: type, defaultValue: value)
    let model = ManagedObjectModel(
      entities: [EntityDescription(name: "A", attributes: [attribute])], source: .file)
    let source = try SourceModel(model)
    let found = try SourceModelReader.read(contents: source.contents)
    #expect(found["A"]?.attributes.first?.defaultValue == expected)
    let departures = source.departures.filter { $0.kind.rawValue.hasPrefix("default") }
    #expect(departures.map(\.kind.rawValue) == kinds)
  }

  @Test(
    arguments: [
      .uuid("ABCDEFAB-CDEF-ABCD-EFAB-CDEFABCDEFAB"), .date(0), .real(.nan), .url("a/b"),
    ] as [ModelValue])
  func aConditionWithAConstantWithoutTextIsLeftOut(_ constant: ModelValue) throws {
    let index = FetchIndexDescription(
      name: "some", elements: [.init(propertyName: "a", isAscending: true)],
      partialIndexPredicate: .comparison(
        .keyPath(operand: nil, "a"), .init(rawValue: 4), .constant(constant)))
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A", attributes: [AttributeDescription(name: "a", type: .uuid)],
          fetchIndexes: [index])
      ], source: .file)
    let source = try SourceModel(model)
    #expect(source.departures.contains { $0.kind == .predicate })
    let found = try SourceModelReader.read(contents: source.contents)
    #expect(found["A"]?.fetchIndexes.first?.partialIndexPredicate == nil)
  }

  @Test func writingIsTheSameEachTime() throws {
    for seed in 0..<20 as Range<UInt64> {
      let model = SampleModels.generated(seed: seed)
      #expect(SourceModelWriter.contents(of: model) == SourceModelWriter.contents(of: model))
    }
  }

  @Test func namesThatNoXMLHoldsAreAnError() {
    let model = ManagedObjectModel(
      entities: [EntityDescription(name: "\u{0}"), EntityDescription(name: "\u{1}")],
      source: .file)
    #expect(throws: CofferError.self) { try SourceModel(model) }
  }
}
