internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// The record of a part of a table: the rows in one entry of an archive.
struct StatePart: Equatable {
  var rowCount: Int
  var digest: PageDigest
  /// The first integers of the first and of the last row; nil if nothing identifies the rows.
  var keys: ClosedRange<Int64>?
  var refersToFiles = false
  /// The entries that an archive has for it; none if that is not known.
  var entries: [KeptPart.Entry] = []

  /// The bytes of its entries before compression.
  var byteCount: Int { entries.reduce(0) { $0 &+ $1.size } }

  /// Describes a part without an entry.
  init(rowCount: Int, digest: PageDigest, keys: ClosedRange<Int64>?, refersToFiles: Bool) {
    (self.rowCount, self.digest, self.keys) = (rowCount, digest, keys)
    self.refersToFiles = refersToFiles
  }

  var encoded: JSONValue {
    var members: JSONObject = [
      "rows": .integer(Int64(rowCount)), "records": .string(digest.hex),
      "entries": .array(
        entries.map {
          .array([.string($0.ending), .integer(Int64($0.size)), .string($0.digest.hex)])
        }),
    ]
    if let keys {
      members.append("keys", .array([.integer(keys.lowerBound), .integer(keys.upperBound)]))
    }
    if refersToFiles { members.append("files", .bool(true)) }
    return .object(members)
  }

  /// Reads a description.
  init(_ node: DocumentNode) throws(DocumentError) {
    rowCount = try node.required("rows").int()
    guard rowCount >= 0 else { throw node.error("a number of rows") }
    digest = try PageDigest(node.required("records"))
    if let numbers = try node.optional("keys")?.elements() {
      guard numbers.count == 2 else { throw node.error("two keys") }
      let (first, last) = (try numbers[0].integer(), try numbers[1].integer())
      guard first <= last else { throw node.error("ascending keys") }
      keys = first...last
    }
    refersToFiles = try node.optional("files")?.bool() ?? false
    for entry in try node.required("entries").elements() {
      let values = try entry.elements()
      guard values.count == 3, let digest = ArchiveDigest(hex: try values[2].string()),
        case let size = try values[1].int(), size >= 0
      else { throw entry.error("an ending, a size and a digest") }
      entries.append(KeptPart.Entry(ending: try values[0].string(), size: size, digest: digest))
    }
  }
}

/// The record of the store's pages in a state file; their digests and numbers precede the description.
struct StatePages: Equatable {
  /// The pages of a table.
  struct Table: Equatable {
    var name: Name
    var hasRowNumbers: Bool
    /// The number of its known pages.
    var pageCount: Int
  }

  /// The size of a page in bytes.
  var pageSize: Int
  /// The number of pages.
  var pageCount: Int
  var schema: PageDigest
  var key: PageDigest
  var tables: [Table]
  /// The identity of the files; nil if it was not certain.
  var identity: ContentIdentity?

  /// Describes pages.
  init(_ survey: PageSurvey, key: PageDigest, _ identity: ContentIdentity? = nil) {
    (self.key, self.identity) = (key, identity)
    (pageSize, pageCount, schema) = (survey.pageSize, survey.digests.count, survey.schema)
    tables = survey.tables.map {
      Table(name: $0.name, hasRowNumbers: $0.hasRowNumbers, pageCount: $0.pages.count)
    }
  }

  /// The number of bytes before the description; nil for an impossible number.
  var byteCount: Int? {
    var sum = 0
    for count in [pageCount] + tables.map(\.pageCount) {
      guard (0...Int(UInt32.max)).contains(count) else { return nil }
      sum += count
    }
    // Four bytes for the number of a page, and twelve more for each digest.
    return sum * 4 + pageCount * 12
  }

  var encoded: JSONValue {
    var members: JSONObject = [
      "size": .integer(Int64(pageSize)), "count": .integer(Int64(pageCount)),
      "schema": .string(schema.hex), "key": .string(key.hex),
      "tables": .array(
        tables.map {
          .array([
            .string($0.name.text), .bool($0.hasRowNumbers), .integer(Int64($0.pageCount)),
          ])
        }),
    ]
    if let identity { members.append("identity", identity.encoded) }
    return .object(members)
  }

  /// Reads a description.
  init(_ node: DocumentNode) throws(DocumentError) {
    pageSize = try node.required("size").int()
    pageCount = try node.required("count").int()
    schema = try PageDigest(node.required("schema"))
    key = try PageDigest(node.required("key"))
    tables = []
    for table in try node.required("tables").elements() {
      let values = try table.elements()
      guard values.count == 3 else { throw table.error("a name, a kind and a number of pages") }
      tables.append(
        Table(
          name: Name(try values[0].string()), hasRowNumbers: try values[1].bool(),
          pageCount: try values[2].int()))
    }
    guard byteCount != nil else { throw node.error("numbers of pages") }
    identity = try node.optional("identity").map { node throws(DocumentError) in
      try ContentIdentity(node)
    }
  }
}

extension PageDigest {
  /// The first half of the SHA-256 digest of bytes.
  init(of bytes: UnsafeRawBufferPointer) {
    var hasher = ContentHasher()
    unsafe hasher.update(bytes)
    let half = hasher.digest.firstHalf
    self.init(high: half.high, low: half.low)
  }

  /// The 16 bytes.
  var bytes: [UInt8] {
    [high, low].flatMap { word in unsafe withUnsafeBytes(of: word.bigEndian) { unsafe Array($0) } }
  }

  /// The digest as 32 hexadecimal digits.
  var hex: String {
    String(
      decoding: Hexadecimal.digits(of: high) + Hexadecimal.digits(of: low), as: UTF8.self)
  }

  /// Reads 32 hexadecimal digits.
  init(_ node: DocumentNode) throws(DocumentError) {
    let text = try node.string()
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { throw node.error("32 hexadecimal digits") }
    self.init(high: high, low: low)
  }
}

extension PageSurvey {
  /// The digests and the numbers of pages as bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * digests.count)
    for digest in digests {
      for word in [digest.high, digest.low] {
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      }
    }
    for page in tables.lazy.flatMap(\.pages) {
      unsafe withUnsafeBytes(of: page.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Reads ``bytes``; nil if there are not as many as the description says.
  init?(_ pages: StatePages, _ bytes: [UInt8]) {
    guard bytes.count == pages.byteCount else { return nil }
    func word<T: FixedWidthInteger>(at offset: Int, as type: T.Type) -> T {
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
      }
    }
    let digests = (0..<pages.pageCount).map {
      PageDigest(
        high: word(at: 16 * $0, as: UInt64.self), low: word(at: 16 * $0 + 8, as: UInt64.self))
    }
    var offset = 16 * pages.pageCount
    let tables = pages.tables.map { table in
      defer { offset += 4 * table.pageCount }
      return Table(
        name: table.name, hasRowNumbers: table.hasRowNumbers,
        pages: (0..<table.pageCount).map { word(at: offset + 4 * $0, as: UInt32.self) })
    }
    self.init(pageSize: pages.pageSize, digests: digests, schema: pages.schema, tables: tables)
  }
}
