internal import CoreDataArchive
internal import CoreDataModel

extension FuzzTarget {
  /// Single values in texts: dates, UUIDs, base64, numbers, UTF-8.
  static let values = FuzzTarget(
    "values", "dates, UUIDs, base64, numbers and UTF-8; what is written reads the same",
    maximumSize: 4096,
    words: [
      "T00:00:00Z", "T23:59:59.999999Z", "9999-12-31", "0001-01-01", "e-324",
      "1.7976931348623157e308",
      "=", "==", "\u{feff}", "2.2250738585072011e-308", "0.1", "\u{10ffff}", "E+",
    ],
    seeds: {
      [
        "2024-05-01T12:30:00Z", "2024-02-29T12:30:00.25Z", "1600-02-29T23:59:59.00000000000000001Z",
        "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1", "AAECAwQFBgc=", "AA==",
        "-12345678901234567890.5e-7",
        "2.2250738585072011e-308", "9007199254740993", "5e-324", "漢字 😀 \u{0}\u{1f}\u{7f}\"\\",
      ].map { Array($0.utf8) } + [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
    }
  ) { input in
    let guarded = try GuardedBytes.copy(input)
    let text = unsafe UnsafeRawBufferPointer(guarded.bytes)
    try unsafe holdDates(text)
    try unsafe holdNumbers(text)
    try unsafe holdTexts(text)
    try holdBinary(input)
  }

  private static func holdDates(_ text: UnsafeRawBufferPointer) throws(BrokenLaw) {
    guard let date = unsafe Instant.Stored.parse(text) else { return }
    var buffer = JSONBuffer(minimumCapacity: 64)
    let isWritten =
      switch date {
      case .integer(let seconds): buffer.appendDate(integer: seconds)
      case .real(let seconds): buffer.appendDate(real: seconds)
      }
    // Doubles with very many digits, and doubles at the ends of the range, have no text of their own.
    guard isWritten else { return try hold(!hasText(date), "a date that is read is not written") }
    let written = Array(buffer.bytes().dropFirst().dropLast())
    let again = unsafe written.withUnsafeBytes { unsafe Instant.Stored.parse($0) }
    try hold(again == date, "a date reads otherwise when it is written: \(date)")
  }

  /// Whether a date must have a text: all integers, and doubles well within the years 1 to 9999.
  private static func hasText(_ date: Instant.Stored) -> Bool {
    switch date {
    case .integer: true
    case .real(let seconds):
      seconds.magnitude >= 1 && seconds > -63_113_900_000 && seconds < 252_423_990_000
    }
  }

  private static func holdNumbers(_ text: UnsafeRawBufferPointer) throws(BrokenLaw) {
    guard let number = unsafe RealText.parse(text) else { return }
    let spelled = unsafe String(decoding: text, as: UTF8.self)
    try hold(Double(spelled)?.bitPattern == number.bitPattern, "\(spelled) reads as \(number)")
    var buffer = JSONBuffer(minimumCapacity: 64)
    try hold(buffer.appendReal(number), "\(number) is read and not written")
    let again = unsafe buffer.withUnsafeBytes { unsafe RealText.parse($0) }
    try hold(again?.bitPattern == number.bitPattern, "\(number) reads otherwise when written")
  }

  private static func holdTexts(_ text: UnsafeRawBufferPointer) throws(BrokenLaw) {
    let string = unsafe String(validating: text, as: UTF8.self)
    let isValid = unsafe UTF8Text.isValid(text)
    try hold(isValid == (string != nil), "UTF-8 is judged otherwise than by Swift")
    var buffer = JSONBuffer(minimumCapacity: 0)
    let isWritten = unsafe buffer.appendString(utf8: text)
    try hold(isWritten == isValid, "a text is written that is not UTF-8, or one that is, is not")
    guard let string else { return }
    try hold(
      unsafe UTF8Text.utf16Count(text) == string.utf16.count, "UTF-16 is counted otherwise")
    let written = buffer.bytes()
    try hold(
      (try? JSONValue.parse(written)).map { $0 == .string(string) } ?? false,
      "a text reads otherwise when it is written")
  }

  private static func holdBinary(_ input: [UInt8]) throws(BrokenLaw) {
    let encoded = Base64Text.text(of: input)
    let decoded = Base64Text.bytes(of: ContiguousArray(encoded.utf8))
    try hold(decoded == input, "bytes read otherwise as base64")
    if let bytes = Base64Text.bytes(of: ContiguousArray(input)) {
      try hold(Array(Base64Text.text(of: bytes).utf8) == input, "base64 with two texts for bytes")
    }
    guard let text = GuardedBytes(input), let room = GuardedBytes([UInt8](repeating: 0, count: 16))
    else { return }
    let isUUID = unsafe UUIDText.parse(UnsafeRawBufferPointer(text.bytes), into: room.bytes)
    guard isUUID else { return }
    var buffer = JSONBuffer(minimumCapacity: 64)
    try hold(
      unsafe buffer.appendUUID(UnsafeRawBufferPointer(room.bytes)), "a UUID is not written")
    // Either case is read, the upper is written.
    let written = String(decoding: buffer.bytes().dropFirst().dropLast(), as: UTF8.self)
    try hold(
      written == String(decoding: input, as: UTF8.self).uppercased(),
      "a UUID reads otherwise when it is written")
  }
}
