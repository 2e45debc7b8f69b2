/// How the declared type of a column converts values
/// (<https://sqlite.org/datatype3.html#determination_of_column_affinity>).
package enum ColumnAffinity: Sendable, CaseIterable {
  case integer, text, blob, real, numeric

  /// The affinity of a declared type.
  package init(_ declaredType: String) {
    let type = declaredType.uppercased()
    self =
      if type.contains("INT") {
        .integer
      } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
        .text
      } else if type.isEmpty || type.contains("BLOB") {
        .blob
      } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
        .real
      } else {
        .numeric
      }
  }

  /// Whether a column of the type keeps a value in the storage class.
  package func fits(_ storageClass: StorageClass) -> Bool {
    switch storageClass {
    case .null: true
    case .integer: [.integer, .real, .numeric].contains(self)
    case .real: [.real, .numeric].contains(self)
    case .text: self == .text
    case .blob: self == .blob
    }
  }

  /// Whether a column of the type gives back an inserted value in another storage class.
  package func converts(_ value: ConvertibleValue) -> Bool {
    switch (self, value) {
    case (.blob, _): false
    case (.text, .integer), (.text, .real), (.real, .integer): true
    // The numbers at both ends of the range of integers stay as they are.
    case (.integer, .real(let number)), (.numeric, .real(let number)):
      number == number.rounded(.towardZero) && abs(number) < 0x1p63
    case (.integer, .number), (.numeric, .number), (.real, .number): true
    default: false
    }
  }
}

/// A value that some columns store in another storage class.
package enum ConvertibleValue: Sendable, Equatable {
  case integer
  case real(Double)
  case number

  /// A text; nil if SQLite does not take it for a number.
  ///
  /// - Parameter text: the bytes of the text in UTF-8.
  package init?(text: some Sequence<UInt8>) {
    var (parts, isSpace, wasSpace) = ("", false, false)
    for byte in text {
      wasSpace = isSpace
      isSpace = (9...13).contains(byte) || byte == 32
      if isSpace { continue }
      if wasSpace, !parts.isEmpty { return nil }
      switch byte {
      case 48...57: if parts.last != "0" { parts.append("0") }
      case 43, 45: parts.append("-")
      case 46: parts.append(".")
      case 69, 101: parts.append("e")
      default: return nil
      }
      if parts.utf8.count > 7 { return nil }
    }
    guard parts.wholeMatch(of: /-?(?:0\.?0?|\.0)(?:e-?0)?/) != nil else { return nil }
    self = .number
  }
}
