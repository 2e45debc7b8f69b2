package import CoreDataModel
internal import POSIX

/// The pages of an SQLite database as bytes, read without SQLite
/// (<https://sqlite.org/fileformat2.html>).
package struct DatabasePages {
  /// Reads bytes at an offset; fewer only at the end.
  package typealias Reading = (_ offset: Int, _ count: Int) throws(CofferError) -> [UInt8]

  /// How the database encodes text.
  enum TextEncoding: UInt32 {
    case utf8 = 1
    case utf16LittleEndian
    case utf16BigEndian
  }

  /// The size of the part of the first page that every database begins with.
  static let headerSize = 100

  /// The size of a page in bytes, from 512 to 65,536.
  let pageSize: Int
  /// How many bytes of a page SQLite uses, at least 480.
  let usableSize: Int
  /// The number of whole pages; the first has the number 1.
  let count: Int
  /// How text is encoded.
  let encoding: TextEncoding
  private let firstTrunk: Int
  private let read: Reading

  /// Looks at the header of a database; nil if it does not begin like one with pages.
  ///
  /// - Parameters:
  ///   - byteCount: the size of the database.
  ///   - read: reads its bytes.
  /// - Throws: errors from the closure.
  package init?(byteCount: Int, read: @escaping Reading) throws(CofferError) {
    let header = try read(0, Self.headerSize)
    guard header.count == Self.headerSize, let stored = header.word(16),
      let trunk = header.long(32)
    else { return nil }
    let size = stored == 1 ? 65_536 : stored
    let usable = size - Int(header[20])
    guard (512...65_536).contains(size), size & (size - 1) == 0, usable >= 480 else { return nil }
    pageSize = size
    usableSize = usable
    count = byteCount / size
    encoding = header.long(56).flatMap { TextEncoding(rawValue: UInt32($0)) } ?? .utf8
    firstTrunk = trunk
    self.read = read
  }

  /// The bytes of a page that SQLite uses; nil for a number that no page has.
  ///
  /// - Throws: ``CofferError`` as the file cannot be read.
  func page(_ number: Int) throws(CofferError) -> [UInt8]? {
    guard (1...max(1, count)).contains(number), number <= count else { return nil }
    let bytes = try read((number - 1) * pageSize, usableSize)
    return bytes.count == usableSize ? bytes : nil
  }

  /// Whether each page, by its number, is on the list of free pages, as far as that can be read.
  ///
  /// - Throws: ``CofferError`` as the file cannot be read.
  func freePages() throws(CofferError) -> [Bool] {
    var isFree = [Bool](repeating: false, count: count + 1)
    var number = firstTrunk
    while number > 0, number <= count, !isFree[number], let trunk = try page(number) {
      isFree[number] = true
      for index in 0..<min(trunk.long(4) ?? 0, usableSize / 4 - 2) {
        if let leaf = trunk.long(8 + index * 4), leaf <= count { isFree[leaf] = true }
      }
      number = trunk.long(0) ?? 0
    }
    return isFree
  }
}

extension DatabasePages {
  /// Passes the pages of a file that nobody changes to a closure; nil if it is no database.
  ///
  /// - Throws: ``CofferError`` with `read-failed`; errors from the closure.
  package static func reading<T>(
    _ path: String, _ body: (DatabasePages) throws -> T
  ) throws -> T? {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try FileIO.open(path)
    } catch {
      throw CofferError(.readFailed, path: path, detail: error.text)
    }
    defer { FileIO.close(descriptor) }
    let pages = try DatabasePages(byteCount: FileIO.size(of: descriptor) ?? 0) {
      offset, count throws(CofferError) in
      do throws(SystemError) {
        return try FileBytes.read(descriptor, at: offset, count: count)
      } catch {
        throw CofferError(.readFailed, path: path, detail: error.text)
      }
    }
    return try pages.map(body)
  }
}

extension [UInt8] {
  /// The big-endian number of 16 bits at an offset; nil beyond the end.
  func word(_ offset: Int) -> Int? {
    guard offset >= 0, offset < count - 1 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The big-endian number of 32 bits at an offset; nil beyond the end.
  func long(_ offset: Int) -> Int? {
    guard let high = word(offset), let low = word(offset + 2) else { return nil }
    return high << 16 | low
  }

  /// Takes a number of one to nine bytes at an offset, which moves behind it; nil beyond the end.
  func variable(_ offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for position in 0..<9 {
      guard indices.contains(offset) else { return nil }
      let byte = self[offset]
      offset += 1
      if position == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return value
  }
}
