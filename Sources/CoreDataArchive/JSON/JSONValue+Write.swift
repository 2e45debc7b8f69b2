/// The layout of a value in a text.
package enum JSONLayout: Sendable, Equatable {
  /// Everything on one line without a space.
  case compact
  /// An element or member per line, indented by two spaces per level.
  ///
  /// An array or object of only scalars is on one line if its compact text has no more than
  /// ``JSONValue/shortLine`` bytes.
  case indented
  /// The number of levels of arrays and objects with one element or member per line; deeper ones
  /// are compact.
  case levels(Int)
}

extension JSONValue {
  /// The maximum size of the compact text of a line in an indented text.
  package static let shortLine = 80

  /// Appends the text of the value, without a line feed at the end.
  ///
  /// The same value always gives the same bytes. Reals must be finite.
  package func write(into buffer: inout JSONBuffer, layout: JSONLayout = .compact) {
    write(into: &buffer, layout: layout, level: 0)
  }

  /// The bytes of the text of the value, with a line feed at the end unless it is compact.
  package func bytes(layout: JSONLayout = .indented) -> [UInt8] {
    var buffer = JSONBuffer()
    write(into: &buffer, layout: layout)
    if layout != .compact { buffer.append(0x0A) }
    return buffer.bytes()
  }

  private func write(into buffer: inout JSONBuffer, layout: JSONLayout, level: Int) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .integer(let value): buffer.appendInteger(value)
    case .real(let value):
      let isFinite = buffer.appendReal(value)
      precondition(isFinite, "JSON has no text for a number that is not finite")
    case .string(let value): buffer.appendString(value)
    case .array(let elements):
      let lines = Lines(self, layout: layout, level: level, in: &buffer)
      buffer.append(0x5B)
      for (index, element) in elements.enumerated() {
        lines.separate(index, in: &buffer)
        element.write(into: &buffer, layout: lines.inner, level: level + 1)
      }
      lines.end(elements.isEmpty, in: &buffer)
      buffer.append(0x5D)
    case .object(let object):
      let lines = Lines(self, layout: layout, level: level, in: &buffer)
      buffer.append(0x7B)
      for (index, member) in object.members.enumerated() {
        lines.separate(index, in: &buffer)
        buffer.appendString(member.key)
        buffer.append(lines.inner == .compact ? ":" : ": ")
        member.value.write(into: &buffer, layout: lines.inner, level: level + 1)
      }
      lines.end(object.members.isEmpty, in: &buffer)
      buffer.append(0x7D)
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let object): object.members.isEmpty
    default: true
    }
  }

  private var hasOnlyScalars: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isScalar)
    case .object(let object): object.members.allSatisfy(\.value.isScalar)
    default: true
    }
  }

  /// The separator between the elements of an array or object.
  private struct Lines {
    /// The layout of the elements.
    let inner: JSONLayout
    /// The level of indentation of the elements; nil if they are on one line.
    let level: Int?
    let separator: StaticString

    init(_ value: JSONValue, layout: JSONLayout, level: Int, in buffer: inout JSONBuffer) {
      switch layout {
      case .compact: (inner, self.level, separator) = (.compact, nil, ",")
      case .levels(let count) where count <= 0:
        (inner, self.level, separator) = (.compact, nil, ",")
      case .levels(let count): (inner, self.level, separator) = (.levels(count - 1), level, ",")
      case .indented:
        let isShort = value.hasOnlyScalars && Self.isShort(value, in: &buffer)
        (inner, self.level, separator) = (.indented, isShort ? nil : level, ", ")
      }
    }

    /// Measures the value by writing it, and takes that back.
    private static func isShort(_ value: JSONValue, in buffer: inout JSONBuffer) -> Bool {
      let start = buffer.count
      value.write(into: &buffer)
      defer { buffer.truncate(to: start) }
      return buffer.count - start <= shortLine
    }

    func separate(_ index: Int, in buffer: inout JSONBuffer) {
      if level == nil {
        if index > 0 { buffer.append(separator) }
      } else {
        if index > 0 { buffer.append(0x2C) }
        indent(1, in: &buffer)
      }
    }

    func end(_ isEmpty: Bool, in buffer: inout JSONBuffer) {
      if level != nil, !isEmpty { indent(0, in: &buffer) }
    }

    private func indent(_ extra: Int, in buffer: inout JSONBuffer) {
      buffer.append(0x0A)
      for _ in 0..<((level ?? 0) + extra) { buffer.append("  ") }
    }
  }
}
