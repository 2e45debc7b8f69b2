internal import CoreDataArchive
internal import CoreDataModel

extension FuzzTarget {
  private static let documentWords =
    jsonWords + [
      "entities", "name", "type", "relationships", "attributes", "superentity", "destination",
      "$null", "minimumReader", "version", "columns", "tables", "role", "kind", "statements",
      "text",
      "predicate", "elements", "userInfo", "sourceexpression", "toOne", "attribute", "object",
    ]

  /// The documents at the head of an archive.
  static let documents = FuzzTarget(
    "documents", "manifest, model, schema and layout; a document written reads the same",
    words: documentWords,
    seeds: {
      try FuzzSamples.entries(of: FuzzSamples.sampleArchive.get())
        .filter { $0.name.hasSuffix(".json") }.map(\.bytes)
        + FuzzSamples.entries(of: FuzzSamples.smallArchive.get())
        .filter { $0.name.hasSuffix(".json") }.map(\.bytes)
    },
    change: { try JSONValue.mutate(&$0, words: documentWords, &$1) }
  ) { input in
    guard let value = try? JSONValue.parse(input) else { return }
    try holdDocument(value, "manifest", { v throws(DocumentError) in try ArchiveManifest(v) }) {
      $0.encoded()
    }
    try holdDocument(value, "schema", { v throws(DocumentError) in try SchemaDocument(v) }) {
      $0.encoded()
    }
    try holdDocument(value, "layout", { v throws(DocumentError) in try LayoutDocument(v) }) {
      $0.encoded()
    }
    try holdDocument(value, "model", { v throws(DocumentError) in try ModelDocument(v) }) {
      $0.value
    }
  }

  /// Reads a document and writes it, as long as it is one of that kind.
  private static func holdDocument<Document>(
    _ value: JSONValue, _ kind: String, _ read: (JSONValue) throws(DocumentError) -> Document,
    write: (Document) -> JSONValue
  ) throws {
    let document: Document
    do throws(DocumentError) {
      document = try read(value)
    } catch {
      return
    }
    let text = write(document).bytes()
    let again: JSONValue
    do throws(JSONError) {
      again = try JSONValue.parse(text)
    } catch {
      throw BrokenLaw("a \(kind) is written as a text that cannot be read: \(error)")
    }
    let second: Document
    do throws(DocumentError) {
      second = try read(again)
    } catch {
      throw BrokenLaw("a \(kind) that was written is refused: \(error)")
    }
    try hold(write(second).bytes() == text, "a \(kind) reads otherwise when it is written")
  }
}
