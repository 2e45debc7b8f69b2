/// Reads the objects of a binary property list one after another.
struct BinaryPlistObjectParser {
  let bytes: [UInt8]
  let trailer: BinaryPlistTrailer
  /// The number of bytes that the remaining objects may take in total.
  ///
  /// Without it, overlapping objects could turn a small file into a huge table.
  private var remaining: Int

  init(bytes: [UInt8], trailer: BinaryPlistTrailer) {
    self.bytes = bytes
    self.trailer = trailer
    remaining = trailer.tablePosition - 8
  }

  /// Reads the object with that number, which is below the trailer's object count.
  mutating func object(_ number: Int) throws(CofferError) -> BinaryPlistReader.Object {
    let entry = trailer.tablePosition + number * trailer.offsetWidth
    let offset = bytes.bigEndianUnsigned(at: entry, width: trailer.offsetWidth)
    guard let position = Int(exactly: offset), position >= 8, position < trailer.tablePosition
    else { throw BinaryPlistTrailer.damaged("an object outside the file") }
    try take(1)
    let marker = bytes[position]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return .scalar(try simple(marker))
    case 0x1: return .scalar(try integer(at: position + 1, power: low))
    case 0x2: return .scalar(.real(try real(at: position + 1, power: low)))
    case 0x3:
      guard low == 3 else { throw unknown(marker) }
      return .scalar(.date(try real(at: position + 1, power: 3)))
    case 0x8: return .scalar(try uid(at: position + 1, width: low + 1))
    case 0x4...0x7, 0xA...0xD:
      let (count, start) = try length(low, after: position + 1)
      return try counted(marker, count: count, at: start)
    default: throw unknown(marker)
    }
  }

  private func simple(_ marker: UInt8) throws(CofferError) -> PropertyListValue {
    switch marker {
    case 0x00: .null
    case 0x08: .bool(false)
    case 0x09: .bool(true)
    default: throw unknown(marker)
    }
  }

  /// An integer of 1, 2, 4, 8 or 16 bytes; the shorter three are unsigned, the others signed.
  private mutating func integer(
    at position: Int, power: Int
  ) throws(CofferError) -> PropertyListValue {
    guard power <= 4 else { throw BinaryPlistTrailer.damaged("an integer of an unknown width") }
    try need(1 << power, at: position)
    guard power == 4 else {
      let number = bytes.bigEndianUnsigned(at: position, width: 1 << power)
      return .integer(Int64(bitPattern: number))
    }
    let high = Int64(bitPattern: bytes.bigEndianUnsigned(at: position, width: 8))
    let number = bytes.bigEndianUnsigned(at: position + 8, width: 8)
    let narrow = Int64(bitPattern: number)
    return high == (narrow < 0 ? -1 : 0) ? .integer(narrow) : .wideInteger(high: high, low: number)
  }

  private mutating func real(at position: Int, power: Int) throws(CofferError) -> Double {
    guard power == 2 || power == 3 else {
      throw BinaryPlistTrailer.damaged("a number of an unknown width")
    }
    try need(1 << power, at: position)
    let bits = bytes.bigEndianUnsigned(at: position, width: 1 << power)
    if power == 3 { return Double(bitPattern: bits) }
    return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  private mutating func uid(at position: Int, width: Int) throws(CofferError) -> PropertyListValue {
    guard width <= 8 else { throw BinaryPlistTrailer.damaged("a reference of an unknown width") }
    try need(width, at: position)
    return .uid(bytes.bigEndianUnsigned(at: position, width: width))
  }

  /// The length of an object: in its marker, or after it as an integer object.
  private mutating func length(
    _ low: Int, after position: Int
  ) throws(CofferError) -> (count: Int, start: Int) {
    guard low == 0x0F else { return (low, position) }
    try need(1, at: position)
    let marker = bytes[position]
    guard marker & 0xF0 == 0x10, marker & 0x0F <= 3 else { throw unknown(marker) }
    let width = 1 << Int(marker & 0x0F)
    try need(width, at: position + 1)
    guard let count = Int(exactly: bytes.bigEndianUnsigned(at: position + 1, width: width)) else {
      throw BinaryPlistTrailer.damaged("an object of an impossible length")
    }
    return (count, position + 1 + width)
  }

  private mutating func counted(
    _ marker: UInt8, count: Int, at start: Int
  ) throws(CofferError) -> BinaryPlistReader.Object {
    switch marker >> 4 {
    case 0x4: return .scalar(.data(Array(try slice(count, width: 1, at: start))))
    case 0x5:
      let text = try slice(count, width: 1, at: start)
      guard text.allSatisfy({ $0 < 0x80 }) else {
        throw BinaryPlistTrailer.damaged("a text that is not ASCII")
      }
      return .scalar(.string(String(decoding: text, as: UTF8.self)))
    case 0x6:
      let units = try numbers(count, width: 2, at: start).map { UInt16(truncatingIfNeeded: $0) }
      return .scalar(.string(String(decoding: units, as: UTF16.self)))
    case 0x7:
      return .scalar(
        .string(String(decoding: try slice(count, width: 1, at: start), as: UTF8.self)))
    case 0xA: return .array(try references(count, at: start))
    case 0xB, 0xC: return .set(try references(count, at: start))
    default:
      let (twice, overflow) = count.multipliedReportingOverflow(by: 2)
      guard !overflow else { throw BinaryPlistTrailer.damaged("an object of an impossible length") }
      let all = try references(twice, at: start)
      return .dictionary(keys: Array(all[..<count]), values: Array(all[count...]))
    }
  }

  private mutating func references(_ count: Int, at start: Int) throws(CofferError) -> [Int] {
    let numbers = try numbers(count, width: trailer.referenceWidth, at: start)
    guard numbers.allSatisfy({ $0 < UInt64(clamping: trailer.objectCount) }) else {
      throw BinaryPlistTrailer.damaged("a reference to a missing object")
    }
    return numbers.map { Int(clamping: $0) }
  }

  private mutating func numbers(
    _ count: Int, width: Int, at start: Int
  ) throws(CofferError) -> [UInt64] {
    _ = try slice(count, width: width, at: start)
    return (0..<count).map { bytes.bigEndianUnsigned(at: start + $0 * width, width: width) }
  }

  private mutating func slice(
    _ count: Int, width: Int, at start: Int
  ) throws(CofferError) -> ArraySlice<UInt8> {
    let (length, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow else { throw BinaryPlistTrailer.damaged("an object of an impossible length") }
    try need(length, at: start)
    return bytes[start..<start + length]
  }

  /// Checks that the bytes are before the offset table, and subtracts them from the remainder.
  private mutating func need(_ count: Int, at position: Int) throws(CofferError) {
    guard count <= trailer.tablePosition - position else {
      throw BinaryPlistTrailer.damaged("an object that is cut off")
    }
    try take(count)
  }

  private mutating func take(_ count: Int) throws(CofferError) {
    guard count <= remaining else { throw BinaryPlistTrailer.damaged("objects that overlap") }
    remaining -= count
  }

  private func unknown(_ marker: UInt8) -> CofferError {
    BinaryPlistTrailer.damaged("an object of the unknown type \(marker)")
  }
}
