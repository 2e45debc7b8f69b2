internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Parses XML to a tree of elements, with Foundation's parser.
///
/// A document type declaration is refused before parsing: no model has one, and nested entities
/// could expand to huge text.
final class SourceElementParser: NSObject, XMLParserDelegate {
  /// The maximum size of a file in bytes; the largest known has 0.2 MiB.
  static let maximumSize = 16 << 20
  /// The maximum depth of elements; a model has five levels.
  static let maximumDepth = 32
  /// The maximum number of elements in a file.
  static let maximumCount = 500_000

  private var open: [SourceElement] = []
  private var count = 0
  private var root: SourceElement?
  private var failure: CofferError?

  /// Reads a document.
  ///
  /// - Returns: its outermost element.
  /// - Throws: ``CofferError``: `not-a-model` for bytes that do not begin like XML, `damaged-model`
  ///   for XML that is not well-formed, `model-limit` for a file that is too large, too deep or has
  ///   too many elements.
  static func parse(_ bytes: [UInt8]) throws(CofferError) -> SourceElement {
    guard bytes.count <= maximumSize else {
      throw CofferError(.modelLimit, detail: "a source of \(bytes.count) bytes or more")
    }
    guard SourceModelReader.isXML(bytes) else {
      throw CofferError(.notAModel, detail: "it is not XML")
    }
    guard PropertyListValue.hasASCIITags(bytes) else {
      throw CofferError(.damagedModel, detail: "XML in an encoding other than UTF-8")
    }
    guard !hasTypeDeclaration(bytes) else {
      throw CofferError(.damagedModel, detail: "XML with a document type declaration")
    }
    let delegate = SourceElementParser()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    if let failure = delegate.failure { throw failure }
    guard isWhole, let root = delegate.root else {
      throw CofferError(
        .damagedModel, detail: "XML that is not well-formed, near line \(parser.lineNumber)")
    }
    return root
  }

  private static func hasTypeDeclaration(_ bytes: [UInt8]) -> Bool {
    let pattern = Array("<!DOCTYPE".utf8)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      if rest[start...].starts(with: pattern) { return true }
      rest = rest[(start + 1)...]
    }
    return false
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    count += 1
    guard open.count < Self.maximumDepth, count <= Self.maximumCount else {
      failure = CofferError(
        .modelLimit,
        detail: open.count < Self.maximumDepth
          ? "a source of more than \(Self.maximumCount) elements" : "XML nested too deeply")
      parser.abortParsing()
      return
    }
    open.append(SourceElement(name: elementName, attributes: attributes))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }
}

/// An element of the XML of a model source: its attributes and child elements.
///
/// Text between elements has no meaning in such a file and is not kept.
struct SourceElement: Sendable, Equatable {
  let name: String
  /// The attributes by name.
  var attributes: [String: String] = [:]
  /// The child elements, in the order of the source.
  var children: [SourceElement] = []

  /// The value of an attribute; nil if it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// The name that an attribute holds; nil if it is missing.
  func name(_ attribute: String) -> Name? { attributes[attribute].map { Name($0) } }

  /// Whether an attribute is `YES`; Booleans are `YES` or missing.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// The child elements with that name, in the order of the source.
  func all(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }
}
