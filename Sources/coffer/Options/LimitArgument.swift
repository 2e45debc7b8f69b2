internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The argument of `--archive-limit NAME=FACTOR`.
struct LimitArgument: Equatable {
  var group: ArchiveLimits.Group
  /// The factor of their defaults.
  var factor: Double

  /// Parses `NAME=FACTOR`.
  ///
  /// - Throws: `ValidationError` for another form, an unknown name, or a factor that is not above 0
  ///   and at most 100.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' is not NAME=FACTOR. \(Self.names)")
    }
    guard let group = ArchiveLimits.Group(rawValue: String(parts[0])) else {
      let all = ArchiveLimits.Group.allCases.map(\.rawValue)
      let guess = SimilarName.nearest(to: String(parts[0]), among: all)
        .map { " Did you mean '\($0)'?" }
      throw ValidationError("Unknown limit '\(parts[0])'.\(guess ?? "") \(Self.names)")
    }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let factor = Double(parts[1]), factor > 0, factor <= ArchiveLimits.maxFactor
    else {
      throw ValidationError(
        "Invalid factor '\(parts[1])' for '\(group.rawValue)'. It must be a number above 0 and at "
          + "most \(Int(ArchiveLimits.maxFactor)). \(Self.names)")
    }
    (self.group, self.factor) = (group, factor)
  }

  /// The groups of limits, for messages.
  private static var names: String {
    "The limits are \(ArchiveLimits.Group.allCases.map(\.rawValue).joined(separator: ", "))."
  }
}
