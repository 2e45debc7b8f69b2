internal import Foundation

/// The differences that a comparison of texts ignores.
struct TextFolding: OptionSet {
  let rawValue: Int

  /// The case: each character is what Unicode's full case folding makes of it.
  static let letterCase = TextFolding(rawValue: 1)
  /// Diacritics: compares the canonical decomposition of each character without combining marks.
  static let diacritics = TextFolding(rawValue: 2)
}

/// A text made ready to be compared: byte by byte, without what does not count.
struct ComparedText {
  /// The text in UTF-8.
  let bytes: [UInt8]
  /// Whether a character of the original text begins at a byte; nil if each code point is a character.
  private let starts: [Bool]?

  /// Prepares a text; where all counts, it need not be valid.
  init(_ text: [UInt8], _ folding: TextFolding = []) {
    guard !folding.isEmpty else {
      (bytes, starts) = (text, nil)
      return
    }
    var bytes: [UInt8] = []
    var starts: [Bool] = []
    bytes.reserveCapacity(text.count)
    starts.reserveCapacity(text.count)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let before = bytes.count
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        let isUpper = folding.contains(.letterCase) && (0x41...0x5A).contains(byte)
        bytes.append(isUpper ? byte | 0x20 : byte)
      } else {
        bytes += Self.folded(scalar, folding).utf8
      }
      for place in before..<bytes.count { starts.append(place == before) }
    }
    (self.bytes, self.starts) = (bytes, starts)
  }

  private static func folded(_ scalar: Unicode.Scalar, _ folding: TextFolding) -> String {
    var text = String(scalar)
    if folding.contains(.diacritics) {
      let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars
      text = String(
        String.UnicodeScalarView(
          parts.filter { $0.properties.canonicalCombiningClass == .notReordered }))
    }
    // Both directions: characters that share a lower or upper case form become equal. Only the dotless i
    // would become another letter.
    if folding.contains(.letterCase), scalar != "\u{131}" {
      text = text.lowercased().uppercased().lowercased()
    }
    return text
  }

  /// The same text, in which each code point counts as a character.
  var unfolded: Self { Self(bytes) }

  /// Which of two comes first by its code points: -1, 0 or 1.
  func order(to other: Self) -> Int {
    if bytes == other.bytes { return 0 }
    return bytes.lexicographicallyPrecedes(other.bytes) ? -1 : 1
  }

  /// Whether a character begins at a byte.
  func isStart(_ place: Int) -> Bool { starts?[place] ?? (bytes[place] & 0xC0 != 0x80) }

  func contains(_ part: Self) -> Bool {
    guard let first = part.bytes.first else { return true }
    var rest = bytes[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part.bytes) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether this begins with the other.
  func hasPrefix(_ part: Self) -> Bool { bytes.starts(with: part.bytes) }

  /// Whether this ends with the other.
  func hasSuffix(_ part: Self) -> Bool { bytes.suffix(part.bytes.count).elementsEqual(part.bytes) }
}

/// A pattern of `LIKE`: `*` matches any characters, `?` matches one, a backslash before either matches it
/// literally.
struct WildcardPattern {
  private enum Part: Equatable {
    case byte(UInt8)
    case one
    case any
  }

  private let parts: [Part]

  init(_ text: String, _ folding: TextFolding) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped || !"\\*?".unicodeScalars.contains(scalar) {
        parts += ComparedText(Array(String(scalar).utf8), folding).bytes.map(Part.byte)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        parts.append(scalar == "*" ? .any : .one)
      }
    }
    if isEscaped { parts.append(.byte(0x5C)) }
    self.parts = parts
  }

  /// Whether the whole of a text, prepared with the same folding, is as the pattern says.
  ///
  /// After a failure only the last `*` takes more, which is enough.
  func matches(_ text: ComparedText) -> Bool {
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    while place < text.bytes.count {
      if part < parts.count, parts[part] == .any {
        retry = (place, part)
        part += 1
      } else if part < parts.count, let next = end(of: parts[part], in: text, place) {
        (place, part) = (next, part + 1)
      } else if let last = retry {
        retry = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  /// The position in the text after a match of a part of the pattern; nil if it does not match.
  private func end(of part: Part, in text: ComparedText, _ place: Int) -> Int? {
    switch part {
    case .byte(let byte): return text.bytes[place] == byte ? place + 1 : nil
    case .one:
      guard text.isStart(place) else { return nil }
      var end = place + 1
      while end < text.bytes.count, !text.isStart(end) { end += 1 }
      return end
    case .any: return nil
    }
  }
}
