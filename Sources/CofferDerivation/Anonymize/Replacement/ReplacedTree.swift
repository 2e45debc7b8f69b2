internal import CoreDataArchive
internal import CoreDataModel

/// Replaces the values in JSON texts and property lists, and keeps their structure: lists, keys, the
/// classes of keyed archives, true, false and small whole numbers.
struct ReplacedTree {
  private let key: ReplacementKey
  private let texts: TextReplacement
  private let numbers: NumberReplacement
  private let date: (Double) -> Double

  /// The maximum depth of values within values.
  private static let maxDepth = 8
  /// The maximum number of bytes to search for structure.
  private static let maxBytes = 16 << 20

  init(_ key: ReplacementKey, date: @escaping (Double) -> Double) {
    self.key = key
    texts = TextReplacement(key)
    numbers = NumberReplacement(key)
    self.date = date
  }

  /// Bytes with the structure of others; nil if they have none.
  func replacement(for bytes: [UInt8], depth: Int = 0) -> [UInt8]? {
    guard depth < Self.maxDepth, bytes.count <= Self.maxBytes else { return nil }
    if bytes.starts(with: "bplist0".utf8) || bytes.starts(with: "<?xml".utf8)
      || bytes.starts(with: "<plist".utf8)
    {
      guard let list = try? PropertyListValue.parse(bytes) else { return nil }
      return BinaryPlistWriter.write(replaced(list, depth, StructureNames(of: list)))
    }
    return json(bytes, depth: depth)
  }

  /// A JSON text with the structure of another; nil if the other is not JSON.
  func json(_ bytes: [UInt8], depth: Int = 0) -> [UInt8]? {
    let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    guard let first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      depth < Self.maxDepth, bytes.count <= Self.maxBytes,
      let value = try? JSONValue.parse(bytes)
    else { return nil }
    var buffer = JSONBuffer(minimumCapacity: bytes.count)
    replaced(value, depth).write(into: &buffer)
    return unsafe buffer.withUnsafeBytes { unsafe Array($0) }
  }

  private func text(_ text: String, _ depth: Int) -> String {
    if let json = json(Array(text.utf8), depth: depth + 1) {
      return String(decoding: json, as: UTF8.self)
    }
    return texts.replacement(for: text).text
  }

  private func name(_ name: String) -> String {
    StructureNames.isName(name) ? name : texts.replacement(for: name).text
  }

  private func replaced(_ value: JSONValue, _ depth: Int) -> JSONValue {
    switch value {
    case .string(let string): .string(text(string, depth))
    case .integer(let number): .integer(numbers.whole(number))
    case .real(let number): .real(numbers.real(number))
    case .array(let elements): .array(elements.map { replaced($0, depth) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { .init(key: name($0.key), value: replaced($0.value, depth)) }))
    default: value
    }
  }

  private func replaced(
    _ value: PropertyListValue, _ depth: Int, _ names: StructureNames
  ) -> PropertyListValue {
    switch value {
    case .string(let string): return .string(names.contains(string) ? string : text(string, depth))
    case .integer(let number): return .integer(numbers.whole(number))
    case .real(let number): return .real(numbers.real(number))
    case .data(let bytes):
      return .data(replacement(for: bytes, depth: depth + 1) ?? opaque(bytes))
    case .date(let seconds): return .date(date(seconds))
    case .array(let elements): return .array(elements.map { replaced($0, depth, names) })
    case .set(let elements): return .set(elements.map { replaced($0, depth, names) })
    case .dictionary(let entries):
      return .dictionary(entries.map { .init(name($0.key), member($0, depth, names)) })
    default: return value
    }
  }

  private func member(
    _ entry: PropertyListValue.Entry, _ depth: Int, _ names: StructureNames
  ) -> PropertyListValue {
    switch (entry.key, entry.value) {
    // The version of the archiver, and dates in keyed archives.
    case ("$version", _): entry.value
    case ("NS.time", .real(let seconds)): .real(date(seconds))
    default: replaced(entry.value, depth, names)
    }
  }

  // MARK: Values

  /// The same number of bytes: a code, then zeros, which take no space in an archive.
  func opaque(_ bytes: [UInt8], attempt: Int = 0) -> [UInt8] {
    var output = Array(key.code(bytes, .blob, attempt: attempt).prefix(bytes.count))
    // Not a marker of a property list, a text or an external value.
    if !output.isEmpty { output[0] |= 0x80 }
    return output + [UInt8](repeating: 0, count: bytes.count - output.count)
  }
}

/// The strings that form a property list's structure: names of classes and of keys.
///
/// In a keyed archive, only the references to them distinguish these from other strings.
struct StructureNames {
  private var words: Set<Name> = []

  /// Finds these strings; none unless it is a keyed archive.
  init(of list: PropertyListValue) {
    guard let archiver = list["$archiver"]?.stringValue, let objects = list["$objects"]?.elements
    else { return }
    words = [Name(archiver), Name("$null")]
    for object in objects {
      if let name = object["$classname"]?.stringValue { words.insert(Name(name)) }
      for name in object["$classes"]?.elements ?? [] {
        if let name = name.stringValue { words.insert(Name(name)) }
      }
      for key in object["NS.keys"]?.elements ?? [] {
        guard case .uid(let number) = key, number < UInt64(objects.count),
          let name = objects[Int(number)].stringValue, Self.isName(name)
        else { continue }
        words.insert(Name(name))
      }
    }
  }

  func contains(_ text: String) -> Bool { words.contains(Name(text)) }

  /// Whether the key of a dictionary is a name in a program, not somebody's text.
  static func isName(_ key: String) -> Bool {
    key.utf8.count <= 64
      && key.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      } && UUIDText.bytes(key) == nil
      && !key.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
