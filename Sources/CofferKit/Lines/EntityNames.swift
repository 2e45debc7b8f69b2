internal import CoreDataArchive

/// The entity names by number, encoded for lines.
struct EntityNames {
  private var bytes: ContiguousArray<UInt8> = []
  private var ranges: [Int64: Range<Int>] = [:]

  /// Encodes the names as JSON strings.
  init(_ names: [Int64: String]) {
    self.init(names) { name, text in text.appendString(name) }
  }

  /// Encodes the names.
  ///
  /// - Parameters:
  ///   - names: the names by number.
  ///   - append: encodes a name.
  init(_ names: [Int64: String], append: (String, inout JSONBuffer) -> Void) {
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      let start = bytes.count
      var text = JSONBuffer(minimumCapacity: 64)
      append(name, &text)
      bytes.append(contentsOf: text.bytes())
      ranges[number] = start..<bytes.count
    }
  }

  /// Appends the name of an entity; returns false if the number is unknown.
  func append(_ number: Int64, to buffer: inout JSONBuffer) -> Bool {
    guard let range = ranges[number] else { return false }
    unsafe bytes.withUnsafeBytes {
      unsafe buffer.append(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    return true
  }
}
