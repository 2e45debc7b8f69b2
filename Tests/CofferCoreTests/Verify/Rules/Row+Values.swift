internal import LibrarySupport
internal import TestSupport

@testable internal import CofferCore

extension Row {
  /// Fills the columns from left to right and lends the values for as long as the closure runs.
  static func with<Result>(
    _ values: [StoreValue], _ body: (Row) throws -> Result
  ) rethrows -> Result {
    let cells = Row(columnCount: values.count)
    return try cells.fill(values[...], body)
  }

  private func fill<Result>(
    _ values: ArraySlice<StoreValue>, _ body: (Row) throws -> Result
  ) rethrows -> Result {
    guard let value = values.first else { return try body(self) }
    let parameter = Int32(values.startIndex + 1)
    switch value {
    case .null: bindNull(parameter)
    case .integer(let number): bind(number, at: parameter)
    case .real(let number): bind(number, at: parameter)
    case .text(let bytes):
      return try unsafe bytes.withUnsafeBytes { bytes in
        unsafe bind(lentText: bytes, at: parameter)
        return try fill(values.dropFirst(), body)
      }
    case .blob(let bytes):
      return try unsafe bytes.withUnsafeBytes { bytes in
        unsafe bind(lentBlob: bytes, at: parameter)
        return try fill(values.dropFirst(), body)
      }
    }
    return try fill(values.dropFirst(), body)
  }
}
