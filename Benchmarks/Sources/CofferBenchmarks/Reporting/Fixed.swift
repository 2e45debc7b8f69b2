internal import Foundation

extension Double {
  /// The number with so many decimals.
  func fixed(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension Int {
  /// The number with commas between the thousands.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-\(text)" : text
  }
}
