package import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// The pages of an SQLite database as bytes, read without SQLite
/// (<https://sqlite.org/fileformat2.html>).
package struct DatabasePages {
  /// Reads bytes at an offset; fewer only at the end.
  package typealias Reading = (_ offset: Int, _ count: Int) throws(CofferError) -> [UInt8]

  /// The size of a page in bytes, from 512 to 65,536.
  let pageSize: Int
  /// The number of bytes of a page that SQLite uses, at least 480.
  let usableSize: Int
  /// The number of whole pages; the first has the number 1.
  let count: Int
  let encoding: DatabaseHeader.TextEncoding
  /// Whether some pages record the owners of the others, in a database with auto-vacuum.
  let hasPointerMap: Bool
  private let firstTrunk: Int
  private let read: Reading

  /// Reads the header of a database; nil if the bytes are no header of a database with pages.
  package init?(byteCount: Int, read: @escaping Reading) throws(CofferError) {
    let bytes = try read(0, DatabaseHeader.length)
    guard let header = try? DatabaseHeader(bytes, place: ""),
      let pageSize = header.pageSize, let usableSize = header.usableSize
    else { return nil }
    (self.pageSize, self.usableSize) = (pageSize, usableSize)
    count = byteCount / pageSize
    encoding = header.encoding
    firstTrunk = header.firstTrunk
    hasPointerMap = bytes.long(52) != 0
    self.read = read
  }

  /// The bytes of a page that SQLite uses; nil for a number that no page has.
  func page(_ number: Int) throws(CofferError) -> [UInt8]? {
    guard (1...max(1, count)).contains(number), number <= count else { return nil }
    let bytes = try read((number - 1) * pageSize, usableSize)
    return bytes.count == usableSize ? bytes : nil
  }

  /// Whether each page, by its number, is on the list of free pages, as far as that can be read.
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
  /// Passes the pages of an unchanging file to a closure; nil if it is no database.
  ///
  /// - Throws: ``CofferError`` with `read-failed`; errors from the closure.
  package static func reading<T>(_ path: String, _ body: (DatabasePages) throws -> T) throws -> T? {
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
  /// Takes a number of one to nine bytes at an offset and advances the offset; nil beyond the end.
  func variable(_ offset: inout Int) -> UInt64? {
    unsafe withUnsafeBytes { unsafe $0.variable(&offset) }
  }
}

extension UnsafeRawBufferPointer {
  /// Takes a number of one to nine bytes at an offset and advances the offset; nil beyond the end.
  func variable(_ offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for position in 0..<9 {
      guard indices.contains(offset) else { return nil }
      let byte = unsafe self[offset]
      offset += 1
      if position == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return value
  }
}
