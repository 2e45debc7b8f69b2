/// A name of the schema that carries an entity's number: `Z_23USERS`, `Z10_QUOTE`, `Z1SPEC`.
struct NumberedName: Equatable {
  /// The number.
  var number: Int64
  /// The part after the number.
  var rest: String

  /// Takes a name apart; nil when it has another form or no sensible number.
  ///
  /// The prefix is compared without regard to ASCII letter case. Numbers have no leading zero.
  init?(_ name: String, prefix: String) {
    let bytes = Array(name.utf8)
    let start = prefix.utf8.count
    guard bytes.count > start,
      SchemaName(String(decoding: bytes.prefix(start), as: UTF8.self)) == SchemaName(prefix)
    else { return nil }
    let digits = bytes.dropFirst(start).prefix { (0x30...0x39).contains($0) }
    guard let first = digits.first, first != 0x30,
      let number = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self.number = number
    rest = String(decoding: bytes.dropFirst(start + digits.count), as: UTF8.self)
  }
}

/// Whether a name is another one, or that one with a numeric suffix.
func isNamesake(_ name: String, of base: String) -> Bool {
  let (whole, start) = (Array(name.utf8), Array(base.utf8))
  guard whole.count >= start.count,
    SchemaName(String(decoding: whole.prefix(start.count), as: UTF8.self)) == SchemaName(base)
  else { return false }
  return whole.dropFirst(start.count).allSatisfy { (0x30...0x39).contains($0) }
}

extension String {
  /// The text without its first Unicode scalars; a combining accent after them stays.
  func droppingScalars(_ count: Int) -> String { String(unicodeScalars.dropFirst(count)) }
}
