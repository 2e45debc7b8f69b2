package import CoreDataModel

/// The table of contents of an archive, its entry index.json.
package struct ArchiveIndex: Sendable, Equatable {
  /// The name of the format.
  package static let format = "coffer"
  /// The newest version of the format that this code reads, and the version that it writes.
  package static let version = 1

  /// One entry of the archive.
  package struct Entry: Sendable, Equatable {
    /// The entry's name.
    package var name: String
    /// The offset in the archive's file at which the entry's first gzip member begins.
    package var offset: Int
    /// The size of the entry's gzip members in bytes.
    package var compressedSize: Int
    /// The size of the content in bytes, without tar header and padding.
    package var size: Int
    /// The SHA-256 digest of the content.
    package var digest: ArchiveDigest
    /// The other properties of the entry.
    package var attributes: ArchiveEntryAttributes

    /// Creates a record of an entry.
    package init(
      name: String, offset: Int, compressedSize: Int, size: Int, digest: ArchiveDigest,
      attributes: ArchiveEntryAttributes
    ) {
      self.name = name
      self.offset = offset
      self.compressedSize = compressedSize
      self.size = size
      self.digest = digest
      self.attributes = attributes
    }

    /// Whether name, place, size and digest are the same, whatever the attributes are.
    func hasSameContent(as other: Entry) -> Bool {
      (offset, compressedSize, size, digest)
        == (other.offset, other.compressedSize, other.size, other.digest)
        && name.utf8.elementsEqual(other.name.utf8)
    }
  }

  /// The entries in the order of the archive, without index.json.
  package private(set) var entries: [Entry]
  /// The digests of all entries and of the entries with content.
  package let digests: IndexDigests
  /// The root digest, over all names and digests.
  package var rootDigest: ArchiveDigest { digests.root }
  /// The content digest, computed from the digests of the entries with content.
  package var contentDigest: ArchiveDigest { digests.content }
  /// The positions of the entries in the order of their names, which take less memory than a dictionary.
  private let order: [UInt32]

  /// Creates the index of some entries; returns nil if two entries have the same name.
  package init?(entries: [Entry]) {
    let order = entries.orderOfNames
    let isUnique = zip(order, order.dropFirst()).allSatisfy {
      !entries[Int($0)].name.utf8.elementsEqual(entries[Int($1)].name.utf8)
    }
    guard isUnique else { return nil }
    self.entries = entries
    self.order = order
    digests = IndexDigests(of: entries, inOrder: order)
  }

  /// The entry with a name, or nil if there is none; takes time in proportion to the logarithm of their number.
  package subscript(name: String) -> Entry? {
    sorted(from: name).first.flatMap { $0.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
  }

  /// The entries whose names begin with a text, in the order of their names.
  package func entries(beginningWith prefix: String) -> some Sequence<Entry> {
    sorted(from: prefix).prefix { $0.name.utf8.starts(with: prefix.utf8) }
  }

  /// The entries whose names are not before a text, in the order of their names.
  private func sorted(from text: String) -> some Collection<Entry> {
    var range = order.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = entries[Int(order[middle])].name.utf8.lexicographicallyPrecedes(text.utf8)
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return order[range.lowerBound...].lazy.map { entries[Int($0)] }
  }
}

extension ArchiveIndex {
  /// The index as the content of index.json: a record in each line.
  package var encoded: ContiguousArray<UInt8> { Self.encode(entries, digests) }

  /// A number of bytes that ``encoded`` cannot exceed: a byte of a name takes up to six, and the rest of a record,
  /// or of a count of objects, is shorter than 256 bytes.
  var maximumSize: Int {
    entries.reduce(256) { sum, entry in
      entry.attributes.objects.reduce(sum + 256 + 6 * entry.name.utf8.count) {
        $0 + 256 + 6 * $1.entity.text.utf8.count
      }
    }
  }

  /// Encodes records and digests that need not fit each other, as tests have them.
  package static func encode(
    _ entries: [Entry], _ digests: IndexDigests
  ) -> ContiguousArray<UInt8> {
    var json = ContiguousArray<UInt8>()
    json += "{\"format\":\"\(format)\",\"version\":\(version),\"entries\":[".utf8
    for (position, entry) in entries.enumerated() {
      json += (position == 0 ? "\n{\"name\":" : ",\n{\"name\":").utf8
      append(entry.name, to: &json)
      json += ",\"offset\":\(entry.offset),\"compressed\":\(entry.compressedSize)".utf8
      json += ",\"size\":\(entry.size),\"sha256\":\"\(entry.digest.hex)\"".utf8
      append(entry.attributes, to: &json)
      json.append(0x7d)
    }
    json += "\n],\"digest\":\"\(digests.root.hex)\"".utf8
    json += ",\"content\":\"\(digests.content.hex)\"}\n".utf8
    return json
  }

  private static func append(
    _ attributes: ArchiveEntryAttributes, to json: inout ContiguousArray<UInt8>
  ) {
    if !attributes.objects.isEmpty {
      json += ",\"objects\":{".utf8
      for (position, object) in attributes.objects.enumerated() {
        if position > 0 { json.append(0x2c) }
        append(object.entity.text, to: &json)
        json += ":\(object.count)".utf8
      }
      json.append(0x7d)
    }
    if let rows = attributes.rows { json += ",\"rows\":\(rows)".utf8 }
    if let key = attributes.firstKey { json += ",\"first\":\(key)".utf8 }
    if let key = attributes.lastKey { json += ",\"last\":\(key)".utf8 }
  }

  private static func append(_ text: String, to json: inout ContiguousArray<UInt8>) {
    json.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5c: json += [0x5c, byte]
      case 0..<0x20:
        json += "\\u00".utf8
        json += [Hexadecimal.lowerDigit(byte >> 4), Hexadecimal.lowerDigit(byte & 15)]
      default: json.append(byte)
      }
    }
    json.append(0x22)
  }

  /// Reads the content of index.json.
  ///
  /// Unknown keys are skipped. Names are checked for the rules of names, digests for their form, and the
  /// digests of all entries and of the content are computed again.
  ///
  /// - Throws: ``CofferError`` with `damaged-archive`, `newer-format` or `archive-limit`; its place is the
  ///   entry index.json and no path.
  package static func decode(
    _ json: consuming ContiguousArray<UInt8>, limits: ArchiveLimits = .standard
  ) throws(CofferError) -> ArchiveIndex {
    let content = try content(of: json, limits: limits)
    guard let index = ArchiveIndex(entries: content.entries) else {
      throw error(.init("two entries have the same name"), limits)
    }
    if let wrong = content.wrongDigests([index.digests]).first {
      throw error(.init(wrong.detail), limits)
    }
    return index
  }

  /// The content of index.json.
  struct Content {
    /// The records; names may be doubled.
    var entries: [Entry]
    /// The root digest, which was not compared with anything.
    var rootDigest: ArchiveDigest
    /// The content digest, likewise; nil where the index states none, as the first ones did.
    var contentDigest: ArchiveDigest?

    func wrongDigests(_ right: [IndexDigests]) -> [(kind: ArchiveProblem.Kind, detail: String)] {
      var wrong: [(kind: ArchiveProblem.Kind, detail: String)] = []
      if !right.contains(where: { $0.root == rootDigest }) {
        wrong.append((.rootDigestMismatch, "the root digest does not match"))
      }
      if let contentDigest, !right.contains(where: { $0.content == contentDigest }) {
        wrong.append((.contentDigestMismatch, "the content digest does not match"))
      }
      return wrong
    }
  }

  /// Reads the content of index.json, but does not look for contradictions.
  static func content(
    of json: consuming ContiguousArray<UInt8>, limits: ArchiveLimits
  ) throws(CofferError) -> Content {
    // Not a copy where the caller has no more use for it.
    var text = json
    let result = unsafe text.withMutableBytes { bytes -> Result<Content, IndexReader.Problem> in
      var reader = unsafe IndexReader(bytes, limits: limits)
      do throws(IndexReader.Problem) {
        return .success(try content(&reader))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let content): return content
    case .failure(let problem): throw error(problem, limits)
    }
  }

  private static func error(
    _ problem: IndexReader.Problem, _ limits: ArchiveLimits
  ) -> CofferError {
    if let limit = problem.limit {
      return .exceeding(limit, of: limits, entry: EntryName.index, problem.text)
    }
    return CofferError(problem.code, entry: EntryName.index, detail: problem.text)
  }

  private static func content(_ reader: inout IndexReader) throws(IndexReader.Problem) -> Content {
    var format: String?
    var version: Int64?
    var (stated, content): (ArchiveDigest?, ArchiveDigest?)
    var entries: [Entry]?
    try reader.object { key, reader throws(IndexReader.Problem) in
      switch key {
      case "format": format = try reader.string()
      case "version":
        let number = try reader.integer()
        guard number <= Int64(Self.version) else {
          throw .init(
            code: .newerFormat,
            text: "it has version \(number); this program reads version \(Self.version)"
          )
        }
        version = number
      case "digest": stated = try digest(&reader)
      case "content": content = try digest(&reader)
      case "entries":
        var list: [Entry] = []
        var counts = EntityCounts(left: reader.limits.indexCounts)
        try reader.array { reader throws(IndexReader.Problem) in
          guard list.count < reader.limits.entryCount else {
            throw .init(exceeding: .entryCount, "it lists more entries")
          }
          list.append(try entry(&reader, &counts))
        }
        entries = list
      default: try reader.skipValue()
      }
    }
    try reader.end()
    guard format == Self.format, let version, version >= 1, let entries, let stated else {
      throw .init("format, version, entries or digest is missing or invalid")
    }
    return Content(entries: entries, rootDigest: stated, contentDigest: content)
  }

  private static func entry(
    _ reader: inout IndexReader, _ counts: inout EntityCounts
  ) throws(IndexReader.Problem) -> Entry {
    var name: String?
    var offset: Int?
    var compressedSize: Int?
    var size: Int?
    var sum: ArchiveDigest?
    var attributes = ArchiveEntryAttributes()
    try reader.object { key, reader throws(IndexReader.Problem) in
      switch key {
      case "name": name = try reader.string()
      case "offset": offset = try reader.size()
      case "compressed": compressedSize = try reader.size()
      case "size": size = try reader.size()
      case "sha256": sum = try digest(&reader)
      case "rows": attributes.rows = try reader.size()
      case "first": attributes.firstKey = try reader.integer()
      case "last": attributes.lastKey = try reader.integer()
      case "objects":
        try reader.object { entity, reader throws(IndexReader.Problem) in
          let name = try counts.name(Name(entity), reader.limits)
          attributes.objects.append((name, try reader.size()))
        }
      default: try reader.skipValue()
      }
    }
    guard let name, let offset, let compressedSize, let size, let sum else {
      throw .init("an entry has no name, offset, compressed, size or sha256")
    }
    if let problem = EntryName.problem(with: name) { throw .init(problem) }
    guard name != EntryName.index else { throw .init("the index lists itself") }
    return Entry(
      name: name, offset: offset, compressedSize: compressedSize, size: size, digest: sum,
      attributes: attributes)
  }

  /// The remaining counts of objects, and their entities.
  private struct EntityCounts {
    var left: Int
    /// Each name once, so that a million counts need memory for few names.
    private var names: Set<Name> = []

    init(left: Int) { self.left = left }

    /// The name of a count, always in the same memory.
    ///
    /// - Throws: a problem if there are too many counts, or more names than a model can have.
    mutating func name(
      _ entity: Name, _ limits: ArchiveLimits
    ) throws(IndexReader.Problem) -> Name {
      guard left > 0 else {
        throw .init(exceeding: .indexCounts, "it gives more counts of objects")
      }
      left -= 1
      let (isNew, name) = names.insert(entity)
      // One more, for objects of no known entity.
      guard !isNew || names.count - 1 <= limits.entities else {
        throw .init(exceeding: .entities, "it counts objects of more entities")
      }
      return name
    }
  }

  private static func digest(
    _ reader: inout IndexReader
  ) throws(IndexReader.Problem) -> ArchiveDigest {
    guard let digest = ArchiveDigest(hex: try reader.string()) else {
      throw .init("a digest is not 64 lower-case hexadecimal digits")
    }
    return digest
  }
}

extension ArchiveIndex {
  /// The limits that a reader must raise for the archive, each with the lowest value, if the index has so
  /// many bytes and begins at that offset.
  func raisedLimits(size: Int, at offset: Int) -> [ArchiveLimits.Name: Int] {
    let small = entries.enumerated().reduce(0) {
      max($0, $1.offset + 1 - $1.element.offset / ArchiveLimits.sizeOfEntry)
    }
    let needed = [ArchiveLimits.Name.smallEntries: small, .indexExcess: size - offset]
    return needed.filter { $0.value > ArchiveLimits.standard[$0.key] }
  }
}
