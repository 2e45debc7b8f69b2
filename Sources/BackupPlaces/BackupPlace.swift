package import CoreDataModel
package import Foundation
internal import POSIX

/// A place that keeps the immutable files of a vault: a folder, or a prefix on an object store.
///
/// Names are relative paths with `/` in between (``PlaceName``). A file exists completely or not at
/// all, even if a process is killed or a connection is lost. Calls block, may be made on
/// several threads at once, and end soon after the cancellation of their task. Every call throws
/// `invalid-entry-name` for a name that is not allowed in any place, `access-denied` without permission,
/// and `place-unreachable` when the service does not answer after all retries.
package protocol BackupPlace: Sendable {
  /// The name of the place in messages, such as `s3://bucket/prefix`; without secrets.
  var address: String { get }

  /// The files below a prefix, in the order of the names' UTF-8 bytes; empty if there are none.
  ///
  /// The prefix is compared as text: `2026-` finds `2026-11/a` and `2026-12`. Incomplete files do
  /// not appear, neither those being written nor the remains of a killed writer.
  ///
  /// - Throws: `read-failed`; `not-found` for a place that is not made by writing to it, such as a bucket.
  func list(_ prefix: String) throws(CofferError) -> [PlacedFile]

  /// The names of entries that are neither files nor folders, such as links; no other call reports
  /// them.
  func strangers() throws(CofferError) -> [String]

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - range: the bytes to read; bytes beyond the end are left out. Nil for all.
  /// - Returns: the bytes, fewer than requested only at the end.
  /// - Throws: `not-found`, `read-failed`.
  func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8]

  /// Creates a file with the content of a local one.
  ///
  /// A place without such a call, as behind rclone, looks first and then writes, so that two concurrent writers
  /// may both succeed. Add a random part to the names of files that must not collide.
  ///
  /// - Returns: false if a file with that name exists; it stays unchanged.
  /// - Throws: `write-failed`; `read-failed` and `not-found` for the local file.
  func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool

  /// Creates a file with the content of a local one, or replaces an existing file.
  ///
  /// - Throws: `write-failed`; `read-failed` and `not-found` for the local file.
  func put(_ name: String, from file: String) throws(CofferError)

  /// Removes a file; does nothing if there is none.
  func delete(_ name: String) throws(CofferError)

  /// The path of a file on this machine, so that it can be read without copying it; nil if it is on
  /// another one.
  ///
  /// Only read it: the content is immutable.
  func localPath(of name: String) -> String?
}

/// A file in a place.
package struct PlacedFile: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// Its size.
  package var byteCount: UInt64
  /// When it was written, by the clock of the place.
  package var written: Date

  /// Creates a description of a file.
  package init(name: String, byteCount: UInt64, written: Date) {
    self.name = name
    self.byteCount = byteCount
    self.written = written
  }
}

extension BackupPlace {
  /// None.
  package func strangers() throws(CofferError) -> [String] { [] }

  /// None.
  package func localPath(of name: String) -> String? { nil }

  /// All bytes of a file.
  package func read(_ name: String) throws(CofferError) -> [UInt8] {
    try read(name, range: nil)
  }

  /// The file of a name; nil if there is none.
  package func find(_ name: String) throws(CofferError) -> PlacedFile? {
    try list(name).first { $0.name == name }
  }

  /// Writes the bytes of a file to an open local one, piece by piece.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - descriptor: the local file, written from its current position on.
  ///   - path: the name of the local file in errors.
  ///   - progress: called after each piece with the count of its bytes.
  /// - Returns: the count of all bytes.
  /// - Throws: errors of ``read(_:range:)``, `temporary-storage-failed`, errors of the closure.
  package func download(
    _ name: String, to descriptor: Int32, at path: String,
    progress: (UInt64) throws(CofferError) -> Void = { _ in }
  ) throws(CofferError) -> UInt64 {
    let pieceSize: UInt64 = 8 << 20
    var offset: UInt64 = 0
    while true {
      let piece = try read(name, range: offset..<offset + pieceSize)
      do {
        try FileBytes.write(piece, to: descriptor)
      } catch {
        throw CofferError(.temporaryStorageFailed, path: path, error)
      }
      offset += UInt64(piece.count)
      try progress(UInt64(piece.count))
      if UInt64(piece.count) < pieceSize { return offset }
    }
  }
}

/// The rules for names of files, the same in all places.
package enum PlaceName {
  /// The greatest length of a name, which object stores set, in UTF-8.
  package static let maxLength = 1024
  /// The greatest length of a part between slashes, which file systems set, in UTF-8.
  package static let maxPartLength = 255
  /// The prefix of the names of incomplete files; no other name has it.
  static let partialPrefix = ".coffer-partial-"

  /// Whether a text can be a name: parts with `/` in between that are not empty, `.` or `..`, without
  /// control characters, and not too long.
  package static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= maxLength else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty && part.count <= maxPartLength && !part.elementsEqual(".".utf8)
          && !part.elementsEqual("..".utf8) && !part.starts(with: partialPrefix.utf8)
          && part.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      }
  }

  /// Checks a name; throws `invalid-entry-name`.
  package static func check(_ name: String, at address: String) throws(CofferError) {
    guard !isValid(name) else { return }
    throw CofferError(
      .invalidEntryName, path: address, item: name,
      detail: "it is not a valid file name for a vault")
  }

  /// Whether one name comes before another in the order of their UTF-8 bytes.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
