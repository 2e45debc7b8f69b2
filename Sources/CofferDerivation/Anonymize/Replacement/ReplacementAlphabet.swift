/// The replacements of characters, which keep the script, case and kind.
///
/// Letters are replaced by letters that words of the script rarely consist of, so that a replacement is
/// not accidentally a word of the original.
struct ReplacementAlphabet {
  private let scalars: [Unicode.Scalar]

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private init(_ range: ClosedRange<UInt32>) { scalars = range.compactMap(Unicode.Scalar.init) }

  func pick(_ bytes: inout ReplacementBytes) -> Unicode.Scalar {
    scalars[bytes.next(below: scalars.count)]
  }

  private static let lower = Self("jkqvwxyz")
  private static let upper = Self("JKQVWXYZ")
  private static let digits = Self("0123456789")
  private static let lowerMarked = Self("ẋẍẏẑẃẅẇỳ")
  private static let upperMarked = Self("ẊẌẎẐẂẄẆỲ")
  private static let lowerGreek = Self("ϝϟϡϻϸϙϛϗ")
  private static let upperGreek = Self("ϜϞϠϺϷϘϚϏ")
  private static let lowerCyrillic = Self("ѡѣѥѧѩѫѭѯ")
  private static let upperCyrillic = Self("ѠѢѤѦѨѪѬѮ")
  private static let hebrew = Self("ץךםןטצקע")
  private static let arabic = Self(0x679...0x680)
  private static let thai = Self("ฃฅฆฌฎฏฐฑ")
  private static let hiragana = Self("ゎゐゑゔゕゖぢづ")
  private static let katakana = Self("ヮヰヱヴヵヶヂヅ")
  private static let hangul = Self(0xD780...0xD79F)
  private static let han = Self(0x9F80...0x9F9F)
  private static let emoji = Self(0x1F7E0...0x1F7E7)
  private static let symbols = Self(0x2648...0x264F)
  private static let flags = Self(0x1F1EF...0x1F1F6)
  private static let marks = Self("!#$%&*+=?^|~")

  /// The alphabet of a character to replace; nil for one that is kept: spaces, line breaks,
  /// punctuation and combining characters.
  static func alphabet(for scalar: Unicode.Scalar) -> ReplacementAlphabet? {
    switch scalar.value {
    case 0x61...0x7A: return lower
    case 0x41...0x5A: return upper
    case 0x30...0x39: return digits
    case 0...0x7F: return nil
    case 0x1F1E6...0x1F1FF: return flags
    case 0x1F3FB...0x1F3FF: return nil
    case 0x1F000...0x1FAFF: return emoji
    case 0x2600...0x27BF where scalar.properties.isEmoji: return symbols
    default: return letters(for: scalar)
    }
  }

  private static func letters(for scalar: Unicode.Scalar) -> ReplacementAlphabet? {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber:
      guard let value = properties.numericValue, value >= 0, value < 10 else { return digits }
      let zero = scalar.value - UInt32(value)
      return ReplacementAlphabet(zero...(zero + 9))
    case .uppercaseLetter, .titlecaseLetter:
      return cased(scalar.value, (upper, upperMarked, upperGreek, upperCyrillic))
    case .lowercaseLetter:
      return cased(scalar.value, (lower, lowerMarked, lowerGreek, lowerCyrillic))
    case .otherLetter, .modifierLetter: return uncased(scalar.value)
    default: return nil
    }
  }

  private static func cased(
    _ value: UInt32,
    _ scripts: (
      other: ReplacementAlphabet, latin: ReplacementAlphabet, greek: ReplacementAlphabet,
      cyrillic: ReplacementAlphabet
    )
  ) -> ReplacementAlphabet {
    switch value {
    case 0xAA...0x24F, 0x1E00...0x1EFF: scripts.latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: scripts.greek
    case 0x400...0x52F: scripts.cyrillic
    default: scripts.other
    }
  }

  private static func uncased(_ value: UInt32) -> ReplacementAlphabet {
    switch value {
    case 0x590...0x5FF: hebrew
    case 0x600...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFF: arabic
    case 0xE00...0xE7F: thai
    case 0x3040...0x309F: hiragana
    case 0x30A0...0x30FF: katakana
    case 0x1100...0x11FF, 0xAC00...0xD7AF: hangul
    case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: han
    default: lower
    }
  }

  /// The replacement of punctuation, for a text of nothing else; nil for a character that is kept.
  static func mark(for scalar: Unicode.Scalar, _ bytes: inout ReplacementBytes) -> Unicode.Scalar? {
    scalar.properties.isWhitespace || scalar.value < 0x21 ? nil : marks.pick(&bytes)
  }

  /// Whether a text consists of replacement characters, so that a replacement may equal it by
  /// chance.
  static func mayYield(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x61...0x7A, 0x41...0x5A:
        lower.scalars.contains(scalar) || upper.scalars.contains(scalar)
          || "aeiouAEIOU".unicodeScalars.contains(scalar)
      case 0...0x7F: true
      default: alphabet(for: scalar).map { $0.scalars.contains(scalar) } ?? true
      }
    }
  }
}
