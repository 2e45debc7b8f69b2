internal import CoreDataArchive
internal import DataCompression

/// Makes the bytes of tars block by block, also of tars that no archive is, and packs them.
package struct HandMadeTar {
  /// The plain bytes so far.
  package private(set) var bytes = ContiguousArray<UInt8>()

  /// Begins a tar without entries.
  package init() {}

  /// Appends a header with a right checksum.
  ///
  /// - Parameters:
  ///   - name: the bytes of the name, at most 100.
  ///   - size: what stands in the field for the size.
  ///   - type: the type of the entry.
  ///   - link: the target of a link.
  package mutating func header(
    _ name: String, size: Int = 0, type: Character = "0", link: String = ""
  ) {
    var block = ContiguousArray<UInt8>(repeating: 0, count: TarHeader.blockSize)
    func put(_ text: some Sequence<UInt8>, _ start: Int) {
      for (offset, byte) in text.enumerated() { block[start + offset] = byte }
    }
    put(name.utf8, 0)
    put("0000644\0".utf8, 100)
    if size < 1 << 33 {
      let octal = String(size, radix: 8)
      put((String(repeating: "0", count: 11 - octal.count) + octal).utf8, 124)
    } else {
      block[124] = 0x80
      for place in 0..<8 { block[135 - place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
    }
    put("00000000000\0        ".utf8, 136)
    put(String(type).utf8, 156)
    put(link.utf8, 157)
    put("ustar\u{0}00".utf8, 257)
    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    put((String(repeating: "0", count: 6 - sum.count) + sum + "\0 ").utf8, 148)
    bytes += block
  }

  /// Appends content and its padding.
  package mutating func content(_ content: some Collection<UInt8>) {
    bytes += content
    bytes += ContiguousArray(repeating: 0, count: TarHeader.padding(after: content.count))
  }

  /// Appends an entry, as an archive has it.
  package mutating func entry(_ name: String, _ content: some Collection<UInt8>) {
    bytes += TarHeader(name: name, size: content.count).encoded
    self.content(content)
  }

  /// Appends an entry with a text.
  package mutating func entry(_ name: String, _ text: String) {
    entry(name, ContiguousArray(text.utf8))
  }

  /// Appends a pax header with these bytes.
  package mutating func pax(_ records: String, size: Int? = nil) {
    header("PaxHeader", size: size ?? records.utf8.count, type: "x")
    content(ContiguousArray(records.utf8))
  }

  /// A record of a pax header with the right length.
  package static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while String(length).utf8.count + rest.utf8.count > length { length += 1 }
    return "\(length)\(rest)"
  }

  /// Appends the end of a tar.
  package mutating func end() { bytes += ContiguousArray(repeating: 0, count: 1024) }

  /// The tar in members such as an archive has, one for each 1 MiB, and a footer.
  package func members() throws -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    var compressor = try BlockCompressor(level: 6)
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
      let piece = ContiguousArray(bytes[start..<min(start + 1 << 20, bytes.count)])
      unsafe piece.withUnsafeBytes {
        unsafe compressor.appendMember($0, to: &output)
      }
    }
    return output + MemberFormat.gzip.footer(indexOffset: 0)
  }

  /// The tar as stock tools pack it.
  package func stock() throws -> ContiguousArray<UInt8> { try Self.gzip(bytes) }

  /// Bytes as a plain zstd frame.
  package static func zstd(
    _ plain: ContiguousArray<UInt8>, level: Int = 3
  ) throws -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    var compressor = try MemberCompressor(.zstd, level: level)
    try unsafe plain.withUnsafeBytes { try unsafe compressor.append($0, to: &output) }
    return ContiguousArray(output.dropFirst(MemberFormat.headerSize))
  }

  /// Bytes as a plain gzip member.
  package static func gzip(
    _ plain: ContiguousArray<UInt8>, level: Int = 6
  ) throws -> ContiguousArray<UInt8> {
    var output: ContiguousArray<UInt8> = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    var compressor = try BlockCompressor(level: level)
    let checksum = unsafe plain.withUnsafeBytes { bytes in
      unsafe compressor.compress(bytes, appendingTo: &output)
      return unsafe crc32(of: bytes)
    }
    for number in [checksum, UInt32(truncatingIfNeeded: plain.count)] {
      for shift in [0, 8, 16, 24] as [UInt32] {
        output.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    return output
  }
}
