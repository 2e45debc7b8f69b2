internal import CoreDataModel
internal import CoreDataStore

/// Replaces the values of a share: equal values by equal ones, different values by different ones.
final class ValueReplacement {
  let texts: TextReplacement
  let numbers: NumberReplacement
  let ledger: ReplacementLedger
  /// Whether names and small numbers in a JSON text or a property list were kept since the last reset.
  var keptStructure = false
  private let key: ReplacementKey
  /// The seconds added to every date: whole weeks, to keep weekdays and times of day.
  private let dateShift: Double
  private let tree: ReplacedTree

  /// Foundation's dates for "never", in seconds since 2001.
  private static let (distantPast, distantFuture) = (-63_114_076_800.0, 63_113_904_000.0)
  /// The number of attempts for a number: values that need more are rare, and each of their rows
  /// repeats them.
  private static let maxNumberAttempts = 256
  /// The number of attempts before a value that is in use is accepted, because small numbers run
  /// out.
  private static let maxAttempts = 4096
  /// The number of bytes from which replacements are practically unique.
  private static let enoughBytes = 16

  init(_ key: ReplacementKey = ReplacementKey()) throws(CofferError) {
    self.key = key
    texts = TextReplacement(key)
    numbers = NumberReplacement(key)
    ledger = try ReplacementLedger(key)
    let code = key.code([], .dates)
    let weeks = 53 + (Int(code[0]) << 8 | Int(code[1])) % 470
    let shift = -Double(weeks * 7 * 86_400)
    dateShift = shift
    tree = ReplacedTree(key) { Self.date($0, shift) }
  }

  // MARK: Values

  /// The replacement of a text, which is invalid UTF-8 if the bytes are.
  func text(_ bytes: [UInt8], _ conditions: TextConditions) throws(CofferError) -> [UInt8] {
    if let structured = tree.json(bytes) {
      keptStructure = true
      return structured
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // Invalid text stays invalid: it is a defect of the data.
    let defect: [UInt8] = String(validating: bytes, as: UTF8.self) == nil ? [0xFF] : []
    let output = try unique(bytes) { attempt in
      let result = texts.replacement(for: text, attempt: attempt)
      return (
        Array(result.text.utf8) + defect,
        result.count == 0 || result.count >= TextReplacement.enough
      )
    }
    return conditions.fit(output, for: bytes, Int(key.code(bytes, .number)[0]))
  }

  /// Notes a text that a replacement could equal by chance.
  func note(text bytes: [UInt8]) throws(CofferError) {
    guard bytes.count <= 4 * TextReplacement.enough,
      ReplacementAlphabet.mayYield(String(decoding: bytes, as: UTF8.self))
    else { return }
    try ledger.note(original: bytes)
  }

  /// The replacement of bytes, of the same length unless they have a structure.
  func blob(_ bytes: [UInt8]) throws(CofferError) -> [UInt8] {
    if bytes.isEmpty { return bytes }
    if let structured = tree.replacement(for: bytes) {
      keptStructure = true
      return structured
    }
    if let text = plainText(bytes) { return text }
    return try unique(bytes) { attempt in
      (opaque(bytes, attempt), bytes.count >= Self.enoughBytes)
    }
  }

  /// The replacement of a UUID; other bytes are replaced as such.
  func uuid(_ bytes: [UInt8]) throws(CofferError) -> [UInt8] {
    bytes.count == UUIDText.byteCount ? texts.replacement(forUUID: bytes) : try blob(bytes)
  }

  /// The replacement of a date, in seconds since 2001.
  func date(_ seconds: Double) -> Double { Self.date(seconds, dateShift) }

  /// Whether a date, in seconds since 2001, means "no date".
  static func isNever(_ seconds: Double) -> Bool {
    seconds == distantPast || seconds == distantFuture
  }

  private static func date(_ seconds: Double, _ shift: Double) -> Double {
    isNever(seconds) ? seconds : seconds + shift
  }

  /// The replacement of a number.
  ///
  /// - Returns: the first unused candidate, or the first one if all are in use; nil if none suits.
  func number(
    _ value: SQLiteValue, _ candidate: (_ attempt: Int) -> SQLiteValue?
  ) throws(CofferError) -> SQLiteValue? {
    let original = Self.text(of: value)
    var first: SQLiteValue?
    for attempt in 0..<Self.maxNumberAttempts {
      guard let result = candidate(attempt) else { continue }
      let output = Self.text(of: result)
      if output == original { continue }
      if try ledger.take(output, for: original) { return result }
      first = first ?? result
    }
    return first
  }

  /// A number as the ledger stores it: a whole number is the same in either storage class.
  private static func text(of value: SQLiteValue) -> [UInt8] {
    switch value {
    case .integer(let number): Array("#\(number)".utf8)
    case .real(let number):
      Array((Int64(exactly: number).map { "#\($0)" } ?? "#\(number)").utf8)
    default: []
    }
  }

  /// A number derived from another one: different for different values as long as there are enough numbers.
  func number(_ value: [UInt8], upTo largest: Int64) throws(CofferError) -> Int64 {
    let bytes = try unique([UInt8(ascii: "#")] + value) { attempt in
      let code = key.code(value, .number, attempt: attempt)
      let number = code.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return (Self.bytes(of: number % UInt64(max(1, largest))), false)
    }
    return Int64(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// Digits of a code as text.
  func hash(_ value: [UInt8]) -> [UInt8] {
    Array(Hexadecimal.text(key.code(value, .number).prefix(16)).utf8)
  }

  func invented(
    _ kind: ReplacementRule.FakeKind, for bytes: [UInt8]
  ) throws(CofferError) -> [UInt8] {
    try unique([UInt8(ascii: "~")] + Array(kind.rawValue.utf8) + bytes) { attempt in
      var source = ReplacementBytes(key.code(bytes, .text, attempt: attempt))
      let text = FakeText.make(kind, for: String(decoding: bytes, as: UTF8.self), &source)
      return (Array(text.utf8), false)
    }
  }

  func fileName(_ name: String) -> String {
    texts.replacement(for: name).text
  }

  /// A value that is unique, found by trial.
  ///
  /// - Returns: the first unused candidate; the last one if all are in use.
  func unique(
    _ value: [UInt8], _ candidate: (_ attempt: Int) -> (output: [UInt8], isCertain: Bool)
  ) throws(CofferError) -> [UInt8] {
    for attempt in 0..<Self.maxAttempts {
      let (output, isCertain) = candidate(attempt)
      if isCertain { return output }
      if output == value { continue }
      if try ledger.take(output, for: value) { return output }
    }
    return candidate(Self.maxAttempts).output
  }

  // MARK: Bytes

  private func opaque(_ bytes: [UInt8], _ attempt: Int) -> [UInt8] {
    let output = tree.opaque(bytes, attempt: attempt)
    guard bytes.count < Self.enoughBytes, attempt >= 256 else { return output }
    return output + key.code(bytes, .blob, attempt: -attempt).prefix(attempt / 256)
  }

  /// The beginning of a large file's replacement; zeros follow.
  func head(ofFile name: String) -> [UInt8] { Array(tree.opaque(Array(name.utf8)).prefix(32)) }

  private func plainText(_ bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let result = texts.replacement(for: text)
    return result.count >= TextReplacement.enough ? Array(result.text.utf8) : nil
  }
}
