package import CoreDataArchive
internal import CoreDataModel

extension ArchiveRewriter {
  /// The record of an entry, without a place.
  package static func record(of entry: Entry) -> ArchiveIndex.Entry {
    ArchiveIndex.Entry(
      name: entry.name, offset: 0, compressedSize: 0, size: entry.bytes.count,
      digest: digest(of: entry.bytes), attributes: attributes(of: entry, like: nil))
  }

  /// The digest of a content.
  package static func digest(of bytes: ContiguousArray<UInt8>) -> ArchiveDigest {
    var hasher = ContentHasher()
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.digest
  }

  /// The content of index.json for entries at these places, which have their order.
  func indexContent(_ places: [Range<Int>], _ recomputed: Recomputed) -> ContiguousArray<UInt8> {
    var positions: [String: [Int]] = [:]
    for (position, entry) in entries.enumerated().reversed() {
      positions[entry.name, default: []].append(position)
    }
    let records = records.map { record in
      guard let position = positions[record.name]?.popLast() else { return record }
      return update(record, entries[position], at: places[position], recomputed)
    }
    let json = ArchiveIndex.encode(
      records, recomputed.contains(.rootDigest) ? IndexDigests(of: records) : digests)
    return ContiguousArray(changeIndex(String(decoding: json, as: UTF8.self)).utf8)
  }

  private func update(
    _ record: ArchiveIndex.Entry, _ entry: Entry, at place: Range<Int>, _ recomputed: Recomputed
  ) -> ArchiveIndex.Entry {
    var record = record
    if recomputed.contains(.digests) { record.digest = Self.digest(of: entry.bytes) }
    if recomputed.contains(.sizes) { record.size = entry.bytes.count }
    if recomputed.contains(.places) {
      (record.offset, record.compressedSize) = (place.lowerBound, place.count)
    }
    if recomputed.contains(.counts) {
      record.attributes = Self.attributes(of: entry, like: record.attributes)
    }
    return record
  }

  /// What the index says about an entry of lines; nothing about any other.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - old: its old attributes, for the order of the entities; nil for a new entry.
  /// - Returns: the attributes, counted.
  private static func attributes(
    of entry: Entry, like old: ArchiveEntryAttributes?
  ) -> ArchiveEntryAttributes {
    var attributes = ArchiveEntryAttributes()
    guard entry.name.hasSuffix(".ndjson") else { return attributes }
    let lines = entry.bytes.split(separator: 0x0a)
    guard entry.name.hasPrefix("entities/") else {
      attributes.rows = lines.count
      return attributes
    }
    let folder = entry.name.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    let root = ArchiveEntryName.decodedComponent(folder) ?? folder
    attributes.objects = (old?.objects ?? []).map { ($0.entity, 0) }
    for line in lines {
      let object = try? JSONValue.parse(line)
      let entity = Self.entity(of: object, root: root)
      let position = attributes.objects.firstIndex { $0.entity.text == entity }
      if let position {
        attributes.objects[position].count += 1
      } else {
        attributes.objects.append((Name(entity), 1))
      }
      guard case .integer(let key)? = object?["$pk"] else { continue }
      attributes.firstKey = min(attributes.firstKey ?? key, key)
      attributes.lastKey = max(attributes.lastKey ?? key, key)
    }
    attributes.objects.removeAll { $0.count == 0 }
    return attributes
  }

  private static func entity(of object: JSONValue?, root: String) -> String {
    switch object?["$entity"] {
    case nil: root
    case .string(let name): name
    default: ""
    }
  }
}
