/// The bytes of a random UUID, version 4.
func uuidBytes(_ random: inout SeededGenerator) -> [UInt8] {
  var bytes: [UInt8] = []
  for _ in 0..<2 {
    let number = random.next()
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  return bytes
}
