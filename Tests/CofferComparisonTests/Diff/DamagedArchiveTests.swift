internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Archives whose digests are right and whose content is wrong end a comparison with an error.
@Suite struct DamagedArchiveTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  /// An archive of the sample with the text of one entry changed.
  private func archive(
    changing name: String, _ change: (String) -> String
  ) throws -> String {
    let file = try ArchiveFile(path: samples.archive(of: samples.sample))
    let path = samples.directory.file("Damaged")
    let writer = try ArchiveWriter(to: .file(path: path, overwriting: true))
    for entry in file.index.entries {
      var bytes = try file.read(entry.name)
      if entry.name == name {
        bytes = ContiguousArray(change(String(decoding: bytes, as: UTF8.self)).utf8)
      }
      try unsafe bytes.withUnsafeBytes {
        unsafe try writer.add(name: entry.name, bytes: $0, attributes: entry.attributes)
      }
    }
    _ = try writer.finish()
    return path
  }

  private static let tags = "entities/TagEntity/00000.ndjson"

  private func expectDamage(
    _ name: String, at place: String? = nil, location: SourceLocation = #_sourceLocation,
    _ change: (String) -> String
  ) throws {
    let path = try archive(changing: name, change)
    for (first, second) in [(samples.sample, path), (path, samples.sample)] {
      let error = #expect(throws: CofferError.self, sourceLocation: location) {
        try StoreComparison().compare(first, second)
      }
      #expect(error?.code == .damagedArchive, sourceLocation: location)
      #expect(error?.place.entry == place ?? name, sourceLocation: location)
    }
  }

  @Test func unchangedArchiveIsEqual() throws {
    let path = try archive(changing: Self.tags) { $0 }
    #expect(try differences(samples.sample, path).texts == [])
  }

  @Test func linesInTheWrongOrderAreDamage() throws {
    try expectDamage(Self.tags) { text in
      text.split(separator: "\n").reversed().map { $0 + "\n" }.joined()
    }
  }

  @Test func repeatedLinesAreDamage() throws {
    try expectDamage(Self.tags) { $0.split(separator: "\n").map { "\($0)\n\($0)\n" }.joined() }
  }

  @Test(arguments: [
    "{}", "{\"$pk\":\"1\"}", "{\"$pk\":1.5}", "{\"$pk\":1", "[]", "", "x", "{\"$pk\":1}}",
    "{\"$pk\":99999999999999999999}", "{\"$pk\":-}",
  ])
  func linesThatAreNoObjectsAreDamage(_ line: String) throws {
    try expectDamage(Self.tags) { _ in "\(line)\n" }
  }

  @Test(arguments: [
    "[0,1]", "[-1,1]", "[\"value-9\",3]", "[9223372036854775807,9223372036854775807]", "[0,-1]",
    "[]", "[0]", "[null,1]", "[0,1,2]",
  ])
  func referencesThatLeadNowhereAreDamage(_ reference: String) throws {
    // An entry that a line refers to is missing itself.
    let missing = reference.contains("value") ? "entities/AttachmentEntity/00000.value-9" : nil
    try expectDamage("entities/AttachmentEntity/00000.ndjson", at: missing) { text in
      var lines = text.split(separator: "\n")
      lines[0] = "{\"$pk\":1,\"$opt\":1,\"content\":{\"$bytes\":\(reference)}}"
      return lines.map { $0 + "\n" }.joined()
    }
  }

  @Test func partWithoutLineFeedAtItsEndIsReadToItsEnd() throws {
    let path = try archive(changing: Self.tags) { String($0.dropLast()) }
    #expect(try differences(samples.sample, path).texts == [])
  }
}
