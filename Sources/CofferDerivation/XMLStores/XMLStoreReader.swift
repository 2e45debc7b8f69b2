package import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import POSIX

/// Reads Core Data XML stores.
///
/// Time and memory are bounded by the size of the file, which has a limit. A document type declaration is
/// read over; one that declares entities is refused.
package enum XMLStoreReader {
  /// The limits of a file; Core Data holds a whole XML store in memory too.
  static let limits = MarkupElement.Limits(size: 128 << 20, depth: 64, count: 4_000_000)
  /// The maximum size of one tag, with the IDs of a relationship, or of one text: Foundation's parser takes 10 MB.
  static let largestPart = 9 << 20

  /// Whether a file begins like an XML store.
  package static func isXMLStore(_ path: String) -> Bool {
    guard let bytes = try? FileSignature.bytes(ofFileAt: path, count: ForeignFile.prefixSize)
    else { return false }
    return ForeignFile(bytes) == .xmlStore
  }

  /// Reads a file.
  ///
  /// - Throws: ``CofferError``: `not-found` and `read-failed`; `not-core-data` for another kind of file;
  ///   `damaged-store` for one that contradicts the format; `refused` beyond a limit.
  package static func read(_ path: String) throws(CofferError) -> XMLStore {
    let bytes: [UInt8]
    do throws(SystemError) {
      // One byte more than allowed, so that a larger file is refused for its size.
      bytes = try FileBytes.contents(of: path, upTo: limits.size + 1)
    } catch {
      throw CofferError(reading: path, error)
    }
    do throws(CofferError) { return try parse(bytes) } catch { throw error.located(at: path) }
  }

  /// Parses a file.
  package static func parse(_ bytes: [UInt8]) throws(CofferError) -> XMLStore {
    guard bytes.count <= limits.size else {
      throw translated(CofferError(.modelLimit, detail: "a file of more than \(limits.size) bytes"))
    }
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
      throw CofferError(
        .damagedStore, detail: "XML in UTF-16, and only UTF-8 is read",
        advice:
          "Convert a copy: iconv -f UTF-16 -t UTF-8. Change the encoding in its first line too.")
    }
    var bytes = bytes
    try requireCharacters(bytes)
    try removeTypeDeclaration(&bytes)
    try requireSmallParts(bytes)
    let root: MarkupElement
    do throws(CofferError) {
      root = try MarkupElement.parse(bytes, limits: limits)
    } catch {
      throw translated(error)
    }
    guard root.name == "database" else {
      throw CofferError(
        .notCoreData, detail: "it is XML with the outermost element \(root.name), not database")
    }
    try requireNoText(root)
    for child in root.children where !["databaseInfo", "object"].contains(child.name) {
      throw damaged("line \(child.line)", "an element \(child.name) among the objects")
    }
    let info = root.children.first { $0.name == "databaseInfo" }
    let uuid = trimmed(info?.text(of: "UUID"))
    guard uuid.map({ UUID(uuidString: $0) != nil }) ?? true else {
      throw CofferError(.damagedStore, item: "databaseInfo", detail: "a UUID that is none")
    }
    let store = XMLStore(
      uuid: uuid, metadata: try metadata(bytes, info),
      objects: try root.all("object").map(object))
    try requireReferences(store)
    return store
  }

  /// An error of the parser, as one about a store.
  private static func translated(_ error: CofferError) -> CofferError {
    var error = error
    switch error.code {
    case .notAModel: error.code = .notCoreData
    case .modelLimit:
      error.code = .refused
      error.advice = ["Give a smaller XML store, or save it as an SQLite store in the app."]
    default: error.code = .damagedStore
    }
    return error
  }

  // MARK: Before parsing

  /// Overwrites the declaration that names Core Data's definition of the format.
  private static func removeTypeDeclaration(_ bytes: inout [UInt8]) throws(CofferError) {
    let head = bytes.prefix(4096)
    guard let start = position(of: "<!DOCTYPE", in: head),
      start < position(of: "<database", in: head) ?? .max
    else { return }
    guard let end = head[start...].firstIndex(of: UInt8(ascii: ">")),
      !head[start..<end].contains(UInt8(ascii: "["))
    else {
      throw CofferError(
        .damagedStore, offset: start, detail: "a document type declaration that declares entities",
        advice:
          "Core Data never writes one. Remove the declaration if you trust the file."
      )
    }
    for index in start...end { bytes[index] = UInt8(ascii: " ") }
  }

  /// Requires that there are no control characters, which no XML has.
  private static func requireCharacters(_ bytes: [UInt8]) throws(CofferError) {
    guard
      let place = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D })
    else { return }
    let line = bytes[..<place].count { $0 == 0x0A } + 1
    let code = String(bytes[place], radix: 16, uppercase: true)
    throw damaged(
      "line \(line)",
      "a control character (U+00\(code.count == 1 ? "0" : "")\(code)), which XML cannot hold")
  }

  /// Requires that no tag and no text between two of them is too large.
  private static func requireSmallParts(_ bytes: [UInt8]) throws(CofferError) {
    var start = 0
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") { start = index }
      guard index - start > largestPart else { continue }
      let kind = bytes[start] == UInt8(ascii: "<") ? "tag" : "text"
      throw translated(
        CofferError(
          .modelLimit, offset: start, detail: "a \(kind) of more than \(largestPart >> 20) MiB"))
    }
  }

  // MARK: Content

  /// The property list in the head, which Foundation reads by itself.
  private static func metadata(
    _ bytes: [UInt8], _ info: MarkupElement?
  ) throws(CofferError) -> [PropertyListValue.Entry] {
    if let info { try requireExactValues(info) }
    let head = bytes[..<(position(of: "<object", in: bytes[...]) ?? bytes.count)]
    guard let start = position(of: "<plist", in: head) else { return [] }
    guard let end = position(of: "</plist>", in: head[start...]) else {
      throw CofferError(.damagedStore, item: "metadata", detail: "a property list without an end")
    }
    do throws(CofferError) {
      let list = try PropertyListValue.parse(Array(head[start..<(end + "</plist>".utf8.count)]))
      guard let entries = list.entries else {
        throw CofferError(.damagedModel, detail: "a property list that is not a dictionary")
      }
      return entries
    } catch {
      var error = translated(error)
      error.place.item = "metadata"
      throw error
    }
  }

  /// Requires that a property list has no repeated keys and no wrong base64, which Foundation accepts.
  private static func requireExactValues(_ element: MarkupElement) throws(CofferError) {
    if element.name == "data", XMLStore.Object.bytes(ofBase64: element.text) == nil {
      throw damaged("metadata (line \(element.line))", "data that is not base64")
    }
    var keys: Set<Name> = []
    for child in element.children {
      if element.name == "dict", child.name == "key", !keys.insert(Name(child.text)).inserted {
        throw damaged("metadata (line \(child.line))", "two values of the key \(child.text)")
      }
      try requireExactValues(child)
    }
  }

  private static func position(of text: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    let pattern = Array(text.description.utf8)
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      if rest[start...].starts(with: pattern) { return start }
      rest = rest[(start + 1)...]
    }
    return nil
  }

  private static func object(_ element: MarkupElement) throws(CofferError) -> XMLStore.Object {
    guard let type = element.attributes["type"], let id = element.attributes["id"], !id.isEmpty
    else {
      throw damaged("line \(element.line)", "an object without a type or an ID")
    }
    var object = XMLStore.Object(
      type: Name(type), id: Name(id), attributes: [], relationships: [], line: element.line)
    try requireNoText(element, object.place())
    for child in element.children {
      guard let name = child.attributes["name"] else {
        throw damaged("\(id) (line \(child.line))", "a property without a name")
      }
      if let inner = child.children.first {
        throw damaged(
          "\(id).\(name) (line \(inner.line))", "an element \(inner.name) in a property")
      }
      switch child.name {
      case "attribute":
        object.attributes.append(
          .init(name: Name(name), type: child.attributes["type"] ?? "", text: child.text))
      case "relationship":
        try requireNoText(child, "\(id).\(name) (line \(child.line))")
        let ids = (child.attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
        object.relationships.append(
          .init(
            name: Name(name), destination: Name(child.attributes["destination"] ?? ""),
            ids: ids.map { Name(String($0)) }))
      default:
        throw damaged("\(id).\(name) (line \(child.line))", "an element \(child.name) in an object")
      }
    }
    let names = object.attributes.map(\.name) + object.relationships.map(\.name)
    guard Set(names).count == names.count else {
      throw damaged(object.place(), "two properties of the same name")
    }
    return object
  }

  private static func damaged(
    _ item: String, _ detail: String, advice: CofferError.Advice? = nil
  ) -> CofferError {
    CofferError(.damagedStore, item: item, detail: detail, advice: advice)
  }

  /// Requires that an element directly contains no text, which would belong to nothing.
  private static func requireNoText(
    _ element: MarkupElement, _ place: String? = nil
  ) throws(CofferError) {
    guard element.text.contains(where: { !$0.isWhitespace }) else { return }
    throw damaged(
      place ?? "line \(element.line)",
      "text in an element \(element.name), outside of every attribute")
  }

  /// Requires that IDs are unique, and that the objects that others refer to exist.
  private static func requireReferences(_ store: XMLStore) throws(CofferError) {
    var types: [Name: Name] = [:]
    for object in store.objects where types.updateValue(object.type, forKey: object.id) != nil {
      throw damaged(object.place(), "two objects with the same ID")
    }
    for object in store.objects {
      for relationship in object.relationships {
        guard let missing = relationship.ids.first(where: { types[$0] == nil }) else { continue }
        throw damaged(
          object.place(relationship.name),
          "it refers to \(missing), and there is no such object",
          advice: "Restore an older copy of the file, or remove the reference.")
      }
    }
  }

  private static func trimmed(_ text: String?) -> String? {
    let text = text?.split(whereSeparator: \.isWhitespace).joined()
    return text?.isEmpty == false ? text : nil
  }
}
