internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store to share, and the verdict of an independent judge on the result.
struct AnonymizationTrial {
  let folder: TemporaryDirectory
  let source: String

  /// A generated store.
  init(objects: Int = 300) throws {
    folder = try TemporaryDirectory()
    source = folder.file("Source.sqlite")
    var options = GeneratorOptions()
    options.objectCount = objects
    options.externalCount = 4
    try StoreMaker.write(to: source, options)
  }

  /// The sample store, with a defect.
  init(_ damage: Damage) throws {
    folder = try TemporaryDirectory()
    source = folder.file("Source.sqlite")
    try SampleStore.write(to: source)
    try damage.apply(to: source)
  }

  /// A real store.
  init(_ store: RealStore) throws {
    folder = try TemporaryDirectory()
    source = try RealStores.copy(store, to: folder)
  }

  /// Shares the store.
  @discardableResult
  func share(
    _ name: String = "Share.sqlite", as form: AnonymizationTarget = .store,
    _ change: (inout AnonymizationOptions) -> Void = { _ in },
    explained: ((AnonymizedObject) throws -> Void)? = nil
  ) throws -> (path: String, summary: AnonymizationSummary) {
    var options = AnonymizationOptions()
    change(&options)
    let path = folder.file(name)
    return (
      path,
      try StoreAnonymizer(options: options).anonymize(
        source, to: path, as: form, explained: explained)
    )
  }

  /// The numbers of findings by code.
  static func findings(_ path: String) throws -> [FindingCode: Int] {
    var options = VerificationOptions()
    options.environment = .inPlace
    let found = Found()
    try Verifier(options: options).verify(path) {
      found.counts[$0.code, default: 0] += $0.multiplicity
    }
    return found.counts
  }

  private final class Found {
    var counts: [FindingCode: Int] = [:]
  }

  /// What of the source is found in a result.
  func originals(in result: String) throws -> [String] {
    let python = try #require(ProcessRunner.find("python3"))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("find-originals.py").path
    let judged = try ProcessRunner(python).run([script, source, result])
    guard judged.status != 0 else { return [] }
    return (judged.output + judged.errorOutput).split(separator: "\n").map(String.init)
  }

  static func integers(_ path: String, _ sql: String) throws -> [Int64] {
    try GeneratorDatabase(path: path).rows(sql).compactMap {
      if case .integer(let number)? = $0.first { number } else { nil }
    }
  }

  static func texts(_ path: String, _ sql: String) throws -> [String] {
    try GeneratorDatabase(path: path).rows(sql).compactMap {
      if case .text(let text)? = $0.first { String(decoding: text, as: UTF8.self) } else { nil }
    }
  }
}
