package import CoreDataArchive

/// An archive split into its entries, to be changed and assembled again, right or wrong.
///
/// Entries and the records of the index are two lists, and nothing keeps them in step: whatever is done to
/// one of them alone is a contradiction in the archive that is written. What follows from the contents (digests,
/// sizes, places, counts, the root digest) is brought up to date when it is written, as far as asked for.
///
///     var archive = try ArchiveRewriter(path)
///     try archive.changeLines(of: "entities/Tag/00000.ndjson") { $0.swapAt(0, 1) }
///     try archive.write(to: path)                       // only the order of the lines is wrong
///     try archive.write(to: path, recomputing: .none)   // and so is the entry's digest
///
///     archive.entries.append(archive.entries[0])        // an entry comes twice
///     archive.records.remove(at: 1)                     // the index does not list an entry
///     archive.records[0].size += 1                      // wrong, if sizes are not recomputed
///     archive.indexPositions = []                       // there is no index.json
///     archive.changeIndex = { $0 + "}" }                // index.json is no JSON
///     archive.footerOffset = 0                          // the footer is invalid
///
/// Unchanged, it writes the bytes that it read, if the archive was written at the same level.
package struct ArchiveRewriter {
  /// An entry and its content.
  package struct Entry: Equatable {
    /// The name; need not be one that an archive allows.
    package var name: String
    /// The content.
    package var bytes: ContiguousArray<UInt8>
    /// The content as text, for entries of text.
    package var text: String {
      get { String(decoding: bytes, as: UTF8.self) }
      set { bytes = ContiguousArray(newValue.utf8) }
    }

    /// Creates an entry.
    package init(_ name: String, _ bytes: some Sequence<UInt8>) {
      self.name = name
      self.bytes = ContiguousArray(bytes)
    }

    /// Creates an entry of text.
    package init(_ name: String, text: String) { self.init(name, text.utf8) }
  }

  /// What of the index is brought up to date.
  ///
  /// The first record of a name belongs to the first entry of the name, the second to the second; records of
  /// entries that are not there stay as they are.
  package struct Recomputed: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The digests of the contents.
    package static let digests = Recomputed(rawValue: 1)
    /// The sizes of the contents.
    package static let sizes = Recomputed(rawValue: 2)
    /// The offsets and the compressed sizes.
    package static let places = Recomputed(rawValue: 4)
    /// What the index says about lines: numbers of objects and rows, the first and the last primary key.
    package static let counts = Recomputed(rawValue: 8)
    /// The root digest and the content digest of the records.
    package static let rootDigest = Recomputed(rawValue: 16)
    /// Everything: the container is right, whatever the contents say.
    package static let all: Recomputed = [.digests, .sizes, .places, .counts, .rootDigest]
    /// Nothing: the records and the digests are written as they are.
    package static let none: Recomputed = []
  }

  /// Why an archive cannot be changed as asked for.
  package struct Failure: Error, CustomStringConvertible {
    /// What is not there.
    package var description: String
  }

  /// The entries in the order in which they are written, index.json not among them.
  package var entries: [Entry] = []
  /// The records of the index, in its order.
  package var records: [ArchiveIndex.Entry]
  /// The root digest and the content digest, unless they are recomputed.
  package var digests: IndexDigests
  /// Before which entries index.json stands, by their positions; the count of entries means behind the last.
  ///
  /// nil means once and after the last; an empty list means that it is missing.
  package var indexPositions: [Int]?
  /// Changes the text of index.json after everything was recomputed.
  package var changeIndex: (String) -> String = { $0 }
  /// The place of index.json in the footer; nil for the right one.
  package var footerOffset: UInt64?

  /// Splits a sound archive into its entries.
  ///
  /// - Throws: ``CofferError``.
  package init(_ path: String) throws {
    var limits = ArchiveLimits.standard
    limits.partSize = .max
    let file = try ArchiveFile(path: path, options: ArchiveReaderOptions(limits: limits))
    records = file.index.entries
    digests = file.index.digests
    for record in records {
      entries.append(Entry(record.name, try file.read(record.name)))
    }
  }

  /// The position of the first entry of a name.
  ///
  /// - Throws: ``Failure`` where there is none.
  package func position(of name: String) throws -> Int {
    guard let position = entries.firstIndex(where: { $0.name == name }) else {
      throw Failure(description: "no entry \(name)")
    }
    return position
  }

  /// The position of the first record of a name.
  ///
  /// - Throws: ``Failure`` where there is none.
  package func recordPosition(of name: String) throws -> Int {
    guard let position = records.firstIndex(where: { $0.name == name }) else {
      throw Failure(description: "no record of \(name)")
    }
    return position
  }

  /// Changes the text of an entry; throws ``Failure`` if there is none.
  package mutating func changeText(of name: String, _ change: (inout String) -> Void) throws {
    change(&entries[try position(of: name)].text)
  }

  /// Changes the lines of an entry; each is without its line feed.
  ///
  /// - Throws: ``Failure`` where there is none.
  package mutating func changeLines(of name: String, _ change: (inout [String]) -> Void) throws {
    try changeText(of: name) { text in
      var lines = text.split(separator: "\n").map(String.init)
      change(&lines)
      text = lines.map { "\($0)\n" }.joined()
    }
  }

  /// Changes the record of an entry; throws ``Failure`` if there is none.
  package mutating func changeRecord(
    of name: String, _ change: (inout ArchiveIndex.Entry) -> Void
  ) throws {
    change(&records[try recordPosition(of: name)])
  }

  /// Removes an entry and its record; throws ``Failure`` where one of them is not there.
  package mutating func remove(_ name: String) throws {
    entries.remove(at: try position(of: name))
    records.remove(at: try recordPosition(of: name))
  }

  /// Inserts an entry, and its record before that of the entry behind it.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - position: among the entries.
  /// - Throws: ``Failure`` where the entry behind it has no record.
  package mutating func insert(_ entry: Entry, at position: Int) throws {
    let next = position < entries.count ? try recordPosition(of: entries[position].name) : nil
    entries.insert(entry, at: position)
    records.insert(Self.record(of: entry), at: next ?? records.count)
  }

  /// Moves an entry and leaves its record unchanged.
  ///
  /// - Parameters:
  ///   - name: the entry's name.
  ///   - position: its new position.
  /// - Throws: ``Failure`` where there is none.
  package mutating func moveEntry(_ name: String, to position: Int) throws {
    let entry = entries.remove(at: try self.position(of: name))
    entries.insert(entry, at: position)
  }
}
