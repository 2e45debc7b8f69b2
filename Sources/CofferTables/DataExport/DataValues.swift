internal import CofferCore
internal import CoreDataStore

/// Reads the values of a row for an output, and counts values that cannot be written exactly.
final class DataValues {
  /// The counts of values that could not be written exactly.
  private var counts: [DataExportWarning.Code: Int] = [:]
  /// The external binary data files that were referred to.
  private var externalFiles: Set<ExternalFileName> = []

  /// Counts a value that could not be written exactly.
  func note(_ code: DataExportWarning.Code, count: Int = 1) {
    if count > 0 { counts[code, default: 0] += count }
  }

  /// Returns the external binary data files that were referred to, and forgets them.
  func takeExternalFiles() -> Set<ExternalFileName> {
    defer { externalFiles = [] }
    return externalFiles
  }

  /// The counts, in the order of the kinds.
  var warnings: [DataExportWarning] {
    DataExportWarning.Code.allCases.compactMap { code in
      counts[code].map { DataExportWarning(code: code, count: $0) }
    }
  }

  func value(_ step: DataColumn.Step, of row: Row) -> DataValue {
    switch step.content {
    case .key, .reference, .position: return integer(step.column, of: row)
    case .destinationEntity:
      return row.integer(step.column).map(DataValue.entity) ?? .none
    case .file: return file(step.column, of: row)
    case .attribute(.externalBinary, _): return external(step.column, of: row)
    case .attribute(let form, _): return attribute(form, step.column, of: row)
    }
  }

  private func integer(_ column: Int, of row: Row) -> DataValue {
    if let number = row.integer(column) { return .integer(number) }
    return row.isNull(column) ? .none : unexpected(column, of: row)
  }

  private func attribute(_ form: ValueForm, _ column: Int, of row: Row) -> DataValue {
    switch (form, row.storageClass(column)) {
    case (_, .null): return .none
    case (.integer, .integer), (.number, .integer), (.plain, .integer):
      return .integer(row.integer(column) ?? 0)
    case (.real, .real), (.number, .real), (.plain, .real): return .real(row.number(column) ?? 0)
    case (.date, .real): return .date(row.number(column) ?? 0)
    case (.date, .integer): return .wholeDate(row.integer(column) ?? 0)
    case (.boolean, .integer):
      let number = row.integer(column) ?? 0
      return number == 0 || number == 1 ? .boolean(number == 1) : unexpected(column, of: row)
    case (.text, .text), (.plain, .text): return unsafe .text(row.bytes(column) ?? Self.nothing)
    case (.uuid, .blob):
      guard let bytes = unsafe row.bytes(column), bytes.count == 16 else {
        return unexpected(column, of: row)
      }
      return unsafe .uuid(bytes)
    case (.binary, .blob), (.plain, .blob): return unsafe .bytes(row.bytes(column) ?? Self.nothing)
    default: return unexpected(column, of: row)
    }
  }

  /// A value in the form of its storage class.
  private func unexpected(_ column: Int, of row: Row) -> DataValue {
    note(.unexpectedValue)
    switch row.storageClass(column) {
    case .null: return .none
    case .integer: return .integer(row.integer(column) ?? 0)
    case .real: return .real(row.number(column) ?? 0)
    case .text: return unsafe .text(row.bytes(column) ?? Self.nothing)
    case .blob: return unsafe .bytes(row.bytes(column) ?? Self.nothing)
    }
  }

  /// The bytes of a value with external storage that is in the row.
  private func external(_ column: Int, of row: Row) -> DataValue {
    if row.isNull(column) { return .none }
    if row.firstByte(column) == 1, let bytes = unsafe row.payload(column) {
      return unsafe .bytes(bytes)
    }
    if case .file = file(column, of: row) { return .none }
    return unexpected(column, of: row)
  }

  private func file(_ column: Int, of row: Row) -> DataValue {
    guard row.firstByte(column) == 2, let bytes = unsafe row.payload(column),
      let reference = unsafe ExternalReference(bytes, column: 0, primaryKey: 0, entityNumber: 0)
    else { return .none }
    externalFiles.insert(reference.file)
    return unsafe .file(UnsafeRawBufferPointer(rebasing: bytes[..<36]))
  }

  private static var nothing: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

/// A value on its way to an output; bytes are borrowed from the row.
@safe enum DataValue {
  case none
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  case boolean(Bool)
  /// Seconds since 2001, as stored.
  case date(Double)
  /// Whole seconds since 2001.
  case wholeDate(Int64)
  /// 16 bytes.
  case uuid(UnsafeRawBufferPointer)
  /// A string, which may be invalid.
  case text(UnsafeRawBufferPointer)
  case bytes(UnsafeRawBufferPointer)
  /// The 36 characters of the file name of external binary data.
  case file(UnsafeRawBufferPointer)
  case entity(Int64)
}
