internal import CoreDataModel

/// Records of entries, packed: an archive has a thousand entries for a million objects, and an unpacked record in
/// memory consists mostly of unused fields.
///
/// A record is the digest, the name with its length, the numbers, and the counts of objects with the numbers of
/// their entities here. Numbers have seven bits in each byte, the lowest first.
package struct PackedEntries: Sequence {
  private var bytes: ContiguousArray<UInt8> = []
  /// The entities with counts, in the order in which they came.
  private var entities: [Name] = []
  private var numbers: [Name: Int] = [:]
  /// The number of records.
  package private(set) var count = 0

  /// What a record has besides a name and counts of objects.
  private struct Members: OptionSet {
    let rawValue: UInt8
    static let rows = Members(rawValue: 1)
    static let firstKey = Members(rawValue: 2)
    static let lastKey = Members(rawValue: 4)
    /// The digest, the offset and the sizes.
    static let content = Members(rawValue: 8)
  }

  /// Creates an empty list.
  package init() {}

  /// Adds a record; returns the place of its digest.
  @discardableResult
  package mutating func append(_ entry: ArchiveIndex.Entry) -> Int {
    let place = bytes.count + 1
    append(entry.name, entry.attributes, [.content]) { list in
      for word in entry.digest.allWords { list.append(word: word) }
      for size in [entry.offset, entry.compressedSize, entry.size] { list.append(Int64(size)) }
    }
    return place
  }

  /// Adds a record with nothing but a name and attributes.
  package mutating func append(_ attributes: ArchiveEntryAttributes, of name: String) {
    append(name, attributes, []) { _ in }
  }

  private mutating func append(
    _ name: String, _ attributes: ArchiveEntryAttributes, _ given: Members,
    _ appendContent: (inout PackedEntries) -> Void
  ) {
    var members = given
    if attributes.rows != nil { members.insert(.rows) }
    if attributes.firstKey != nil { members.insert(.firstKey) }
    if attributes.lastKey != nil { members.insert(.lastKey) }
    bytes.append(members.rawValue)
    appendContent(&self)
    append(Int64(name.utf8.count))
    bytes.append(contentsOf: name.utf8)
    if let rows = attributes.rows { append(Int64(rows)) }
    if let key = attributes.firstKey { append(key) }
    if let key = attributes.lastKey { append(key) }
    append(Int64(attributes.objects.count))
    for (entity, count) in attributes.objects {
      append(Int64(number(of: entity)))
      append(Int64(count))
    }
    count += 1
  }

  /// Sets the digest at a place.
  package mutating func setDigest(_ digest: ArchiveDigest, at place: Int) {
    for (index, word) in digest.allWords.enumerated() {
      for byte in 0..<8 {
        bytes[place + 8 * index + byte] = UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))
      }
    }
  }

  private mutating func number(of entity: Name) -> Int {
    if let known = numbers[entity] { return known }
    numbers[entity] = entities.count
    entities.append(entity)
    return entities.count - 1
  }

  private mutating func append(word: UInt64) {
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))) }
  }

  /// Appends a number, with its sign in the lowest bit.
  private mutating func append(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  // MARK: Reading

  /// Iterates over the records in their order.
  package func makeIterator() -> Iterator { Iterator(list: self) }

  /// Unpacks one record after the other.
  package struct Iterator: IteratorProtocol {
    fileprivate let list: PackedEntries
    private var position = 0

    fileprivate init(list: PackedEntries) { self.list = list }

    /// The next record; nil after the last one.
    package mutating func next() -> ArchiveIndex.Entry? {
      guard position < list.bytes.count else { return nil }
      let members = Members(rawValue: list.bytes[position])
      position += 1
      var entry = ArchiveIndex.Entry(
        name: "", offset: 0, compressedSize: 0, size: 0,
        digest: ArchiveDigest(allWords: [0, 0, 0, 0]), attributes: ArchiveEntryAttributes())
      if members.contains(.content) {
        entry.digest = ArchiveDigest(allWords: (0..<4).map { _ in word() })
        (entry.offset, entry.compressedSize) = (Int(number()), Int(number()))
        entry.size = Int(number())
      }
      let length = Int(number())
      entry.name = String(decoding: list.bytes[position..<position + length], as: UTF8.self)
      position += length
      if members.contains(.rows) { entry.attributes.rows = Int(number()) }
      if members.contains(.firstKey) { entry.attributes.firstKey = number() }
      if members.contains(.lastKey) { entry.attributes.lastKey = number() }
      for _ in 0..<Int(number()) {
        let entity = list.entities[Int(number())]
        entry.attributes.objects.append((entity, Int(number())))
      }
      return entry
    }

    private mutating func word() -> UInt64 {
      defer { position += 8 }
      return (0..<8).reduce(0) { $0 | UInt64(list.bytes[position + $1]) << UInt64(8 * $1) }
    }

    private mutating func number() -> Int64 {
      var (number, shift) = (UInt64(0), UInt64(0))
      while true {
        let byte = list.bytes[position]
        position += 1
        number |= UInt64(byte & 0x7f) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
  }
}
