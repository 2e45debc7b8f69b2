internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataModel

/// The models of real stores and apps, written as sources and read again.
@Suite(.enabled(if: Oracle.isAvailable, "COFFER_REAL_STORES and COFFER_ORACLES are not set"))
struct RealSourceModelTests {
  /// The departures in compiled models of the corpus: the framework's additions when it loads a model,
  /// and parts that only models made in code have.
  private static let known: Set<SourceModelDeparture.Kind> = [
    .addedIdentifier, .addedIndex, .inherited, .defaultForm, .sortOrder, .defaultValue,
    .validation, .userInfo,
  ]

  @Test func everySourceIsReadAsItWas() throws {
    for sample in try Oracle.sources.get() {
      let model = try SourceModelReader.read(contents: sample.bytes)
      let source = try SourceModel(model)
      #expect(source.departures == [], "\(sample.path)")
      #expect(try SourceModelReader.read(contents: source.contents) == model, "\(sample.path)")
    }
  }

  @Test func everyCompiledModelIsReadAsItWasButForWhatIsNamed() throws {
    for sample in try Oracle.cachedModels.get() {
      try check(try ModelCacheReader.read(compressed: sample.bytes), sample.path)
    }
    for sample in try Oracle.modelFiles.get() {
      try check(try ModelCacheReader.read(archive: sample.bytes), sample.path)
    }
  }

  private func check(_ model: ManagedObjectModel, _ path: String) throws {
    let source = try SourceModel(model)
    let found = try SourceModelReader.read(contents: source.contents)
    #expect((found == model) == source.departures.isEmpty, "\(path)")
    let unknown = source.departures.filter { !Self.known.contains($0.kind) }
    #expect(unknown == [], "\(path)")
    #expect(try SourceModel(found).departures == [], "\(path)")
  }

  @Test func theOracleReadsWhatWasWrittenAsTheOriginal() throws {
    let folder = try TemporaryDirectory()
    let stores = try #require(Oracle.storesPath)
    for (number, sample) in try Oracle.sources.get().enumerated() {
      let model = try SourceModelReader.read(contents: sample.bytes)
      let path = folder.file("\(number).xml")
      try Data(try SourceModel(model).contents).write(to: URL(fileURLWithPath: path))
      let shapes = try [path, "\(stores)/\(sample.path)"].map { path in
        let result = try TestSupport.Oracle.run("xcmodel.py", [path])
        try #require(result.status == 0, "\(result.errorOutput)")
        return try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
          .removing(["indexes"]).canonicalModel
      }
      #expect(shapes[0].differences(from: shapes[1]) == [], "\(sample.path)")
    }
  }
}
