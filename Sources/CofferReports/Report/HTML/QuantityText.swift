/// Numbers for people.
package enum QuantityText {
  /// A number with its digits in groups of three, such as `1,234,567`.
  package static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-\(text)" : text
  }

  /// A number and its noun, such as `1 object` or `3 objects`.
  package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// A count of bytes in decimal units, such as `12.3 MB`.
  package static func bytes(_ number: Int) -> String {
    guard number >= 1000 else { return count(number, "byte") }
    var unit = 1000.0
    let names = ["kB", "MB", "GB", "TB", "PB", "EB"]
    for name in names {
      let tenths = (Double(number) / unit * 10).rounded()
      if tenths < 10_000 || name == names.last {
        let whole = Int(tenths) / 10
        return "\(count(whole)).\(Int(tenths) % 10) \(name)"
      }
      unit *= 1000
    }
    return count(number, "byte")
  }

  /// A duration, such as `0.4 seconds`, or `1:02:03` from a minute on.
  package static func elapsed(_ duration: Duration) -> String {
    let tenths = (duration / .milliseconds(100)).rounded()
    guard tenths < 600 else { return self.duration(seconds: Int(min(tenths / 10, 3_600_000))) }
    return "\(Int(tenths) / 10).\(Int(tenths) % 10) seconds"
  }

  /// A span of time, such as `0:07` or `1:02:03`.
  package static func duration(seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = two(seconds % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
  }
}
