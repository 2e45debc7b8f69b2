internal import CoreDataArchive
internal import Foundation

/// The recognized content of a value's bytes.
package struct ShownContent: Sendable, Equatable {
  /// The kinds of content that are recognized.
  package enum Kind: String, Sendable, CaseIterable {
    case png, jpeg, gif, webp, heic, avif, tiff
    case pdf
    case json
    /// A UUID of 16 bytes.
    case uuid
  }

  /// The kind.
  package var kind: Kind
  /// The number of bytes.
  package var count: Int
  /// The text of JSON, or of a UUID; nil for others.
  package var text: String?
  /// The width and the height of an image in pixels; nil where they are not known.
  package var size: Size?

  /// The size of an image in pixels.
  package struct Size: Sendable, Equatable {
    /// The width.
    package var width: Int
    /// The height.
    package var height: Int
  }

  /// Recognizes bytes by how they begin, and by what their format prescribes.
  ///
  /// Sources: the PNG specification (5.2, 11.2.2), GIF89a (17, 18), ITU-T T.81 (B.2.2), ISO/IEC 23008-12
  /// (10.2), RFC 9649 (2.4), RFC 8259.
  ///
  /// - Returns: nil for bytes of no known kind.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    let head = unsafe Array(bytes.prefix(32))
    func begins(_ text: String, at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    func number(_ offsets: [Int]) -> Int {
      offsets.reduce(0) { $0 << 8 | ($1 < head.count ? Int(head[$1]) : 0) }
    }
    count = bytes.count
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      kind = .png
      if head.count >= 24 {
        size = Size(width: number([16, 17, 18, 19]), height: number([20, 21, 22, 23]))
      }
    } else if begins("GIF87a") || begins("GIF89a") {
      kind = .gif
      if head.count >= 10 { size = Size(width: number([7, 6]), height: number([9, 8])) }
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      kind = .jpeg
      size = unsafe Self.sizeOfJPEG(bytes)
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      kind = .webp
    } else if begins("ftyp", at: 4) {
      guard let brand = Self.brands.first(where: { begins($0.brand, at: 8) }) else { return nil }
      kind = brand.kind
    } else if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      kind = .tiff
    } else if begins("%PDF-") {
      kind = .pdf
    } else if let json = unsafe Self.json(bytes) {
      (kind, text) = (.json, json)
    } else if let uuid = UUIDText.text(head), bytes.count == 16 {
      (kind, text) = (.uuid, uuid)
    } else {
      return nil
    }
  }

  private static let brands: [(brand: String, kind: Kind)] = [
    ("heic", .heic), ("heix", .heic), ("mif1", .heic), ("hevc", .heic), ("avif", .avif),
  ]

  /// The text, if it is an object or an array in JSON.
  private static func json(_ bytes: UnsafeRawBufferPointer) -> String? {
    let first = unsafe bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? unsafe JSONValue.parse(bytes)) != nil
    else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The size in the first frame header of a JPEG; nil if none is reached.
  private static func sizeOfJPEG(_ bytes: UnsafeRawBufferPointer) -> Size? {
    var offset = 2
    while offset + 9 <= bytes.count, unsafe bytes[offset] == 0xFF {
      let marker = unsafe bytes[offset + 1]
      func word(_ place: Int) -> Int { unsafe Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
      // Bytes may fill the space before a marker (T.81, B.1.1.2).
      if marker == 0xFF {
        offset += 1
        continue
      }
      // C4, C8 and CC lie among the frame headers: tables (DHT, DAC) and a reserved marker.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return Size(width: word(offset + 7), height: word(offset + 5))
      }
      let length = word(offset + 2)
      guard length >= 2, marker != 0xDA else { return nil }
      offset += 2 + length
    }
    return nil
  }
}
