/// Puts the headers of a tar together, block by block.
///
/// Understands ustar with its name prefix, pax records for path and size, and GNU's long names and base-256
/// sizes. Everything that is neither a file nor a folder is refused: an archive has no links and no devices.
package struct TarDecoder: Sendable {
  /// A defect of a tar header; the text is for people.
  package struct Problem: Error, Equatable {
    /// The defect.
    package var text: String
    /// The exceeded limit; nil for any other defect.
    var limit: ArchiveLimits.Name?
  }

  /// The meaning of a block.
  package enum Step: Equatable {
    /// The entry is complete; its content follows.
    case entry(TarHeader)
    /// The content of an extended header follows, with a number of bytes to pass to
    /// ``extend(with:)``.
    case extended(size: Int)
    /// A block of zeros: the end.
    case end
  }

  private enum Extension: Sendable {
    case pax, paxGlobal, longName
  }

  private let limits: ArchiveLimits
  private var pending: Extension?
  private var path: String?
  private var size: Int?

  /// Creates a decoder at the beginning of a tar.
  package init(limits: ArchiveLimits = .standard) { self.limits = limits }

  /// Whether an extended header waits for the entry that it belongs to.
  package var isInsideEntry: Bool { path != nil || size != nil }

  /// Takes the next header block.
  ///
  /// - Parameter block: exactly ``TarHeader/blockSize`` bytes.
  /// - Returns: the meaning of the next block.
  /// - Throws: a problem with a text for people.
  package mutating func decode(_ block: ArraySlice<UInt8>) throws(Problem) -> Step {
    if block.allSatisfy({ $0 == 0 }) {
      if isInsideEntry { throw Problem(text: "the tar file ends after an extended header") }
      return .end
    }
    try Self.verifyChecksum(of: block)
    let stated = try Self.number(Self.field(block, 124, 12))
    switch block[block.startIndex + 156] {
    case 0x30, 0, 0x37:
      return .entry(try header(of: block, stated: stated, kind: .file))
    case 0x35:
      return .entry(try header(of: block, stated: 0, kind: .folder))
    case 0x78: return try begin(.pax, size: stated)
    case 0x67: return try begin(.paxGlobal, size: stated)
    case 0x4c: return try begin(.longName, size: stated)
    case 0x31, 0x32, 0x4b: throw Problem(text: "the tar file contains a link")
    case 0x33, 0x34, 0x36: throw Problem(text: "the tar file contains a device or a pipe")
    default: throw Problem(text: "the tar file contains an entry of an unknown type")
    }
  }

  /// Takes the content of an extended header.
  package mutating func extend(with content: ArraySlice<UInt8>) throws(Problem) {
    switch pending {
    case .longName: path = try Self.text(content.prefix { $0 != 0 })
    case .pax: try readPax(content)
    case .paxGlobal, nil: break
    }
    pending = nil
  }

  private mutating func begin(_ kind: Extension, size: Int) throws(Problem) -> Step {
    guard size <= limits.extendedHeaderSize else {
      throw Problem(text: "an extended header has \(size) bytes, more", limit: .extendedHeaderSize)
    }
    pending = kind
    return .extended(size: size)
  }

  private mutating func header(
    of block: ArraySlice<UInt8>, stated: Int, kind: TarHeader.Kind
  ) throws(Problem) -> TarHeader {
    defer {
      path = nil
      size = nil
    }
    var name = ""
    if let path {
      name = path
    } else {
      name = try Self.text(Self.field(block, 0, 100).prefix { $0 != 0 })
      let magic = Self.field(block, 257, 6)
      // GNU's own magic has a space where ustar has a NUL, and uses the prefix for other things.
      if magic.last == 0, magic.dropLast().elementsEqual("ustar".utf8) {
        let prefix = try Self.text(Self.field(block, 345, 155).prefix { $0 != 0 })
        if !prefix.isEmpty { name = "\(prefix)/\(name)" }
      }
    }
    return TarHeader(name: name, size: kind == .file ? size ?? stated : 0, kind: kind)
  }

  /// Reads the records `length SP key=value LF`.
  private mutating func readPax(_ content: ArraySlice<UInt8>) throws(Problem) {
    let damaged = Problem(text: "a pax header is invalid")
    var rest = content
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: 0x20), space - rest.startIndex <= 8,
        let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
        length > space - rest.startIndex + 2, length <= rest.count,
        rest[rest.startIndex + length - 1] == 0x0a,
        let equals = rest[..<(rest.startIndex + length)].firstIndex(of: 0x3d), equals > space
      else { throw damaged }
      let key = String(decoding: rest[(space + 1)..<equals], as: UTF8.self)
      let value = rest[(equals + 1)..<(rest.startIndex + length - 1)]
      switch key {
      case "path": path = try Self.text(value)
      case "size":
        guard let number = Int(String(decoding: value, as: UTF8.self)), number >= 0 else {
          throw damaged
        }
        size = number
      case "linkpath": throw Problem(text: "the tar file contains a link")
      default:
        if key.hasPrefix("GNU.sparse.") {
          throw Problem(text: "the tar file contains a sparse file")
        }
      }
      rest = rest[(rest.startIndex + length)...]
    }
  }

  private static func field(
    _ block: ArraySlice<UInt8>, _ start: Int, _ count: Int
  ) -> ArraySlice<UInt8> {
    block[(block.startIndex + start)..<(block.startIndex + start + count)]
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw Problem(text: "an entry name is not valid UTF-8")
    }
    return text
  }

  private static func verifyChecksum(of block: ArraySlice<UInt8>) throws(Problem) {
    let sumField = 148..<156
    var sum = 0
    for (index, byte) in block.enumerated() { sum += sumField.contains(index) ? 0x20 : Int(byte) }
    guard try number(field(block, 148, 8)) == sum else {
      throw Problem(text: "the checksum of a tar header does not match")
    }
  }

  /// Reads a number: octal digits between spaces or NULs, or GNU's base 256 for large ones.
  private static func number(_ field: ArraySlice<UInt8>) throws(Problem) -> Int {
    let damaged = Problem(text: "a tar header contains an invalid number")
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80 else { throw damaged }
      var value = 0
      for byte in field.dropFirst() {
        guard value <= ArchiveLimits.fileSize >> 8 else { throw damaged }
        value = value << 8 | Int(byte)
      }
      return value
    }
    var value = 0
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    for digit in digits {
      guard (0x30...0x37).contains(digit), value <= ArchiveLimits.fileSize >> 3 else {
        throw damaged
      }
      value = value << 3 | Int(digit - 0x30)
    }
    return value
  }
}
