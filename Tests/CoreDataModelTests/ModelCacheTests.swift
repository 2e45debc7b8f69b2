internal import CoreDataModel
internal import Testing

/// Models are read back as they were written.
@Suite struct ModelCacheTests {
  @Test(arguments: [SampleModels.small, SampleModels.everyFeature])
  func aModelIsReadBackAsItWasWritten(_ model: ManagedObjectModel) throws {
    let written = try ModelCacheWriter.write(model)
    #expect(try ModelCacheReader.read(compressed: written) == model)
    #expect(try ModelCacheReader.read(archive: ModelCacheWriter.archive(model)) == model)
    #expect(try ModelCacheWriter.write(model) == written)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func aGeneratedModelIsReadBackAsItWasWritten(_ seed: UInt64) throws {
    let model = SampleModels.generated(seed: seed)
    let written = try ModelCacheWriter.write(model)
    let read = try ModelCacheReader.read(compressed: written)
    // Compared outside of the macro, which would print both models.
    let isEqual = read == model
    #expect(isEqual, "seed \(seed)")
    #expect(try ModelCacheWriter.write(read) == written, "seed \(seed)")
  }

  @Test(.enabled(if: Oracle.isAvailable, "COFFER_REAL_STORES and COFFER_ORACLES are not set"))
  func theOracleReadsEveryFeature() throws {
    let models = [SampleModels.small, SampleModels.everyFeature]
    let decoded = try Oracle.decode(models.map { try ModelCacheWriter.write($0) })
    try #require(decoded.count == models.count)
    for (model, decoded) in zip(models, decoded) {
      let found = decoded.removing(OracleShape.archiveKeys).canonicalModel
      #expect(found.differences(from: OracleShape.model(model).canonicalModel) == [])
    }
  }

  @Test func aRenamingIdentifierThatEqualsTheNameIsReadAsNil() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A",
          attributes: [AttributeDescription(name: "x", type: .string, renamingIdentifier: "x")],
          renamingIdentifier: "A")
      ], source: .modelCache)
    let read = try ModelCacheReader.read(archive: ModelCacheWriter.archive(model))
    #expect(read.entities.first?.renamingIdentifier == nil)
    #expect(read.entities.first?.attributes.first?.renamingIdentifier == nil)
  }

  @Test func mutableStringsAreReadAsStrings() throws {
    let archive = try PropertyListValue.parse(ModelCacheWriter.archive(SampleModels.everyFeature))
    var objects = try #require(archive["$objects"]?.elements)
    let count = objects.count
    for position in 1..<count {
      guard case .string = objects[position] else { continue }
      objects[position] = .dictionary([
        .init("NS.string", objects[position]), .init("$class", .uid(UInt64(count))),
      ])
    }
    objects.append(
      .dictionary([
        .init("$classname", .string("NSMutableString")),
        .init(
          "$classes",
          .array([.string("NSMutableString"), .string("NSString"), .string("NSObject")])),
      ]))
    let changed = ArchiveFixture.archive(objects: objects)
    #expect(try ModelCacheReader.read(archive: changed) == SampleModels.everyFeature)
  }

  @Test func subentitiesListInheritedPropertiesAndOnlyOwnOnesAreRead() throws {
    let archive = try PropertyListValue.parse(ModelCacheWriter.archive(SampleModels.everyFeature))
    let objects = try #require(archive["$objects"]?.elements)
    let attributes = objects.filter { $0["NSAttributeType"] != nil }
    // Publication has 7 attributes with 4 elements in its composite one; Magazine and Novel repeat
    // them and add 2 and 4; Reader has 1.
    #expect(attributes.count == 3 * (7 + 4) + 2 + 4 + 1)
    let read = try ModelCacheReader.read(archive: BinaryPlistWriter.write(archive))
    #expect(read["Magazine"]?.attributes.map(\.name) == ["issued", "logo"])
  }

  @Test func theFlagWordSaysWhatTheFlagsSay() throws {
    let archive = try PropertyListValue.parse(ModelCacheWriter.archive(SampleModels.small))
    let objects = try #require(archive["$objects"]?.elements)
    let words = objects.compactMap { $0["_P"]?.integerValue }
    // Measured on real stores: an ordered relationship, a plain one, a required attribute.
    #expect(words.sorted() == [241, 243, 1267])
  }
}
