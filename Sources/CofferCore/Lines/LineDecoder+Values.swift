internal import CoreDataArchive

/// Decoding of single values, by the form of their column and their tag.
extension LineDecoder {
  /// Decodes a value and binds it to the parameter of its column.
  mutating func value(
    _ step: LinePlan.Step, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    let parameter = step.column + 1
    switch try token() {
    case .null: sink.bindNull(parameter)
    case .integer(let number):
      switch step.form {
      case .toOne: toOneCount += 1
      case .integer, .number, .boolean, .plain: break
      default: throw failure("an integer without a tag, for a value of another type")
      }
      sink.bind(number, at: parameter)
    case .real(let number):
      guard step.form == .real || step.form == .number || step.form == .plain else {
        throw failure("a number with a fraction without a tag, for a value of another type")
      }
      sink.bind(number, at: parameter)
    case .bool(let flag):
      guard step.form == .boolean else {
        throw failure("true or false, for a value that is not Boolean")
      }
      sink.bind(flag ? Int64(1) : 0, at: parameter)
    case .string(let slice): try natural(slice, step, sink)
    case .objectStart:
      if step.form == .polymorphicToOne {
        try destination(step, sink)
      } else {
        try tagged(step, parameter, sink)
      }
    default: throw failure("expected a value")
    }
  }

  /// Decodes a list of two values: the old and the new value of a change.
  mutating func pair(
    _ step: LinePlan.Step, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    guard try token() == .arrayStart else { throw failure("expected the values before and after") }
    sink.turn(toAfter: false)
    try value(step, sink)
    sink.turn(toAfter: true)
    try value(step, sink)
    sink.turn(toAfter: nil)
    guard try token() == .arrayEnd else { throw failure("expected two values, before and after") }
  }

  /// Decodes a string according to its column.
  private mutating func natural(
    _ slice: JSONSlice, _ step: LinePlan.Step, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    let parameter = step.column + 1
    switch step.form {
    case .date:
      switch scanner.date(slice) {
      case .integer(let seconds): sink.bind(seconds, at: parameter)
      case .real(let seconds): sink.bind(seconds, at: parameter)
      case nil: throw failure("invalid date")
      }
    case .uuid:
      guard let bytes = scanner.decodeUUID(slice) else { throw failure("invalid UUID") }
      unsafe sink.bind(lentBlob: scanner.bytes(of: bytes), at: parameter)
    case .binary:
      unsafe sink.bind(lentBlob: try base64(slice), at: parameter)
    case .externalBinary:
      guard let bytes = scanner.decodeBase64(slice) else { throw failure("invalid base64") }
      // The quote before the text is no longer needed, so the marker replaces it.
      unsafe sink.bind(
        lentBlob: marking(1, from: bytes.start - 1, count: bytes.count + 1), at: parameter)
    case .text, .plain:
      unsafe sink.bind(lentText: scanner.bytes(of: slice), at: parameter)
    default: throw failure("a string without a tag, for a value of another type")
    }
  }

  /// Decodes an object that contains a value's storage class or location.
  private mutating func tagged(
    _ step: LinePlan.Step, _ parameter: Int32, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    guard case .key(let key) = try token() else { throw failure("expected a tag") }
    let tag = scanner.string(of: key)
    switch (tag, try token()) {
    case ("$integer", .integer(let number)): sink.bind(number, at: parameter)
    case ("$real", .real(let number)): sink.bind(number, at: parameter)
    case ("$real", .string(let slice)):
      switch scanner.string(of: slice) {
      case "Infinity": sink.bind(Double.infinity, at: parameter)
      case "-Infinity": sink.bind(-Double.infinity, at: parameter)
      case "NaN": sink.bind(Double.nan, at: parameter)
      default: throw failure("invalid number")
      }
    case ("$text", .string(let slice)):
      unsafe sink.bind(lentText: scanner.bytes(of: slice), at: parameter)
    case ("$text64", .string(let slice)):
      hasUnknownText = true
      unsafe sink.bind(lentText: try base64(slice), at: parameter)
    case ("$blob", .string(let slice)):
      unsafe sink.bind(lentBlob: try base64(slice), at: parameter)
    case ("$external", .string(let slice)):
      try external(slice, parameter, sink)
    case ("$bytes", .arrayStart):
      try reference(parameter, isMarked: step.form == .externalBinary, isText: false, sink)
    case ("$blob", .arrayStart):
      try reference(parameter, isMarked: false, isText: false, sink)
    case ("$text", .arrayStart):
      try reference(parameter, isMarked: false, isText: true, sink)
    default: throw failure("unknown tag, or a value that does not match the tag")
    }
    guard try token() == .objectEnd else { throw failure("a tag must have exactly one member") }
  }

  /// Decodes the primary key of a destination and its entity.
  private mutating func destination(
    _ step: LinePlan.Step, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    var hasKey = false
    var hasEntity = false
    while case .key(let key) = try token() {
      let name = scanner.string(of: key)
      if name == "$pk" {
        guard !hasKey else { throw failure(Self.doubledKey) }
        hasKey = true
      } else if name == "$entity" || name == "$number" {
        guard !hasEntity else { throw failure(Self.doubledKey) }
        hasEntity = true
      }
      switch name {
      case "$pk":
        toOneCount += 1
        try plain(step.column + 1, sink)
      case "$entity":
        guard case .string(let name) = try token(),
          let number = entityNumbers.number(of: name, in: scanner)
        else { throw failure("unknown entity name") }
        sink.bind(number, at: step.entityColumn + 1)
      case "$number":
        try plain(step.entityColumn + 1, sink)
      case "$integer", "$real", "$text", "$text64", "$blob":
        throw failure("a tag instead of a destination")
      default: try skip()
      }
    }
  }

  /// Decodes a value of a column without a specific form.
  mutating func plain(
    _ parameter: Int32, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    let step = LinePlan.Step(keyStart: 0, keyLength: 0, form: .plain, column: parameter - 1)
    try value(step, sink)
  }

  mutating func number(
    _ parameter: Int32, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    guard case .integer(let number) = try token() else {
      throw failure("the key of the row is not an integer")
    }
    sink.bind(number, at: parameter)
  }

  /// Decodes the version counter, which has two values in a change.
  mutating func version(
    _ parameter: Int32, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    guard sink.expectsPair(of: parameter - 1) else { return try plain(parameter, sink) }
    try pair(LinePlan.Step(keyStart: 0, keyLength: 0, form: .plain, column: parameter - 1), sink)
  }

  /// Decodes a reference to a file: the marker 2, the name and a NUL.
  ///
  /// Marker and NUL replace the quotes.
  private mutating func external(
    _ slice: JSONSlice, _ parameter: Int32, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    guard slice.count == 36 else { throw failure("invalid name of an external file") }
    unsafe text[slice.start + slice.count] = 0
    let name = unsafe UnsafeRawBufferPointer(rebasing: text[slice.start..<(slice.start + 37)])
    guard
      let reference = unsafe ExternalReference(
        name, column: parameter - 1, primaryKey: 0, entityNumber: 0)
    else { throw failure("invalid name of an external file") }
    externalReferences.append(reference)
    unsafe sink.bind(
      lentBlob: marking(2, from: slice.start - 1, count: slice.count + 2), at: parameter)
  }

  /// Decodes the location of an out-of-line value: an offset in the part's blobs, or its own entry.
  private mutating func reference(
    _ parameter: Int32, isMarked: Bool, isText: Bool, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    let place = try token()
    guard case .integer(let length) = try token(), try token() == .arrayEnd,
      let count = Int(exactly: length), count >= 0
    else { throw failure("invalid position of a value") }
    switch place {
    case .integer(let start):
      guard let start = Int(exactly: start), start >= 0, unsafe start <= blobs.count,
        unsafe count <= blobs.count - start
      else {
        guard toleratesLostBlobs else {
          throw failure("a value is outside the part's blobs")
        }
        lostColumns.append(Int(parameter - 1))
        return sink.bindNull(parameter)
      }
      guard count <= blobBytesLeft else {
        throw LineError(
          offset: scanner.offset, exceeding: .blobReuse,
          "the lines of the part use its blobs more often")
      }
      blobBytesLeft -= count
      offsetDigits += Self.digits(of: start)
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: blobs[start..<(start + count)])
      if isMarked {
        unsafe sink.bind(markedBlob: bytes, at: parameter)
      } else if isText {
        hasUnknownText = true
        unsafe sink.bind(lentText: bytes, at: parameter)
      } else {
        unsafe sink.bind(lentBlob: bytes, at: parameter)
      }
    case .string(let name):
      guard let number = unsafe ArchiveEntryName.valueNumber(scanner.bytes(of: name)) else {
        throw failure("the entry of a value has no such name")
      }
      let value = OutOfLineValue(
        number: number, parameter: parameter, length: count, isMarked: isMarked,
        isText: isText, isReserved: !isText && count <= reservable)
      if value.isReserved { reservable -= count }
      outOfLineValues.append(value)
      sink.bind(outOfLine: value)
    default: throw failure("invalid position of a value")
    }
  }

  private static func digits(of offset: Int) -> Int {
    var (count, rest) = (1, offset)
    while rest >= 10 { (count, rest) = (count + 1, rest / 10) }
    return count
  }

  private mutating func base64(_ slice: JSONSlice) throws(LineError) -> UnsafeRawBufferPointer {
    guard let bytes = scanner.decodeBase64(slice) else { throw failure("invalid base64") }
    return unsafe scanner.bytes(of: bytes)
  }

  private func marking(_ marker: UInt8, from start: Int, count: Int) -> UnsafeRawBufferPointer {
    unsafe text[start] = marker
    return unsafe UnsafeRawBufferPointer(rebasing: text[start..<(start + count)])
  }
}
