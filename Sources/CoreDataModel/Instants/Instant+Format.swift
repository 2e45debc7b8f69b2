extension Instant {
  /// A form of dates, as `strptime` has it: `%d.%m.%Y %H:%M`.
  ///
  /// `%Y` is a year of four digits, `%m`, `%d`, `%H`, `%M`, `%S` are numbers of one or two digits, `%f` is
  /// a fraction of a second, `%z` a zone (`Z`, `+02:00`, `+0200`), `%s` seconds since 1970, which are
  /// the same in every zone, `%%` a percent sign. Without a zone, a date is in UTC.
  package struct Format: Sendable, Equatable {
    private enum Part: Hashable {
      case letter(UInt8)
      case field(UInt8)
    }

    private let parts: [Part]

    /// Reads a form; nil if it has another `%` or no date.
    package init?(_ text: String) {
      var parts: [Part] = []
      var bytes = Array(text.utf8)[...]
      while let byte = bytes.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          parts.append(.letter(byte))
          continue
        }
        guard let field = bytes.popFirst(), "YmdHMSfzs%".utf8.contains(field) else { return nil }
        parts.append(field == UInt8(ascii: "%") ? .letter(field) : .field(field))
      }
      let fields = Set(parts)
      let isDate = "Ymd".utf8.allSatisfy { fields.contains(.field($0)) }
      guard isDate || fields.contains(.field(UInt8(ascii: "s"))) else { return nil }
      self.parts = parts
    }

    /// The point in time of a text; nil if it has another form.
    package func read(_ text: String) -> Stored? {
      var rest = Array(text.utf8)[...]
      var (year, month, day, hour, minute, second) = (1, 1, 1, 0, 0, 0)
      var (fraction, digits): (UInt64, Int) = (0, 0)
      var offset: Int64 = 0
      var whole: Int64?
      for part in parts {
        switch part {
        case .letter(let byte): guard rest.popFirst() == byte else { return nil }
        case .field(let field):
          switch field {
          case UInt8(ascii: "Y"):
            guard let number = Self.number(&rest, 4...4) else { return nil }
            year = number
          case UInt8(ascii: "f"):
            let start = rest.count
            guard let number = Self.number(&rest, 1...17) else { return nil }
            (fraction, digits) = (UInt64(number), start - rest.count)
          case UInt8(ascii: "z"):
            guard let zone = Self.zone(&rest) else { return nil }
            offset = zone
          case UInt8(ascii: "s"):
            let isNegative = rest.first == UInt8(ascii: "-")
            if isNegative { rest = rest.dropFirst() }
            guard let number = Self.number(&rest, 1...12) else { return nil }
            whole = (isNegative ? -Int64(number) : Int64(number)) - Instant.secondsTo2001
          default:
            guard let number = Self.number(&rest, 1...2) else { return nil }
            switch field {
            case UInt8(ascii: "m"): month = number
            case UInt8(ascii: "d"): day = number
            case UInt8(ascii: "H"): hour = number
            case UInt8(ascii: "M"): minute = number
            default: second = number
            }
          }
        }
      }
      let fields = Fields(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      guard rest.isEmpty,
        let seconds = whole ?? fields.secondsSince2001.map({ $0 - offset })
      else { return nil }
      guard digits > 0 else { return .integer(seconds) }
      let scale = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
      return .real(seconds: seconds, fraction: fraction, scale: scale)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(count.upperBound).prefix { (0x30...0x39).contains($0) }
      guard digits.count >= count.lowerBound else { return nil }
      rest = rest.dropFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The number of seconds that a zone is ahead of UTC.
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int64? {
      guard let sign = rest.popFirst() else { return nil }
      if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(&rest, 2...2)
      else { return nil }
      if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
      guard let minutes = number(&rest, 2...2), hours < 24, minutes < 60 else { return nil }
      let seconds = Int64(hours * 3_600 + minutes * 60)
      return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
  }
}
