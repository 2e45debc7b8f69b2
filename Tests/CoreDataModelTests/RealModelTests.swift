internal import CoreDataModel
internal import Testing

/// The models of real stores, compared with an independent decoder. They need the corpus and the
/// decoder (see ``Oracle``) and are skipped without them.
@Suite(.enabled(if: Oracle.isAvailable, "COFFER_REAL_STORES and COFFER_ORACLES are not set"))
struct RealModelTests {
  /// How many stores of the corpus have a cached model.
  static let cacheCount = 62

  @Test func everyCachedModelEqualsTheOracles() throws {
    let samples = try Oracle.cachedModels.get()
    #expect(samples.count >= Self.cacheCount)
    for sample in samples {
      let model = try ModelCacheReader.read(compressed: sample.bytes)
      #expect(model.source == .modelCache)
      compare(model, with: sample)
    }
  }

  @Test func everyModelFileEqualsTheOracles() throws {
    let samples = try Oracle.modelFiles.get()
    #expect(!samples.isEmpty)
    for sample in samples {
      let model = try ModelCacheReader.read(archive: sample.bytes)
      #expect(model.source == .file)
      compare(model, with: sample)
    }
  }

  @Test func everyCachedModelIsReadBackAsItWasWritten() throws {
    for sample in try Oracle.cachedModels.get() {
      let model = try ModelCacheReader.read(compressed: sample.bytes)
      let written = try ModelCacheWriter.write(model)
      #expect(try ModelCacheReader.read(compressed: written) == model, "\(sample.path)")
      #expect(try ModelCacheWriter.write(model) == written, "\(sample.path)")
    }
  }

  @Test func theOracleReadsWhatWasWrittenAsTheOriginal() throws {
    let samples = try Oracle.cachedModels.get()
    let written = try samples.map {
      try ModelCacheWriter.write(try ModelCacheReader.read(compressed: $0.bytes))
    }
    let decoded = try Oracle.decode(written)
    try #require(decoded.count == samples.count)
    for (sample, decoded) in zip(samples, decoded) {
      // Some systems archive inherited properties as proxies, others as copies.
      let expected = sample.model.removing(["proxy"]).canonicalModel
      #expect(differences(decoded.canonicalModel, expected) == [], "\(sample.path)")
    }
  }

  private func compare(_ model: ManagedObjectModel, with sample: Oracle.Sample) {
    let expected = sample.model.removing(OracleShape.archiveKeys).canonicalModel
    let found = OracleShape.model(model).canonicalModel
    #expect(differences(found, expected) == [], "\(sample.path)")
  }

  /// The places where two models differ, property by property.
  private func differences(_ found: JSONValue, _ expected: JSONValue) -> [String] {
    var places: [String] = []
    for key in Set(found.keys + expected.keys).sorted() where key != "entities" {
      if found[key] != expected[key] { places.append(key) }
    }
    let (foundEntities, expectedEntities) = (
      found["entities"].elements, expected["entities"].elements
    )
    guard foundEntities.map({ $0["name"] }) == expectedEntities.map({ $0["name"] }) else {
      return places + ["entities"]
    }
    for (entity, other) in zip(foundEntities, expectedEntities) {
      let name = entity["name"].text
      for key in Set(entity.keys + other.keys).sorted() where key != "properties" {
        if entity[key] != other[key] {
          places.append("\(name): \(key): \(entity[key]) for \(other[key])")
        }
      }
      let (own, theirs) = (entity["properties"].elements, other["properties"].elements)
      if own.count != theirs.count { places.append("\(name): \(own.count) for \(theirs.count)") }
      for (property, counterpart) in zip(own, theirs) {
        for key in Set(property.keys + counterpart.keys).sorted()
        where property[key] != counterpart[key] {
          places.append(
            "\(name).\(property["name"].text): \(key): \(property[key]) for \(counterpart[key])")
        }
      }
    }
    return places
  }
}
