internal import CoreDataModel
internal import POSIX

/// The state of the `-journal` of a store.
///
/// A journal without an active owner is hot: a writer died, and the main file contains half of its
/// transaction until the journal is rolled back. The layout is SQLite's
/// (<https://sqlite.org/fileformat.html#the_rollback_journal>).
enum RollbackJournal: Equatable {
  /// There is nothing to roll back.
  case none
  /// A number of bytes must be rolled back.
  case hot(length: Int64)

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// Length, checksum and magic number at the end of a journal that names a super-journal.
  private static let trailerLength: Int64 = 16
  /// The longest path that SQLite writes there.
  private static let longestName: Int64 = 512

  /// Examines the journal of a store; throws `read-failed` when there is a journal that cannot be read.
  init(of files: DatabaseFiles, main: borrowing SourceFile) throws(CofferError) {
    self = .none
    guard let state = try files.state().journal, state.size > 0 else { return }
    // In this order: a writer reserves the store before it makes its journal.
    guard try !main.isReserved() else { return }
    let journal: SourceFile
    do {
      journal = try SourceFile(path: files.journal, kind: .companion)
    } catch {
      if try files.state().journal == nil { return }
      throw error
    }
    guard try journal.bytes(at: 0, count: Self.magic.count) == Self.magic else { return }
    let size = try journal.size()
    guard let name = try Self.superJournal(of: journal, size: size) else {
      self = .hot(length: try Self.nameless(journal, length: size))
      return
    }
    // Without its super-journal, the transaction over several databases was committed.
    guard let exists = try? FileState.look(at: name.path), exists.kind == .file else { return }
    // The name is left off: after a rollback SQLite would look after the super-journal, and
    // delete whatever file the name leads to.
    self = .hot(length: try Self.nameless(journal, length: size - name.length))
  }

  /// The length of a beginning of a journal that SQLite takes for one without a name.
  ///
  /// A journal has at most one name. If the end still looks like one, someone put a name below the
  /// name. Without its last byte, no end looks like one.
  private static func nameless(
    _ journal: borrowing SourceFile, length: Int64
  ) throws(CofferError) -> Int64 {
    let end = length - Int64(magic.count)
    guard end > 0, try journal.bytes(at: end, count: magic.count) == magic else { return length }
    return length - 1
  }

  /// Whether SQLite would not roll back the journal of an unused store, according to its beginning:
  /// it does not exist, is empty, or was invalidated.
  static func saysNothing(_ files: DatabaseFiles) -> Bool {
    guard let state = try? files.state().journal, state.size > 0 else {
      return (try? files.state()) != nil
    }
    do throws(CofferError) {
      let journal = try SourceFile(path: files.journal, kind: .companion)
      return try journal.bytes(at: 0, count: magic.count) != magic
    } catch {
      return false
    }
  }

  /// The super-journal named at the end of a journal, and the size of that name.
  private static func superJournal(
    of journal: borrowing SourceFile, size: Int64
  ) throws(CofferError) -> (path: String, length: Int64)? {
    guard size > trailerLength + 4 else { return nil }
    let trailer = try journal.bytes(at: size - trailerLength, count: Int(trailerLength))
    guard trailer.count == 16, Array(trailer[8...]) == magic else { return nil }
    let length = Int64(bigEndian(trailer[0..<4]))
    guard length > 0, length <= longestName, length <= size - trailerLength - 4 else { return nil }
    let name = try journal.bytes(at: size - trailerLength - length, count: Int(length))
    // SQLite adds up C's `char`, which has a sign on some machines and none on others.
    let signed = name.reduce(0 as UInt32) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    let unsigned = name.reduce(0 as UInt32) { $0 &+ UInt32($1) }
    let checksum = bigEndian(trailer[4..<8])
    guard checksum == signed || checksum == unsigned else { return nil }
    let path = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    return (path, trailerLength + length + 4)
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
