internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The argument of `--limit NAME=VALUE`.
struct LimitArgument: Equatable {
  /// The limit.
  var name: ArchiveLimits.Name
  /// Its value.
  var value: Int

  /// Parses `NAME=VALUE`.
  ///
  /// The value may end with K, M, G or T, which are powers of 1,024.
  ///
  /// - Throws: `ValidationError` for another form, an unknown name, or a value that is not between
  ///   1 and the maximum.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' is not NAME=VALUE. \(Self.names)")
    }
    guard let name = ArchiveLimits.Name(rawValue: String(parts[0])) else {
      let names = ArchiveLimits.Name.allCases.map(\.rawValue)
      let guess = SimilarName.nearest(to: String(parts[0]), among: names)
        .map { " Did you mean '\($0)'?" }
      throw ValidationError("Unknown limit '\(parts[0])'.\(guess ?? "") \(Self.names)")
    }
    guard let value = Self.value(parts[1]), (1...name.largestValue).contains(value) else {
      throw ValidationError(
        "Invalid value '\(parts[1])' for '\(name.rawValue)'. It must be a number from 1 to "
          + "\(name.largestValue), optionally with K, M, G or T. \(Self.names)")
    }
    self.name = name
    self.value = value
  }

  /// The limits, for messages.
  private static var names: String {
    "The limits are \(ArchiveLimits.Name.allCases.map(\.rawValue).joined(separator: ", "))."
  }

  private static func value(_ text: Substring) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { shifts[$0] }
    let digits = shift == nil ? text : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let (value, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return overflows ? nil : value
  }
}
