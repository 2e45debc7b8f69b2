/// Names and values in two aligned columns.
struct FieldBlock {
  /// The maximum width of the first column.
  private static let widest = 34

  private var fields: [(name: String, value: String)] = []

  /// Adds a field, unless the value is nil.
  mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append((Terminal.printable(name), Terminal.printable(value))) }
  }

  /// The lines, indented by two spaces.
  var lines: [String] {
    let width = fields.map(\.name.count).filter { $0 <= Self.widest }.max() ?? 0
    return fields.map { name, value in
      value.isEmpty
        ? "  \(name)"
        : "  \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(value)"
    }
  }
}
