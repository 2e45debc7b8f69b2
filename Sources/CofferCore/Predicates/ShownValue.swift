internal import CoreDataArchive
package import CoreDataModel
internal import CoreDataStore

/// The value of an attribute in the result of a query.
package indirect enum ShownValue: Sendable, Equatable {
  case none
  case bool(Bool)
  case integer(Int64)
  /// A floating point number; of an attribute of the type Float, with the fewest digits that mean it.
  case real(Double)
  /// A text, a URI or a UUID.
  case text(String)
  /// A date, as ISO 8601 in UTC.
  case date(String)
  /// Bytes, represented by their number.
  case data(count: Int)
  /// Bytes of a known kind, such as an image.
  case content(ShownContent)
  /// Bytes in an external file, represented by its name.
  case file(String)
  /// A transformable value that is a keyed archive or a property list, as the tree of its content.
  /// No class is ever instantiated.
  case tree(ModelValue)
  /// The elements of a composite attribute that have a value, sorted by name.
  case composite([ShownAttribute])
}

/// An attribute of an object with its value.
package struct ShownAttribute: Sendable, Equatable {
  /// The name.
  package var name: Name
  /// The value.
  package var value: ShownValue

  package init(name: Name, value: ShownValue) {
    self.name = name
    self.value = value
  }
}

extension ShownValue {
  /// Larger values, in bytes, are not decoded.
  package static let treeLimit = 1 << 20

  init(_ row: Row, _ column: Int, _ form: ValueForm, _ attribute: AttributeDescription) {
    switch row.storageClass(column) {
    case .null: self = .none
    case .integer:
      let number = row.integer(column) ?? 0
      switch form {
      case .boolean where number == 0 || number == 1: self = .bool(number == 1)
      case .date:
        self = Self.text { $0.appendDate(integer: number) }.map(Self.date) ?? .integer(number)
      default: self = .integer(number)
      }
    case .real:
      let number = row.number(column) ?? 0
      if form == .date, let text = Self.text({ $0.appendDate(real: number) }) {
        self = .date(text)
      } else {
        self = .real(attribute.type == .float ? Self.shortest(number) : number)
      }
    case .text:
      let isLarge = row.size(column) > LineLimits.ownEntry
      let text = isLarge ? nil : unsafe row.bytes(column).map { unsafe Array($0) }
      self =
        text.flatMap { String(validating: $0, as: UTF8.self) }.map(ShownValue.text)
        ?? .data(count: row.size(column))
    case .blob: self.init(blob: row, column, form, attribute)
    }
  }

  private init(blob row: Row, _ column: Int, _ form: ValueForm, _ attribute: AttributeDescription) {
    let size = row.size(column)
    if form == .uuid, size == 16, let bytes = unsafe row.bytes(column),
      let text = Self.text({ buffer in unsafe buffer.appendUUID(bytes) })
    {
      self = .text(text)
      return
    }
    guard form == .externalBinary, let marker = row.firstByte(column), marker == 1 || marker == 2
    else {
      self = unsafe Self.bytes(row.bytes(column), count: size, attribute)
      return
    }
    let payload = unsafe row.payload(column)
    if marker == 1 {
      self = unsafe Self.bytes(payload, count: size - 1, attribute)
    } else if let payload = unsafe payload,
      let file = unsafe ExternalReference(payload, column: 0, primaryKey: 0, entityNumber: 0)
    {
      self = .file(file.fileName)
    } else {
      self = .data(count: size)
    }
  }

  /// The number with the fewest digits that is the same as a single-precision value: 0.7 where the store
  /// has 0.699999988079071.
  ///
  /// A number with more digits than such a value is kept unchanged.
  private static func shortest(_ number: Double) -> Double {
    let single = Float(number)
    return Double(single) == number ? Double(single.description) ?? number : number
  }

  /// Bytes in the form that they are recognized as: the tree of a keyed archive or property list, or content
  /// of a known kind.
  private static func bytes(
    _ bytes: UnsafeRawBufferPointer?, count: Int, _ attribute: AttributeDescription
  ) -> ShownValue {
    guard attribute.type == .transformable || attribute.type == .binary, count <= treeLimit,
      let bytes = unsafe bytes
    else { return .data(count: count) }
    if unsafe bytes.starts(with: "bplist00".utf8) || bytes.starts(with: "<?xml".utf8),
      var archive = try? KeyedArchive(unsafe Array(bytes)),
      let tree = try? archive.value(of: archive.root)
    {
      return .tree(tree)
    }
    return unsafe ShownContent(bytes).map(ShownValue.content) ?? .data(count: count)
  }

  /// The stored value, if the recognized content is shown instead.
  package var unrecognized: ShownValue {
    switch self {
    case .content(let content): .data(count: content.count)
    case .composite(let elements):
      .composite(elements.map { ShownAttribute(name: $0.name, value: $0.value.unrecognized) })
    default: self
    }
  }

  /// The text that a closure writes to a buffer in quotes; nil if it writes none.
  private static func text(_ write: (inout JSONBuffer) -> Bool) -> String? {
    var buffer = JSONBuffer(minimumCapacity: 64)
    guard write(&buffer) else { return nil }
    return String(decoding: buffer.bytes().dropFirst().dropLast(), as: UTF8.self)
  }
}
