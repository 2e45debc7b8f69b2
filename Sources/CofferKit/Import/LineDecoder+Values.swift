internal import CoreDataArchive
internal import CoreDataStore

/// Single values, by the form that their column has and the tag that they carry.
extension LineDecoder {
  /// Decodes a value and binds it to the parameter of its column.
  mutating func value(
    _ step: LinePlan.Step, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    let parameter = step.column + 1
    switch try token() {
    case .null: statement.bindNull(parameter)
    case .integer(let number):
      if step.form == .toOne { toOneCount += 1 }
      statement.bind(number, at: parameter)
    case .real(let number): statement.bind(number, at: parameter)
    case .bool(let flag): statement.bind(flag ? Int64(1) : 0, at: parameter)
    case .string(let slice): try natural(slice, step, statement)
    case .objectStart:
      if step.form == .polymorphicToOne {
        try destination(step, statement)
      } else {
        try tagged(step, parameter, statement)
      }
    default: throw failure("a value is expected")
    }
  }

  /// A string, which stands for what its column holds.
  private mutating func natural(
    _ slice: JSONSlice, _ step: LinePlan.Step, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    let parameter = step.column + 1
    switch step.form {
    case .date:
      switch scanner.date(slice) {
      case .integer(let seconds): statement.bind(seconds, at: parameter)
      case .real(let seconds): statement.bind(seconds, at: parameter)
      case nil: throw failure("not a date")
      }
    case .uuid:
      guard let bytes = scanner.decodeUUID(slice) else { throw failure("not a UUID") }
      unsafe statement.bind(lentBlob: scanner.bytes(of: bytes), at: parameter)
    case .binary:
      unsafe statement.bind(lentBlob: try base64(slice), at: parameter)
    case .externalBinary:
      guard let bytes = scanner.decodeBase64(slice) else { throw failure("not base64") }
      // The quote before the text is spent: the marker takes its place.
      unsafe statement.bind(
        lentBlob: marking(1, from: bytes.start - 1, count: bytes.count + 1), at: parameter)
    default:
      unsafe statement.bind(lentText: scanner.bytes(of: slice), at: parameter)
    }
  }

  /// An object that names the storage class of a value, or the place where it stands.
  private mutating func tagged(
    _ step: LinePlan.Step, _ parameter: Int32, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    guard case .key(let key) = try token() else { throw failure("a tag is expected") }
    let tag = scanner.string(of: key)
    switch (tag, try token()) {
    case ("$integer", .integer(let number)): statement.bind(number, at: parameter)
    case ("$real", .real(let number)): statement.bind(number, at: parameter)
    case ("$real", .string(let slice)):
      switch scanner.string(of: slice) {
      case "Infinity": statement.bind(Double.infinity, at: parameter)
      case "-Infinity": statement.bind(-Double.infinity, at: parameter)
      case "NaN": statement.bind(Double.nan, at: parameter)
      default: throw failure("not a number")
      }
    case ("$text", .string(let slice)):
      unsafe statement.bind(lentText: scanner.bytes(of: slice), at: parameter)
    case ("$text64", .string(let slice)):
      unsafe statement.bind(lentText: try base64(slice), at: parameter)
    case ("$blob", .string(let slice)):
      unsafe statement.bind(lentBlob: try base64(slice), at: parameter)
    case ("$external", .string(let slice)):
      try external(slice, parameter, statement)
    case ("$bytes", .arrayStart):
      try reference(parameter, isMarked: step.form == .externalBinary, isText: false, statement)
    case ("$blob", .arrayStart):
      try reference(parameter, isMarked: false, isText: false, statement)
    case ("$text", .arrayStart):
      try reference(parameter, isMarked: false, isText: true, statement)
    default: throw failure("an unknown tag, or one with a value that does not fit")
    }
    guard try token() == .objectEnd else { throw failure("a tag has one member") }
  }

  /// The primary key of a destination and its entity.
  private mutating func destination(
    _ step: LinePlan.Step, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    while case .key(let key) = try token() {
      switch scanner.string(of: key) {
      case "$pk":
        toOneCount += 1
        try plain(step.column + 1, statement)
      case "$entity":
        guard case .string(let name) = try token(),
          let number = entityNumbers[scanner.string(of: name)]
        else { throw failure("not the name of an entity") }
        statement.bind(number, at: step.entityColumn + 1)
      case "$number":
        try plain(step.entityColumn + 1, statement)
      case "$integer", "$real", "$text", "$text64", "$blob":
        throw failure("a tag in the place of a destination")
      default: try skip()
      }
    }
  }

  /// A value of a column without a form of its own.
  mutating func plain(
    _ parameter: Int32, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    let step = LinePlan.Step(keyStart: 0, keyLength: 0, form: .plain, column: parameter - 1)
    try value(step, statement)
  }

  /// A reference to a file: the marker 2 before the name and a NUL behind it, in the place of the
  /// quotes that are spent.
  private mutating func external(
    _ slice: JSONSlice, _ parameter: Int32, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    guard slice.count == 36 else { throw failure("not the name of an external file") }
    unsafe text[slice.start + slice.count] = 0
    let name = unsafe UnsafeRawBufferPointer(rebasing: text[slice.start..<(slice.start + 37)])
    guard
      let reference = unsafe ExternalReference(
        name, column: parameter - 1, primaryKey: 0, entityNumber: 0)
    else { throw failure("not the name of an external file") }
    externalReferences.append(reference)
    unsafe statement.bind(
      lentBlob: marking(2, from: slice.start - 1, count: slice.count + 2), at: parameter)
  }

  /// The place of a value out of line: an offset in the part's blobs, or an entry of its own.
  private mutating func reference(
    _ parameter: Int32, isMarked: Bool, isText: Bool, _ statement: borrowing SQLiteStatement
  ) throws(LineError) {
    let place = try token()
    guard case .integer(let length) = try token(), try token() == .arrayEnd,
      let count = Int(exactly: length), count >= 0
    else { throw failure("not the place of a value") }
    switch place {
    case .integer(let start):
      guard let start = Int(exactly: start), start >= 0, unsafe start <= blobs.count,
        unsafe count <= blobs.count - start
      else { throw failure("a value lies outside of the part's blobs") }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: blobs[start..<(start + count)])
      if isMarked {
        var copy: [UInt8] = []
        copy.reserveCapacity(count + 1)
        copy.append(1)
        unsafe copy.append(contentsOf: bytes)
        statement.bind(.blob(copy), at: parameter)
      } else if isText {
        unsafe statement.bind(lentText: bytes, at: parameter)
      } else {
        unsafe statement.bind(lentBlob: bytes, at: parameter)
      }
    case .string(let name):
      largeValues.append(
        PendingValue(
          name: scanner.string(of: name), parameter: parameter, length: count,
          isMarked: isMarked, isText: isText))
      // Until the entry comes the row has something else in its place: not NULL, which the column
      // may not allow.
      if isText {
        statement.bind(.text([]), at: parameter)
      } else {
        statement.bind(zeroBlob: Int64(count) + (isMarked ? 1 : 0), at: parameter)
      }
    default: throw failure("not the place of a value")
    }
  }

  private mutating func base64(_ slice: JSONSlice) throws(LineError) -> UnsafeRawBufferPointer {
    guard let bytes = scanner.decodeBase64(slice) else { throw failure("not base64") }
    return unsafe scanner.bytes(of: bytes)
  }

  private func marking(_ marker: UInt8, from start: Int, count: Int) -> UnsafeRawBufferPointer {
    unsafe text[start] = marker
    return unsafe UnsafeRawBufferPointer(rebasing: text[start..<(start + count)])
  }
}
