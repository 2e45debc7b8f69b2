internal import CoreDataModel

/// Reads index.json value by value, without a tree of values in memory: an index may list millions of
/// entries.
///
/// It reads forward; the caller says what to expect next.
struct IndexReader: ~Copyable {
  /// Why the index cannot be read; the text is for people.
  struct Problem: Error {
    var code = CofferError.Code.damagedArchive
    var text: String
    /// The exceeded limit; nil for other defects.
    var limit: ArchiveLimits.Name?

    init(code: CofferError.Code = .damagedArchive, text: String) {
      self.code = code
      self.text = text
    }

    init(_ text: String) { self.text = text }

    init(exceeding limit: ArchiveLimits.Name, _ text: String) {
      code = .archiveLimit
      self.text = text
      self.limit = limit
    }
  }

  let limits: ArchiveLimits

  private var scanner: JSONScanner
  /// The first token of an element, which was read to see whether there is one.
  private var first: JSONToken?

  /// Begins at the first byte of a text, which is changed and must stay until the reader is done.
  init(_ text: UnsafeMutableRawBufferPointer, limits: ArchiveLimits) {
    self.limits = limits
    scanner = unsafe JSONScanner(text, maximumDepth: limits.indexDepth)
  }

  /// Reads an object; the body reads the value of each key.
  mutating func object(
    _ body: (String, inout IndexReader) throws(Problem) -> Void
  ) throws(Problem) {
    guard try next() == .objectStart else { throw wrong("an object") }
    var keys = KeySet()
    while case .key(let slice) = try next() {
      let key = scanner.string(of: slice)
      guard keys.insert(key) else { throw wrong("a unique key") }
      try body(key, &self)
    }
  }

  /// Reads an array; the body reads each element.
  mutating func array(_ body: (inout IndexReader) throws(Problem) -> Void) throws(Problem) {
    guard try next() == .arrayStart else { throw wrong("an array") }
    while true {
      let token = try next()
      if token == .arrayEnd { return }
      first = token
      try body(&self)
    }
  }

  mutating func integer() throws(Problem) -> Int64 {
    guard case .integer(let value) = try next() else { throw wrong("an integer") }
    return value
  }

  /// Reads a count, a size or an offset.
  mutating func size() throws(Problem) -> Int {
    let number = try integer()
    guard let size = Int(exactly: number), (0...ArchiveLimits.fileSize).contains(size) else {
      throw wrong("a size")
    }
    return size
  }

  mutating func string() throws(Problem) -> String {
    guard case .string(let slice) = try next() else { throw wrong("a string") }
    return scanner.string(of: slice)
  }

  /// Skips the value of a key, of any kind.
  mutating func skipValue() throws(Problem) {
    do { try scanner.skipValue() } catch { throw problem(error) }
  }

  /// Checks that nothing but white space follows.
  mutating func end() throws(Problem) { _ = try next() }

  private mutating func next() throws(Problem) -> JSONToken {
    if let token = first.take() { return token }
    do { return try scanner.next() } catch { throw problem(error) }
  }

  private func wrong(_ expected: String) -> Problem {
    Problem("expected \(expected) before byte \(scanner.offset)")
  }

  private func problem(_ error: JSONError) -> Problem {
    error.kind == .tooDeep
      ? Problem(exceeding: .indexDepth, "it is nested more deeply")
      : Problem("\(error.kind.rawValue) at byte \(error.offset)")
  }
}

/// The keys of one object, to find duplicates.
///
/// Most objects have few keys, so a list is enough.
struct KeySet {
  private static let largestList = 16

  private var list: [Name] = []
  private var set: Set<Name> = []

  /// Adds a key; false if it is already there.
  mutating func insert(_ text: String) -> Bool {
    let key = Name(text)
    if set.isEmpty {
      if list.contains(key) { return false }
      list.append(key)
      if list.count > Self.largestList { set = Set(list) }
      return true
    }
    return set.insert(key).inserted
  }
}

/// The list in an index.json that may contradict itself.
struct IndexListing {
  /// All records in their order, including those with a repeated name.
  let entries: [ArchiveIndex.Entry]
  /// The index of the first record of each name.
  let index: ArchiveIndex

  /// Reads the content of index.json, and records the defects of the index itself.
  ///
  /// - Parameters:
  ///   - json: the content.
  ///   - offset: where index.json begins in the archive's file; nil in a repacked archive.
  ///   - log: collects problems.
  /// - Returns: nil if the content is not an index.
  /// - Throws: `newer-format` and `archive-limit`, after which nothing is known.
  static func read(
    _ json: consuming ContiguousArray<UInt8>, at offset: Int?, _ log: ProblemLog
  ) throws(CofferError) -> IndexListing? {
    let content: ArchiveIndex.Content
    do {
      content = try ArchiveIndex.content(of: json, limits: log.limits)
    } catch {
      guard error.code == .damagedArchive else { throw error.located(at: log.path, offset: offset) }
      try log.note(.unreadableIndex, entry: EntryName.index, offset: offset, error.detail)
      return nil
    }
    var names: Set<Name> = []
    let index =
      ArchiveIndex(entries: content.entries)
      ?? ArchiveIndex(entries: content.entries.filter { names.insert(Name($0.name)).inserted })
    guard let index else { return nil }
    var digests = [index.digests]
    // The format does not say whether a doubled record counts twice, so that is no second problem.
    if index.entries.count < content.entries.count {
      digests.append(IndexDigests(of: content.entries))
    }
    for wrong in content.wrongDigests(digests) {
      try log.note(wrong.kind, entry: EntryName.index, offset: offset, wrong.detail)
    }
    return IndexListing(entries: content.entries, index: index)
  }
}
