internal import CoreDataModel
internal import Testing

/// The models of real stores, compared with an independent decoder.
///
/// They need the corpus and the
/// decoder (see ``Oracle``) and are skipped without them.
@Suite(.enabled(if: Oracle.isAvailable, "COFFER_REAL_STORES and COFFER_ORACLES are not set"))
struct RealModelTests {
  /// The number of stores in the corpus with a cached model.
  static let cacheCount = 62
  /// The number of model sources in the corpus.
  static let sourceCount = 89
  /// The number of stores in the corpus.
  static let storeCount = 72

  @Test func everyCachedModelEqualsTheOracles() throws {
    let samples = try Oracle.cachedModels.get()
    #expect(samples.count >= Self.cacheCount)
    for sample in samples {
      let model = try ModelCacheReader.read(compressed: sample.bytes)
      #expect(model.source == .modelCache)
      compare(model, with: sample)
    }
  }

  @Test func theMetadataOfEveryStoreEqualsTheOracles() throws {
    let samples = try Oracle.metadata.get()
    #expect(samples.count >= Self.storeCount)
    for sample in samples {
      let value = try PropertyListValue.parse(sample.bytes)
      #expect(OracleShape.propertyList(value) == sample.model, "\(sample.path)")
      #expect(try PropertyListValue.parse(BinaryPlistWriter.write(value)) == value)
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

  @Test func everySourceEqualsTheOracles() throws {
    let samples = try Oracle.sources.get()
    #expect(samples.count >= Self.sourceCount)
    for sample in samples {
      let model = try SourceModelReader.read(contents: sample.bytes)
      // The facts that the oracle does not report, and the order that it does not know.
      let keys = OracleShape.archiveKeys.union([
        "flags", "validation", "typeName", "subentities", "expression",
      ])
      let expected = sample.model.removing(keys).canonicalModel
      let found = OracleShape.model(model).removing(keys).canonicalModel
      #expect(found.differences(from: expected) == [], "\(sample.path)")
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
      #expect(decoded.canonicalModel.differences(from: expected) == [], "\(sample.path)")
    }
  }

  private func compare(_ model: ManagedObjectModel, with sample: Oracle.Sample) {
    let expected = sample.model.removing(OracleShape.archiveKeys).canonicalModel
    let found = OracleShape.model(model).canonicalModel
    #expect(found.differences(from: expected) == [], "\(sample.path)")
  }
}
