internal import ArgumentParser

/// A length of time as typed: `26h`, `30d`, `8w`, `1y`; several add up, as in `1y6w`; zero is refused.
struct DurationArgument: ExpressibleByArgument {
  /// The length in seconds.
  var seconds: Int64

  private static let units: [Character: Int64] = [
    "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_557_600,
  ]

  init?(argument: String) {
    var (total, digits) = (Int64(0), "")
    guard !argument.isEmpty else { return nil }
    for character in argument {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else if let unit = Self.units[character], let count = Int64(digits), digits.count < 7 {
        total += count * unit
        digits = ""
      } else {
        return nil
      }
    }
    guard digits.isEmpty, total > 0 else { return nil }
    seconds = total
  }
}
