package import CoreDataModel

extension ArchiveIndex {
  /// The index as the content of index.json: a record in each line.
  package var encoded: ContiguousArray<UInt8> { Self.encode(entries, rootDigest: rootDigest) }

  /// Encodes records and a root digest that need not fit each other, as tests have them.
  package static func encode(
    _ entries: [Entry], rootDigest: ArchiveDigest
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
    json += "\n],\"digest\":\"\(rootDigest.hex)\"}\n".utf8
    return json
  }

  private static func append(
    _ attributes: ArchiveEntryAttributes, to json: inout ContiguousArray<UInt8>
  ) {
    if !attributes.objects.isEmpty {
      json += ",\"objects\":{".utf8
      for (position, object) in attributes.objects.enumerated() {
        if position > 0 { json.append(0x2c) }
        append(object.entity, to: &json)
        json += ":\(object.count)".utf8
      }
      json.append(0x7d)
    }
    if let rows = attributes.rows { json += ",\"rows\":\(rows)".utf8 }
    if let key = attributes.firstKey { json += ",\"first\":\(key)".utf8 }
    if let key = attributes.lastKey { json += ",\"last\":\(key)".utf8 }
  }

  /// Appends a JSON string; only what must be escaped is.
  private static func append(_ text: String, to json: inout ContiguousArray<UInt8>) {
    json.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5c: json += [0x5c, byte]
      case 0..<0x20:
        let hex = String(byte, radix: 16)
        json += "\\u\(String(repeating: "0", count: 4 - hex.utf8.count))\(hex)".utf8
      default: json.append(byte)
      }
    }
    json.append(0x22)
  }

  /// Reads the content of index.json.
  ///
  /// Unknown keys are skipped. Names are checked for the rules of names, digests for their form, and the root
  /// digest is computed again.
  ///
  /// - Throws: ``CofferError`` with `damaged-archive`, `newer-format` or `archive-limit`; its place is the
  ///   entry index.json and no path.
  package static func decode(
    _ json: ContiguousArray<UInt8>, limits: ArchiveLimits = .standard
  ) throws(CofferError) -> ArchiveIndex {
    let content = try content(of: json, limits: limits)
    guard let index = ArchiveIndex(entries: content.entries) else {
      throw error(.init("two entries have the same name"), limits)
    }
    guard index.rootDigest == content.rootDigest else {
      throw error(.init("the root digest does not fit"), limits)
    }
    return index
  }

  /// The content of index.json as it stands there.
  struct Content {
    /// The records; names may be doubled.
    var entries: [Entry]
    /// The root digest, which was not compared with anything.
    var rootDigest: ArchiveDigest
  }

  /// Reads the content of index.json, but does not look for contradictions.
  ///
  /// - Throws: as ``decode(_:)``.
  static func content(
    of json: ContiguousArray<UInt8>, limits: ArchiveLimits
  ) throws(CofferError) -> Content {
    var scanner = IndexScanner(json, limits: limits)
    do {
      return try content(&scanner)
    } catch {
      throw self.error(error, limits)
    }
  }

  private static func error(
    _ problem: IndexScanner.Problem, _ limits: ArchiveLimits
  ) -> CofferError {
    if let limit = problem.limit {
      return .exceeding(limit, of: limits, entry: EntryName.index, problem.text)
    }
    return CofferError(problem.code, entry: EntryName.index, detail: problem.text)
  }

  private static func content(
    _ scanner: inout IndexScanner
  ) throws(IndexScanner.Problem) -> Content {
    var format: String?
    var version: Int64?
    var stated: ArchiveDigest?
    var entries: [Entry]?
    try scanner.object { key, scanner throws(IndexScanner.Problem) in
      switch key {
      case "format": format = try scanner.string()
      case "version":
        let number = try scanner.integer()
        guard number <= Int64(Self.version) else {
          throw .init(
            code: .newerFormat, text: "its version is \(number), this program reads \(Self.version)"
          )
        }
        version = number
      case "digest": stated = try digest(&scanner)
      case "entries":
        var list: [Entry] = []
        try scanner.array { scanner throws(IndexScanner.Problem) in
          guard list.count < scanner.limits.entryCount else {
            throw .init(exceeding: .entryCount, "it lists more entries")
          }
          list.append(try entry(&scanner))
        }
        entries = list
      default: try scanner.skipValue()
      }
    }
    try scanner.end()
    guard format == Self.format, let version, version >= 1, let entries, let stated else {
      throw .init("format, version, entries or digest is missing or wrong")
    }
    return Content(entries: entries, rootDigest: stated)
  }

  private static func entry(
    _ scanner: inout IndexScanner
  ) throws(IndexScanner.Problem) -> Entry {
    var name: String?
    var offset: Int?
    var compressedSize: Int?
    var size: Int?
    var sum: ArchiveDigest?
    var attributes = ArchiveEntryAttributes()
    try scanner.object { key, scanner throws(IndexScanner.Problem) in
      switch key {
      case "name": name = try scanner.string()
      case "offset": offset = try scanner.size()
      case "compressed": compressedSize = try scanner.size()
      case "size": size = try scanner.size()
      case "sha256": sum = try digest(&scanner)
      case "rows": attributes.rows = try scanner.size()
      case "first": attributes.firstKey = try scanner.integer()
      case "last": attributes.lastKey = try scanner.integer()
      case "objects":
        try scanner.object { entity, scanner throws(IndexScanner.Problem) in
          attributes.objects.append((entity, try scanner.size()))
        }
      default: try scanner.skipValue()
      }
    }
    guard let name, let offset, let compressedSize, let size, let sum else {
      throw .init("an entry lacks its name, offset, compressed, size or sha256")
    }
    if let problem = EntryName.problem(with: name) { throw .init(problem) }
    guard name != EntryName.index else { throw .init("the index lists itself") }
    return Entry(
      name: name, offset: offset, compressedSize: compressedSize, size: size, digest: sum,
      attributes: attributes)
  }

  private static func digest(
    _ scanner: inout IndexScanner
  ) throws(IndexScanner.Problem) -> ArchiveDigest {
    guard let digest = ArchiveDigest(hex: try scanner.string()) else {
      throw .init("a digest is not 64 lower-case hexadecimal digits")
    }
    return digest
  }
}
