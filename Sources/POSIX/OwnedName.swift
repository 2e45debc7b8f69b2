/// The unique part of a temporary name: 8 hexadecimal digits.
package enum OwnedName {
  private static let length = 8

  /// Eight unpredictable digits.
  package static func random() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: length - digits.count) + digits
  }

  /// Whether a name consists of a prefix and 8 hexadecimal digits.
  package static func matches(_ name: String, prefix: String) -> Bool {
    // Compare the length first, which rules out nearly every other name.
    guard name.utf8.count == prefix.utf8.count + length, name.utf8.starts(with: prefix.utf8) else {
      return false
    }
    return name.utf8.dropFirst(prefix.utf8.count).allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
  }
}
