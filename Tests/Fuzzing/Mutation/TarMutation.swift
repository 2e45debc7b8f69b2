internal import CoreDataArchive
internal import StoreGenerator

/// Changes a tar so that the checksums of its headers still fit.
enum TarMutation {
  private static let block = TarHeader.blockSize

  /// Changes a header, or moves, doubles or removes whole blocks.
  static func apply(to bytes: inout [UInt8], _ random: inout SeededGenerator) throws {
    let headers = headerPlaces(in: bytes)
    guard let place = headers.isEmpty ? nil : headers[random.below(headers.count)] else {
      throw BrokenLaw("no tar")
    }
    switch random.below(9) {
    case 0: put(sizes(&random), at: place + 124, in: &bytes)
    case 1:
      let types = Array("0157LKxgSAVM".utf8) + [0]
      bytes[place + 156] = types[random.below(types.count)]
    case 2:
      let names = ["", "/", "../x", "./manifest.json", "index.json", "a/", "._a", ".", "a\u{0}b"]
      put(Array(names[random.below(names.count)].utf8) + [0], at: place, in: &bytes)
    case 3: bytes[place + random.below(block)] = UInt8(random.below(256))
    case 4:
      put(Array("prefix/\(random.below(9))".utf8) + [0], at: place + 345, in: &bytes)
    case 5: insertExtension(at: place, in: &bytes, &random)
    case 6:
      let end = min(bytes.count, place + block * (1 + random.below(4)))
      let piece = Array(bytes[place..<end])
      bytes.insert(contentsOf: piece, at: headers[random.below(headers.count)])
    case 7: bytes.removeSubrange(place..<min(bytes.count, place + block * (1 + random.below(3))))
    default: bytes[place + 257 + random.below(8)] = UInt8(random.below(256))
    }
    for place in headerPlaces(in: bytes) { fixChecksum(at: place, in: &bytes) }
  }

  /// Blocks that look like headers: they begin at a multiple of a block and name ustar, or hold the
  /// type of an entry behind a name.
  static func headerPlaces(in bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count - block + 1, by: block).filter { place in
      bytes[(place + 257)..<(place + 262)].elementsEqual("ustar".utf8)
    }
  }

  /// Puts a pax header or a GNU long name before an entry.
  private static func insertExtension(
    at place: Int, in bytes: inout [UInt8], _ random: inout SeededGenerator
  ) {
    let records = [
      "19 path=other.json\n", "20 size=99999999999\n", "11 size=-1\n", "9 size=\n",
      "12 path=a\u{0}b\n",
      "999 path=x\n", "30 mtime=1350244992.023960108\n", "16 linkpath=abc\n", "8 path=\n",
      "26 size=9223372036854775807\n", "27 size=9223372036854775808\n", "5 =a\n", "0 a=b\n",
      "18 GNU.sparse.a=1\n", "+9 path=a\n", "13 path=index.json\n",
    ]
    let isLong = random.chance(0.3)
    let content =
      isLong
      ? Array(String(repeating: "d/", count: random.below(600)).utf8) + [0]
      : Array(
        (0...random.below(3)).map { _ in records[random.below(records.count)] }.joined().utf8)
    var header = [UInt8](bytes[place..<(place + block)])
    header[156] = UInt8(ascii: isLong ? "L" : random.chance(0.8) ? "x" : "g")
    let size = String(content.count, radix: 8)
    put(
      Array((String(repeating: "0", count: 11 - size.utf8.count) + size).utf8) + [0], at: 124,
      in: &header)
    let padding = [UInt8](repeating: 0, count: TarHeader.padding(after: content.count))
    bytes.insert(contentsOf: header + content + padding, at: place)
  }

  private static func sizes(_ random: inout SeededGenerator) -> [UInt8] {
    let texts = [
      "00000000000", "00000000001", "00000000777", "00000001000", "77777777777", "0000000 000",
      "           ", "99999999999", "-0000000001", "00000004000",
    ]
    let binary: [[UInt8]] = [
      [0x80] + [UInt8](repeating: 0, count: 10) + [5], [0x80] + [UInt8](repeating: 0xff, count: 11),
      [UInt8](repeating: 0xff, count: 12),
      [0x80, 0, 0, 0, 0x7f] + [UInt8](repeating: 0xff, count: 7),
    ]
    let choice = random.below(texts.count + binary.count)
    return choice < texts.count ? Array(texts[choice].utf8) + [0] : binary[choice - texts.count]
  }

  private static func put(_ field: [UInt8], at place: Int, in bytes: inout [UInt8]) {
    for (index, byte) in field.enumerated() where place + index < bytes.count {
      bytes[place + index] = byte
    }
  }

  private static func fixChecksum(at place: Int, in bytes: inout [UInt8]) {
    put([UInt8](repeating: 0x20, count: 8), at: place + 148, in: &bytes)
    let sum = bytes[place..<(place + block)].reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    put(
      Array((String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits).utf8) + [0],
      at: place + 148, in: &bytes)
  }
}
