package import BackupPlaces
package import CoreDataModel
package import Foundation
internal import Synchronization

/// A place in memory.
package final class MemoryPlace: BackupPlace {
  package let address = "memory:"

  private struct Entry {
    var bytes: [UInt8]
    var written: Date
  }

  private let files = Mutex<[[UInt8]: Entry]>([:])
  private let now: @Sendable () -> Date

  /// Creates an empty place.
  ///
  /// - Parameter now: its clock.
  package init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  /// Creates a place with the same files and clock as another.
  package convenience init(copying other: MemoryPlace) {
    self.init(now: other.now)
    let entries = other.files.withLock { $0 }
    files.withLock { $0 = entries }
  }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    files.withLock { files in
      files.filter { $0.key.starts(with: prefix.utf8) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { name, entry in
          PlacedFile(
            name: String(decoding: name, as: UTF8.self), byteCount: UInt64(entry.bytes.count),
            written: entry.written)
        }
    }
  }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try PlaceName.check(name, at: address)
    guard let bytes = files.withLock({ $0[Array(name.utf8)]?.bytes }) else {
      throw CofferError(.notFound, path: address + name)
    }
    guard let range else { return bytes }
    let inside = range.clamped(to: 0..<UInt64(bytes.count))
    return Array(bytes[Int(inside.lowerBound)..<Int(inside.upperBound)])
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try PlaceName.check(name, at: address)
    let entry = Entry(bytes: try Self.content(of: file), written: now())
    return files.withLock { files in
      guard files[Array(name.utf8)] == nil else { return false }
      files[Array(name.utf8)] = entry
      return true
    }
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    let entry = Entry(bytes: try Self.content(of: file), written: now())
    files.withLock { $0[Array(name.utf8)] = entry }
  }

  package func delete(_ name: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    files.withLock { $0[Array(name.utf8)] = nil }
  }

  /// Copies a file.
  package func copy(_ name: String, to other: String) throws(CofferError) {
    try PlaceName.check(other, at: address)
    let entry = Entry(bytes: try read(name), written: now())
    files.withLock { $0[Array(other.utf8)] = entry }
  }

  private static func content(of path: String) throws(CofferError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CofferError(.notFound, path: path)
    }
    return Array(data)
  }
}
