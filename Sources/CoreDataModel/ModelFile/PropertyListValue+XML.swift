internal import Foundation

/// Property lists in XML: Foundation reads them and writes them again as binary ones, so that one
/// reader decides what each value is.
extension PropertyListValue {
  /// The most bytes of an XML property list.
  package static let maximumXMLSize = 16 << 20

  /// Whether bytes are an XML property list by their beginning; a byte order mark and blanks may
  /// stand before it.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    var start = bytes.prefix(1024)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return start.starts(with: "<?xml".utf8) || start.starts(with: "<plist".utf8)
      || start.starts(with: "<!DOCTYPE plist".utf8)
  }

  static func parseXML(_ bytes: [UInt8]) throws(CofferError) -> PropertyListValue {
    guard bytes.count <= maximumXMLSize else {
      throw CofferError(.modelLimit, detail: "an XML property list of \(bytes.count) bytes")
    }
    guard hasASCIITags(bytes) else {
      throw CofferError(
        .damagedModel, detail: "an XML property list in an encoding other than UTF-8")
    }
    guard nesting(of: bytes) <= BinaryPlistReader.maximumDepth else {
      throw CofferError(.modelLimit, detail: "an XML property list nested too deeply")
    }
    let binary: Data
    do {
      // The pointer for the format that was found is nil; nothing unsafe happens.
      let object = try unsafe PropertyListSerialization.propertyList(
        from: Data(bytes), options: [], format: nil)
      binary = try PropertyListSerialization.data(
        fromPropertyList: object, format: .binary, options: 0)
    } catch {
      throw CofferError(.damagedModel, detail: "an XML property list that cannot be read")
    }
    return try BinaryPlistReader([UInt8](binary)).value()
  }

  /// The greatest number of arrays and dictionaries open at one time, never less than the truth.
  ///
  /// Foundation's parser calls itself for each level, so deep nesting is found before it runs.
  private static func nesting(of bytes: [UInt8]) -> Int {
    var (depth, deepest, position) = (0, 0, 0)
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let tag = bytes[start...]
      if tag.starts(with: "<!--".utf8) {
        position = end(of: "-->", in: bytes, from: start + 4)
      } else if tag.starts(with: "<?".utf8) {
        position = end(of: "?>", in: bytes, from: start + 2)
      } else if tag.starts(with: "<![CDATA[".utf8) {
        position = end(of: "]]>", in: bytes, from: start + 9)
      } else {
        position = end(of: ">", in: bytes, from: start + 1)
        let isEmpty = position >= 2 && bytes[position - 2] == UInt8(ascii: "/")
        if tag.starts(with: "</array".utf8) || tag.starts(with: "</dict".utf8) {
          depth = max(0, depth - 1)
        } else if !isEmpty, tag.starts(with: "<array".utf8) || tag.starts(with: "<dict".utf8) {
          depth += 1
          deepest = max(deepest, depth)
        }
      }
    }
    return deepest
  }

  /// The position after the next occurrence of a text, or the end of the bytes.
  private static func end(of text: StaticString, in bytes: [UInt8], from start: Int) -> Int {
    let pattern = Array(text.description.utf8)
    var position = start
    while position + pattern.count <= bytes.count {
      if bytes[position..<position + pattern.count].elementsEqual(pattern) {
        return position + pattern.count
      }
      position += 1
    }
    return bytes.count
  }

  /// Whether the declared encoding, if any, keeps tags as ASCII: otherwise ``nesting(of:)`` would
  /// not see what the parser sees.
  static func hasASCIITags(_ bytes: [UInt8]) -> Bool {
    let declaration = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased()
    guard let start = declaration.range(of: "encoding=") else { return true }
    let name = declaration[start.upperBound...].dropFirst()
    return name.hasPrefix("utf-8") || name.hasPrefix("us-ascii")
  }
}
