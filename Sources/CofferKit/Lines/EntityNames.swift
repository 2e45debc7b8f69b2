internal import CoreDataArchive

/// The names of entities by their numbers, quoted and ready to be copied into a line.
struct EntityNames {
  private var bytes: ContiguousArray<UInt8> = []
  private var ranges: [Int64: Range<Int>] = [:]

  init(_ names: [Int64: String]) {
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      let start = bytes.count
      var text = JSONBuffer(minimumCapacity: 64)
      text.appendString(name)
      bytes.append(contentsOf: text.bytes())
      ranges[number] = start..<bytes.count
    }
  }

  /// Appends the quoted name of an entity; false where the number is not known.
  func append(_ number: Int64, to buffer: inout JSONBuffer) -> Bool {
    guard let range = ranges[number] else { return false }
    unsafe bytes.withUnsafeBytes {
      unsafe buffer.append(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    return true
  }
}
