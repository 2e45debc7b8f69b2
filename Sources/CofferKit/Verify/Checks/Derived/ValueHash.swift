internal import CoreDataStore

/// A value as 64 bits, the same on every run: enough to tell whether two values are the same without
/// keeping them.
///
/// Values of different storage classes differ, but for numbers: SQLite stores 1.0 as the integer 1
/// where a column's affinity asks for it.
struct ValueHash: Equatable {
  /// No value.
  static let null = ValueHash(bits: 0)

  /// The bits; 0 only for ``null``.
  let bits: Int64

  /// The hash that was kept in a record.
  init(bits: Int64) { self.bits = bits }

  /// The hash of a value of a row; nil where the value is too large to be lent.
  init?(_ row: RowCells, _ column: Int) {
    switch row.storageClass(column) {
    case .null: self = .null
    case .integer: self.init(number: Double(row.integer(column) ?? 0), row.integer(column))
    case .real:
      let number = row.number(column) ?? 0
      self.init(number: number, Int64(exactly: number))
    case .text, .blob:
      guard let bytes = unsafe row.bytes(column) else { return nil }
      let tag: UInt64 = row.storageClass(column) == .text ? 3 : 4
      unsafe self.init(tag, Self.mixed(bytes))
    }
  }

  private init(number: Double, _ integer: Int64?) {
    if let integer {
      self.init(1, UInt64(bitPattern: integer))
    } else {
      self.init(2, number.bitPattern)
    }
  }

  private init(_ tag: UInt64, _ content: UInt64) {
    let mixed = Self.mix(content ^ Self.factor, tag &* Self.otherFactor)
    bits = Int64(bitPattern: mixed == 0 ? 1 : mixed)
  }

  private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
  private static let otherFactor: UInt64 = 0xd6e8_feb8_6659_fd93

  /// Both halves of the product, so that every bit has a part in every other.
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ otherFactor).multipliedFullWidth(by: right ^ factor)
    let folded = product.high ^ product.low
    return (folded ^ (folded >> 29)) &* otherFactor ^ left
  }

  private static func mixed(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = mix(UInt64(bytes.count), factor)
    var place = 0
    while bytes.count - place >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      state = mix(state ^ UInt64(littleEndian: word), otherFactor)
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(unsafe bytes[place])
      place += 1
    }
    return mix(state ^ rest, factor)
  }
}
