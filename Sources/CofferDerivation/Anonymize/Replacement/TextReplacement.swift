internal import CoreDataModel

/// Replaces texts character by character: it keeps the number of characters, the script, capitals,
/// line breaks, punctuation and emoji.
struct TextReplacement {
  private let key: ReplacementKey

  init(_ key: ReplacementKey) { self.key = key }

  private static let attemptsPerLength = 24
  /// The number of replaced characters from which replacements are practically unique: 44 times
  /// three bits.
  static let enough = 44

  struct Result {
    var text: String
    /// The number of characters that were replaced; 0 for a text that is kept.
    var count: Int
  }

  /// Replaces a text; later attempts give longer results.
  func replacement(for text: String, attempt: Int = 0) -> Result {
    if let uuid = UUIDText.bytes(text) { return self.uuid(uuid, like: text) }
    var bytes = ReplacementBytes(key.code(Array(text.utf8), .text, attempt: attempt))
    if Self.isHexadecimal(text) { return hexadecimal(text, &bytes) }
    let kept = Self.schemeLength(of: text)
    var result = Result(text: "", count: 0)
    var last: ReplacementAlphabet?
    for (number, scalar) in text.unicodeScalars.enumerated() {
      guard number >= kept, let alphabet = ReplacementAlphabet.alphabet(for: scalar) else {
        result.text.unicodeScalars.append(scalar)
        continue
      }
      let picked = alphabet.pick(&bytes)
      // A number keeps its length.
      let isLeadingZero = picked == "0" && scalar != "0"
      result.text.unicodeScalars.append(isLeadingZero ? "7" : picked)
      result.count += 1
      last = alphabet
    }
    if result.count == 0 { result = punctuation(text, &bytes) }
    guard result.count > 0 else { return result }
    for _ in 0..<(attempt / Self.attemptsPerLength) {
      let more = last.map { $0.pick(&bytes) } ?? ReplacementAlphabet.mark(for: "!", &bytes)
      if let more { result.text.unicodeScalars.append(more) }
    }
    return result
  }

  private func punctuation(_ text: String, _ bytes: inout ReplacementBytes) -> Result {
    var result = Result(text: "", count: 0)
    for scalar in text.unicodeScalars {
      let mark = ReplacementAlphabet.mark(for: scalar, &bytes)
      if mark != nil { result.count += 1 }
      result.text.unicodeScalars.append(mark ?? scalar)
    }
    return result
  }

  // MARK: Forms

  /// The number of characters of a common URL scheme, which is kept.
  private static func schemeLength(of text: String) -> Int {
    let schemes = ["https://", "http://", "file://", "mailto:", "tel:", "ftp://", "data:"]
    return schemes.first { text.hasPrefix($0) }?.unicodeScalars.count ?? 0
  }

  /// Whether a text looks like a digest: lower and upper case are not mixed.
  private static func isHexadecimal(_ text: String) -> Bool {
    guard text.utf8.count >= 16 else { return false }
    var (digits, lower, upper) = (0, 0, 0)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x61...0x66: lower += 1
      case 0x41...0x46: upper += 1
      default: return false
      }
    }
    return digits > 0 && (lower == 0) != (upper == 0)
  }

  private func hexadecimal(_ text: String, _ bytes: inout ReplacementBytes) -> Result {
    let isUpper = text.utf8.contains { (0x41...0x46).contains($0) }
    let digits = text.utf8.map { _ in
      let digit = UInt8(bytes.next(below: 16))
      return isUpper ? Hexadecimal.upperDigit(digit) : Hexadecimal.lowerDigit(digit)
    }
    return Result(
      text: String(decoding: digits, as: UTF8.self), count: max(Self.enough, digits.count))
  }

  private func uuid(_ uuid: [UInt8], like text: String) -> Result {
    let replaced = UUIDText.text(replacement(forUUID: uuid)) ?? ""
    let isLower = text.utf8.contains { (0x61...0x66).contains($0) }
    return Result(text: isLower ? replaced.lowercased() : replaced, count: Self.enough)
  }

  /// Replaces a UUID anywhere by one of the same version; the nil UUID is kept.
  func replacement(forUUID bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == UUIDText.byteCount, bytes.contains(where: { $0 != 0 }) else {
      return bytes
    }
    var replaced = Array(key.code(bytes, .uuid).prefix(UUIDText.byteCount))
    replaced[6] = bytes[6] & 0xF0 | replaced[6] & 0x0F
    replaced[8] = bytes[8] & 0xC0 | replaced[8] & 0x3F
    return replaced
  }
}
