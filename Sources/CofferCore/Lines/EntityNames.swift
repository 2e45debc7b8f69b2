package import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// The entity names by number, encoded for lines.
package struct EntityNames {
  private var bytes: ContiguousArray<UInt8> = []
  /// The numbers in ascending order, and where their names end.
  private var numbers: ContiguousArray<Int64> = []
  private var ends: ContiguousArray<Int> = []

  /// Encodes the names as JSON strings.
  package init(_ names: [Int64: Name]) {
    self.init(names) { name, text in text.appendString(name) }
  }

  /// Encodes the names.
  package init(_ names: [Int64: Name], append: (String, inout JSONBuffer) -> Void) {
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      var text = JSONBuffer(minimumCapacity: 64)
      append(name.text, &text)
      bytes.append(contentsOf: text.bytes())
      numbers.append(number)
      ends.append(bytes.count)
    }
  }

  /// Appends the name of an entity; returns false if the number is unknown.
  package func append(_ number: Int64, to buffer: inout JSONBuffer) -> Bool {
    // Asked for each line: a search among few numbers is faster than a hash.
    let position = numbers.position(of: number)
    guard let position else { return false }
    let start = position == 0 ? 0 : ends[position - 1]
    unsafe bytes.withUnsafeBytes {
      unsafe buffer.append(UnsafeRawBufferPointer(rebasing: $0[start..<ends[position]]))
    }
    return true
  }
}

extension ContiguousArray<Int64> {
  /// The position of a number among ascending ones; nil if it is not there.
  func position(of number: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number ? low : nil
  }
}

/// The numbers of entities by the names that lines have.
package struct EntityNumbers: Sendable {
  /// The maximum number of names to compare one after another: for so few, this is faster than a hash.
  private static let maxCompared = 16

  /// One of the names that are compared.
  private struct Compared: Sendable {
    var start: Int
    var count: Int
    var number: Int64
  }

  /// The names to compare, one after another; never empty, so that they have an address.
  private var bytes: ContiguousArray<UInt8> = [0]
  private var compared: ContiguousArray<Compared> = []
  private let all: [Name: Int64]

  /// Prepares the names.
  ///
  /// The numbers of the most frequent entities are found fastest.
  init(_ entities: NumberedEntities, expected: some Sequence<Int64>) {
    all = entities.numbers
    let first = Array(expected.prefix(Self.maxCompared))
    let others = entities.entities.lazy.map(\.number).filter { !first.contains($0) }
    for number in (first + others.prefix(Self.maxCompared)).prefix(Self.maxCompared) {
      guard let name = entities.names[number] else { continue }
      compared.append(Compared(start: bytes.count, count: name.utf8.count, number: number))
      bytes.append(contentsOf: name.utf8)
    }
  }

  /// The number of the entity that a string of a line names; nil if there is no such entity.
  func number(of name: JSONSlice, in scanner: borrowing JSONScanner) -> Int64? {
    let text = unsafe scanner.bytes(of: name)
    let found: Int64? = unsafe bytes.withUnsafeBytes { bytes in
      for name in compared where name.count == text.count {
        guard let start = text.baseAddress, let base = bytes.baseAddress else { break }
        if unsafe memcmp(start, base + name.start, name.count) == 0 { return name.number }
      }
      return nil
    }
    return found ?? (compared.count < all.count ? all[Name(scanner.string(of: name))] : nil)
  }
}
