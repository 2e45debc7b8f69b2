internal import CoreDataArchive
internal import CoreDataStore

/// The forms of single values, with tags for values without a natural form.
extension LineEncoder {
  mutating func appendReal(_ value: Double) {
    if !lines.appendReal(value) { appendTaggedReal(value) }
  }

  mutating func appendTaggedReal(_ value: Double) {
    lines.append("{\"$real\":")
    if !lines.appendReal(value) {
      lines.append(value > 0 ? "\"Infinity\"" : value < 0 ? "\"-Infinity\"" : "\"NaN\"")
    }
    lines.append(UInt8(ascii: "}"))
  }

  mutating func appendTaggedInteger(_ value: Int64) {
    lines.append("{\"$integer\":")
    lines.appendInteger(value)
    lines.append(UInt8(ascii: "}"))
  }

  mutating func appendBoolean(_ value: Int64) {
    switch value {
    case 0: lines.append("false")
    case 1: lines.append("true")
    default: lines.appendInteger(value)
    }
  }

  mutating func appendUUID(_ bytes: UnsafeRawBufferPointer, _ column: Int32, _ row: Int64) {
    if bytes.count == 16 {
      unsafe _ = lines.appendUUID(bytes)
    } else {
      unsafe appendBinary(bytes, column, row, isNatural: false)
    }
  }

  /// The destination of a relationship whose destinations can belong to several entities.
  mutating func appendPolymorphic(
    _ step: LinePlan.Step, _ row: borrowing some RowValues & ~Copyable, _ rowID: Int64
  ) {
    lines.append(UInt8(ascii: "{"))
    let hasKey = row.storageClass(step.column) != .null
    if hasKey {
      toOneCount += 1
      lines.append("\"$pk\":")
      appendPlain(row, step.column, rowID)
    }
    if row.storageClass(step.entityColumn) != .null {
      if hasKey { lines.append(UInt8(ascii: ",")) }
      appendEntity(row, step.entityColumn, rowID)
    }
    lines.append(UInt8(ascii: "}"))
  }

  /// A value in the form of its storage class.
  package mutating func appendPlain(
    _ row: borrowing some RowValues & ~Copyable, _ column: Int32, _ rowID: Int64
  ) {
    switch row.storageClass(column) {
    case .null: lines.append("null")
    case .integer: lines.appendInteger(row.int64(column))
    case .real: appendReal(row.double(column))
    case .text: unsafe appendText(row.textBytes(column), column, rowID, isNatural: true)
    case .blob: unsafe appendBinary(row.blobBytes(column), column, rowID, isNatural: false)
    }
  }

  /// A value whose storage class does not match its meaning.
  mutating func appendTagged(
    _ row: borrowing some RowValues & ~Copyable, _ step: LinePlan.Step, _ storage: StorageClass,
    _ rowID: Int64
  ) {
    note(row, step, storage, rowID)
    switch storage {
    case .null: lines.append("null")
    case .integer: appendTaggedInteger(row.int64(step.column))
    case .real: appendTaggedReal(row.double(step.column))
    case .text:
      unsafe appendText(row.textBytes(step.column), step.column, rowID, isNatural: false)
    case .blob:
      unsafe appendBinary(row.blobBytes(step.column), step.column, rowID, isNatural: false)
    }
  }

  /// Notes a value that an import may insert in another storage class.
  private mutating func note(
    _ row: borrowing some RowValues & ~Copyable, _ step: LinePlan.Step, _ storage: StorageClass,
    _ rowID: Int64
  ) {
    guard convertedValues.count < FindingCollector.keptPerCode else { return }
    let value: ConvertibleValue? =
      switch storage {
      case .null, .blob: nil
      case .integer: .integer
      case .real: .real(row.double(step.column))
      case .text: unsafe ConvertibleValue(text: row.textBytes(step.column))
      }
    guard let value else { return }
    convertedValues.append(
      ConvertedValue(
        value: value, column: Int(step.column), row: rowID, entityNumber: currentEntity))
  }

  mutating func appendText(
    _ bytes: UnsafeRawBufferPointer, _ column: Int32, _ rowID: Int64, isNatural: Bool
  ) {
    if bytes.count > ownTextEntry || (isFull(lines.count) && bytes.count >= outOfLine) {
      let large = OutOfLineContent(
        name: nextOutOfLineName(), column: Int(column), row: rowID, skipped: 0,
        length: bytes.count, text: unsafe Array(bytes))
      lines.append("{\"$text\":")
      appendReference(to: large)
      return
    }
    let start = lines.count
    if !isNatural { lines.append("{\"$text\":") }
    if unsafe lines.appendString(utf8: bytes) {
      if !isNatural { lines.append(UInt8(ascii: "}")) }
    } else {
      lines.truncate(to: start)
      unsafe appendEncodedText(bytes)
    }
  }

  /// Text that is not valid UTF-8, as its bytes.
  mutating func appendEncodedText(_ bytes: UnsafeRawBufferPointer) {
    lines.append("{\"$text64\":")
    unsafe lines.appendBase64(bytes)
    lines.append(UInt8(ascii: "}"))
  }

  package mutating func appendBinary(
    _ bytes: UnsafeRawBufferPointer, _ column: Int32, _ rowID: Int64, isNatural: Bool,
    skipped: Int = 0
  ) {
    if bytes.count < outOfLine {
      if !isNatural { lines.append("{\"$blob\":") }
      unsafe lines.appendBase64(bytes)
      if !isNatural { lines.append(UInt8(ascii: "}")) }
      return
    }
    lines.append(isNatural ? "{\"$bytes\":" : "{\"$blob\":")
    if bytes.count > ownEntry || isFull(blobs.count) {
      let large = OutOfLineContent(
        name: nextOutOfLineName(), column: Int(column), row: rowID, skipped: skipped,
        length: bytes.count)
      appendReference(to: large)
      return
    }
    lines.append(UInt8(ascii: "["))
    let start = lines.count
    lines.appendInteger(Int64(blobs.count))
    offsetDigits += lines.count - start
    movingTexts.append(start..<lines.count)
    lines.append(UInt8(ascii: ","))
    lines.appendInteger(Int64(bytes.count))
    lines.append("]}")
    unsafe blobs.append(bytes)
  }

  /// Bytes after the marker of external storage: 1 for inline bytes, 2 for a file name.
  ///
  /// Source of the form: store-format, section 6.
  mutating func appendExternalBinary(
    _ bytes: UnsafeRawBufferPointer, _ step: LinePlan.Step, _ rowID: Int64
  ) {
    guard let marker = unsafe bytes.first, marker == 1 || marker == 2 else {
      unsafe appendBinary(bytes, step.column, rowID, isNatural: false)
      return
    }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    if marker == 1 {
      unsafe appendBinary(rest, step.column, rowID, isNatural: true, skipped: 1)
    } else if let reference = unsafe ExternalReference(
      rest, column: step.column, primaryKey: rowID, entityNumber: currentEntity)
    {
      externalReferences.append(reference)
      lines.append("{\"$external\":")
      unsafe _ = lines.appendString(utf8: UnsafeRawBufferPointer(rebasing: rest.dropLast()))
      lines.append(UInt8(ascii: "}"))
    } else {
      unsafe appendBinary(bytes, step.column, rowID, isNatural: false)
    }
  }

  mutating func appendLargeBlob(
    _ size: Int64, _ step: LinePlan.Step, _ row: borrowing some RowValues & ~Copyable,
    _ rowID: Int64
  ) {
    lines.append("{\"$blob\":")
    appendReference(
      to: OutOfLineContent(
        name: nextOutOfLineName(), column: Int(step.column), row: rowID, skipped: 0,
        length: Int(clamping: size)))
  }

  /// A value with only its size and its first byte known.
  package mutating func appendUnread(_ step: LinePlan.Step, of row: Row) {
    let column = Int(step.column)
    let isText = row.storageClass(column) == .text
    let isMarked = !isText && step.form == .externalBinary && row.firstByte(column) == 1
    lines.append(isText ? "{\"$text\":" : isMarked ? "{\"$bytes\":" : "{\"$blob\":")
    let skipped = isMarked ? 1 : 0
    appendReference(
      to: OutOfLineContent(
        name: nextOutOfLineName(), column: column, row: 0, skipped: skipped,
        length: row.size(column) - skipped))
  }

  /// Whether a part is full, so that further values of its last row become entries: a single row
  /// can be larger than readers accept in one piece.
  private func isFull(_ byteCount: Int) -> Bool {
    byteCount >= partSize && ownTextEntry != .max
  }

  /// The ending of the next value's entry: a line says nothing of its part's number, which may change.
  private func nextOutOfLineName() -> String {
    ArchiveEntryName.value(outOfLineValues.count)
  }

  private mutating func appendReference(to value: OutOfLineContent) {
    outOfLineValues.append(value)
    lines.append(UInt8(ascii: "["))
    let start = lines.count
    lines.appendString(value.name)
    movingTexts.append(start..<lines.count)
    lines.append(UInt8(ascii: ","))
    lines.appendInteger(Int64(value.length))
    lines.append("]}")
  }
}

/// A value that is too large for its part and gets its own entry after it.
package struct OutOfLineContent {
  /// The ending of the entry's name: `value-0`.
  package var name: String
  /// The column of the value.
  package var column: Int
  var row: Int64
  /// The number of stored bytes that are not part of the entry: the marker of external storage.
  package var skipped: Int
  /// The size of the entry in bytes.
  package var length: Int
  /// The bytes of a text value; blobs are read piece by piece.
  package var text: [UInt8]?
}
