internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An element of an XML document: its attributes, its text and its child elements.
package struct MarkupElement: Sendable, Equatable {
  /// The name.
  package let name: String
  /// The attributes by name.
  package var attributes: [String: String] = [:]
  /// The text, without the text of child elements.
  package fileprivate(set) var text = ""
  /// The line of the document where its tag ends.
  package fileprivate(set) var line = 0
  /// The child elements, in the order of the document.
  package var children: [MarkupElement] = []

  /// The value of an attribute; nil if it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// The name that an attribute holds; nil if it is missing.
  func name(_ attribute: String) -> Name? { attributes[attribute].map { Name($0) } }

  /// Whether an attribute is `YES`; Booleans are `YES` or missing.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// The child elements with that name, in the order of the document.
  package func all(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  /// The text of the first child element with that name; nil if there is none.
  package func text(of name: String) -> String? { children.first { $0.name == name }?.text }

  /// Limits of a document.
  package struct Limits {
    /// The maximum size in bytes.
    package var size: Int
    /// The maximum depth of elements.
    package var depth: Int
    /// The maximum number of elements.
    package var count: Int

    /// Creates limits.
    package init(size: Int, depth: Int, count: Int) {
      self.size = size
      self.depth = depth
      self.count = count
    }

    /// The limits of a model source: the largest known has 0.2 MiB and five levels.
    package static let source = Self(size: 16 << 20, depth: 32, count: 500_000)
    /// The limits of an answer of an object store: a page has 1,000 files at three levels.
    package static let answer = Self(size: 16 << 20, depth: 8, count: 100_000)
  }

  /// Parses a document with Foundation's parser.
  ///
  /// A document type declaration is refused before parsing: no such document has one, and nested
  /// entities could expand to huge text.
  ///
  /// - Returns: the outermost element.
  /// - Throws: ``CofferError``: `not-a-model` for bytes that do not begin like XML, `damaged-model`
  ///   for XML that is not well-formed, `model-limit` for a document beyond a limit.
  package static func parse(
    _ bytes: [UInt8], limits: Limits = .source
  ) throws(CofferError) -> MarkupElement {
    guard bytes.count <= limits.size else {
      throw CofferError(.modelLimit, detail: "a source of \(bytes.count) bytes or more")
    }
    guard isXML(bytes) else { throw CofferError(.notAModel, detail: "it is not XML") }
    guard hasASCIITags(bytes) else {
      throw CofferError(.damagedModel, detail: "XML in an encoding other than UTF-8")
    }
    // Foundation's parser traps on a name with other bytes.
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CofferError(.damagedModel, detail: "XML with bytes that are not UTF-8")
    }
    guard !hasTypeDeclaration(bytes) else {
      throw CofferError(.damagedModel, detail: "XML with a document type declaration")
    }
    let delegate = MarkupParser(limits)
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    if let failure = delegate.failure { throw failure }
    // On Linux, content behind the end of the document is a success with an error.
    guard isWhole, parser.parserError == nil, let root = delegate.root else {
      throw CofferError(
        .damagedModel, detail: "XML that is not well-formed, near line \(parser.lineNumber)")
    }
    return root
  }

  /// Whether bytes begin like XML: with a tag or a declaration, which only some programs write.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    var start = bytes.prefix(1024)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    return start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.first == UInt8(ascii: "<")
  }

  /// Whether the declared encoding, if any, keeps tags as ASCII, so that a look at the bytes sees the
  /// same tags as the parser.
  static func hasASCIITags(_ bytes: [UInt8]) -> Bool {
    let declaration = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased()
    guard let start = declaration.range(of: "encoding=") else { return true }
    let name = declaration[start.upperBound...].dropFirst()
    return name.hasPrefix("utf-8") || name.hasPrefix("us-ascii")
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
}

/// Builds the tree of elements while Foundation parses.
private final class MarkupParser: NSObject, XMLParserDelegate {
  private let limits: MarkupElement.Limits
  private var open: [MarkupElement] = []
  private var count = 0
  private(set) var root: MarkupElement?
  private(set) var failure: CofferError?

  init(_ limits: MarkupElement.Limits) { self.limits = limits }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    count += 1
    guard open.count < limits.depth, count <= limits.count else {
      failure = CofferError(
        .modelLimit,
        detail: open.count < limits.depth
          ? "a source of more than \(limits.count) elements" : "XML nested too deeply")
      parser.abortParsing()
      return
    }
    var element = MarkupElement(name: elementName, attributes: attributes)
    element.line = parser.lineNumber
    open.append(element)
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !open.isEmpty { open[open.count - 1].text += string }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
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
