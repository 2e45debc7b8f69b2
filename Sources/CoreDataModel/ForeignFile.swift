/// A file of an unexpected kind, recognized by its first bytes.
package enum ForeignFile: Sendable, Equatable, CaseIterable {
  /// An SQLite database.
  case database
  case writeAheadLog
  /// The shared-memory index of a write-ahead log.
  case sharedMemory
  case rollbackJournal
  case xmlStore
  case binaryStore
  case zip
  /// A tar file without compression.
  case tar
  /// A property list, binary or XML.
  case propertyList
  case xml
  case text

  /// The number of bytes to examine.
  package static let prefixSize = 512

  /// The first bytes of formats that have a magic number.
  ///
  /// Sources: SQLite's file format (1.3), its WAL format (2.1, 4.1) and journal (3); the header that Core
  /// Data's binary store writes and requires; APPNOTE.TXT of zip (4.3); Apple's binary property lists.
  private static let magics: [(ForeignFile, [UInt8])] = [
    (.database, Array("SQLite format 3\0".utf8)),
    (.writeAheadLog, [0x37, 0x7F, 0x06, 0x82]), (.writeAheadLog, [0x37, 0x7F, 0x06, 0x83]),
    (.sharedMemory, [0x18, 0xE2, 0x2D, 0, 0, 0, 0, 0]),
    (.sharedMemory, [0, 0x2D, 0xE2, 0x18, 0, 0, 0, 0]),
    (.rollbackJournal, [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
    (.binaryStore, Array("CoreData".utf8) + [0, 0, 0, 1]),
    (.zip, [0x50, 0x4B, 3, 4]), (.zip, [0x50, 0x4B, 5, 6]),
    (.propertyList, Array("bplist".utf8)),
  ]

  /// Recognizes a file; nil for any other kind.
  ///
  /// - Parameter beginning: its first bytes; bytes after the first ``prefixSize`` are ignored.
  package init?(_ beginning: some Sequence<UInt8>) {
    let bytes = Array(beginning.prefix(Self.prefixSize))
    if let (kind, _) = Self.magics.first(where: { bytes.starts(with: $0.1) }) {
      self = kind
    } else if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) {
      self = .tar
    } else if let text = Self.text(bytes) {
      self = Self.kind(ofText: text)
    } else if Self.kind(ofText: String(decoding: bytes, as: UTF8.self)) == .xmlStore {
      // Its parser says where it has characters that no XML has.
      self = .xmlStore
    } else {
      return nil
    }
  }

  private static func kind(ofText text: String) -> ForeignFile {
    let text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard text.hasPrefix("<?xml") || text.hasPrefix("<!DOCTYPE ") else { return .text }
    if text.contains("<!DOCTYPE database ") || text.contains("<database>") { return .xmlStore }
    return text.contains("<plist") || text.contains("<!DOCTYPE plist ") ? .propertyList : .xml
  }

  /// The bytes behind the mark of UTF-16 as text; nil without the mark.
  private static func utf16Text(_ bytes: [UInt8]) -> String? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (one, two) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? two << 8 | one : one << 8 | two
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The bytes as text; nil for none, for other encodings than UTF-8 and marked UTF-16, and for control characters
  /// that no text has.
  private static func text(_ bytes: [UInt8]) -> String? {
    if let text = utf16Text(bytes) { return text }
    let isControl: (UInt8) -> Bool = { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
    guard !bytes.isEmpty, !bytes.contains(where: isControl) else { return nil }
    // The last character may have been cut.
    for cut in 0...min(3, bytes.count - 1) {
      let text = String(decoding: bytes.dropLast(cut), as: UTF8.self)
      if text.utf8.elementsEqual(bytes.dropLast(cut)) { return text }
    }
    return nil
  }

  /// The kind, as the detail of an error.
  package var detail: String {
    switch self {
    case .database: "it is an SQLite database"
    case .writeAheadLog: "it is the write-ahead log of a store, not the store"
    case .sharedMemory: "it is the shared memory file of a store, not the store"
    case .rollbackJournal: "it is the rollback journal of a store, not the store"
    case .xmlStore: "it is a Core Data XML store, not an SQLite store"
    case .binaryStore: "it is a Core Data binary store, not an SQLite store"
    case .zip: "it is a zip file"
    case .tar: "it is a tar file without compression"
    case .propertyList: "it is a property list"
    case .xml: "it is an XML file"
    case .text: "it is a text file"
    }
  }

  /// The advice; nil if there is none.
  package func advice(at path: String) -> CofferError.Advice? {
    sentence(at: path).map { .sentence($0) }
  }

  private func sentence(at path: String) -> String? {
    switch self {
    case .writeAheadLog: Self.store(besides: path, "-wal")
    case .sharedMemory: Self.store(besides: path, "-shm")
    case .rollbackJournal: Self.store(besides: path, "-journal")
    case .xmlStore:
      "Commands that only read accept it with its model. An import converts it to an SQLite store."
    case .binaryStore:
      "Only SQLite and XML stores are supported. Open it in the app that created it."
    case .zip: "Unpack it, and give the path of the store or archive in it."
    case .tar:
      "If it is a decompressed archive, compress it with gzip again. Otherwise unpack it, and "
        + "give the path of the store in it."
    case .database, .propertyList, .xml, .text: nil
    }
  }

  private static func store(besides path: String, _ ending: String) -> String {
    guard path.hasSuffix(ending) else { return "Give the store itself." }
    return "Give the store itself: \(path.dropLast(ending.count))"
  }
}
