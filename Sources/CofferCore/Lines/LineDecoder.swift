package import CoreDataArchive

/// Decodes lines and passes their values to a sink without copying.
///
/// Decodes the text of a line in place: strings lose their escapes, base64 and UUIDs become bytes.
/// Bound values point into the text or into the part's blobs, which must both stay until the row is
/// done.
@safe package struct LineDecoder: ~Copyable {
  /// The values of the current line that have their own entries.
  package var outOfLineValues: [OutOfLineValue] = []
  var externalReferences: [ExternalReference] = []
  /// The number of bytes to reserve in the store for later values of this
  /// part.
  var reservable = ArchiveLimits.reservedSize
  /// The number of bytes of the part's blobs that lines may still refer to.
  var blobBytesLeft: Int
  /// The number of digits of the offsets in the part's blobs so far.
  var offsetDigits = 0
  /// The number of to-one relationships with a destination so far.
  var toOneCount = 0
  /// Whether a text did not come as a string, which would be valid UTF-8.
  var hasUnknownText = false
  /// Whether to skip a value outside the part's blobs; otherwise it is an error.
  var toleratesLostBlobs = false
  /// The columns of the current line whose values were skipped.
  var lostColumns: [Int] = []

  /// The members seen in the current line, as bits by position in the plan.
  ///
  /// This holds the first 64, which is all for most tables.
  private var seen: UInt64 = 0
  private var seenBehind: ContiguousArray<UInt64> = []

  var scanner: JSONScanner
  var text: UnsafeMutableRawBufferPointer
  let blobs: UnsafeRawBufferPointer
  let entityNumbers: EntityNumbers

  /// Creates a decoder for the lines of a part.
  package init(
    blobs: UnsafeRawBufferPointer, entityNumbers: EntityNumbers,
    limits: ArchiveLimits = .standard
  ) {
    unsafe text = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    unsafe self.blobs = blobs
    let most = blobs.count.multipliedReportingOverflow(by: limits.blobReuse)
    blobBytesLeft = most.overflow ? .max : most.partialValue
    self.entityNumbers = entityNumbers
    scanner = unsafe JSONScanner(text, maximumDepth: limits.lineDepth)
  }

  /// Starts a line.
  ///
  /// Decoding changes its text.
  mutating func begin(_ line: UnsafeMutableRawBufferPointer) throws(LineError) {
    unsafe text = line
    unsafe scanner.reset(line)
    // Nearly always empty already; to empty an array takes a look at who else has it.
    if !outOfLineValues.isEmpty { outOfLineValues.removeAll(keepingCapacity: true) }
    if !externalReferences.isEmpty { externalReferences.removeAll(keepingCapacity: true) }
    if !lostColumns.isEmpty { lostColumns.removeAll(keepingCapacity: true) }
    seen = 0
    for word in seenBehind.indices { seenBehind[word] = 0 }
    guard case .objectStart = try token() else { throw failure("expected an object") }
  }

  /// Checks that nothing follows the object, whose closing brace has been read.
  mutating func end() throws(LineError) {
    guard case .end = try token() else { throw failure("data after the object") }
  }

  /// Decodes the members in a plan.
  ///
  /// The object's opening brace has been read.
  ///
  /// Members in the order of the plan are found by comparing bytes. Other orders work too, but more
  /// slowly.
  ///
  /// The sink gets column n as parameter n + 1.
  ///
  /// - Throws: ``LineError`` if the line does not belong to this table.
  mutating func members(
    _ plan: LinePlan, _ range: Range<Int>, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    var expected = range.lowerBound
    while true {
      if let found = takeMember(plan, expected..<range.upperBound) {
        try member(plan, found, sink)
        expected = found + 1 + Int(plan.steps[found].memberCount)
        continue
      }
      guard case .key(let slice) = try token() else { break }
      guard let found = Self.position(of: slice, in: plan, range, scanner) else {
        if Self.isIdentity(slice, scanner) { throw failure("a key is in the wrong position") }
        // Ignore keys of later versions.
        try skip()
        continue
      }
      try member(plan, found, sink)
      expected = found + 1 + Int(plan.steps[found].memberCount)
    }
  }

  /// Consumes the next key if it is in the plan and written as coffer writes it.
  ///
  /// - Returns: the step; nil for other keys.
  private mutating func takeMember(_ plan: LinePlan, _ range: Range<Int>) -> Int? {
    unsafe plan.keys.withUnsafeBytes { keys in
      unsafe plan.steps.withUnsafeBufferPointer { steps in
        var candidate = range.lowerBound
        while candidate < range.upperBound {
          let step = unsafe steps[candidate]
          let start = Int(step.keyStart)
          let key = unsafe UnsafeRawBufferPointer(
            rebasing: keys[start..<(start + Int(step.keyLength))])
          if unsafe scanner.takeKey(key) { return candidate }
          candidate += 1 + Int(step.memberCount)
        }
        return nil
      }
    }
  }

  private static func position(
    of key: JSONSlice, in plan: LinePlan, _ range: Range<Int>, _ scanner: borrowing JSONScanner
  ) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      if scanner.matches(key, plan.names[position]) { return position }
      position += 1 + Int(plan.steps[position].memberCount)
    }
    return nil
  }

  private mutating func member(
    _ plan: LinePlan, _ position: Int, _ sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) {
    try note(position)
    let step = plan.steps[position]
    guard step.form == .group else {
      return sink.expectsPair(of: step.column) ? try pair(step, sink) : try value(step, sink)
    }
    switch try token() {
    case .objectStart:
      let first = position + 1
      try members(plan, first..<(first + Int(step.memberCount)), sink)
    case .null: break
    default: throw failure("expected an object")
    }
  }

  /// Records a member.
  private mutating func note(_ position: Int) throws(LineError) {
    guard position >= 64 else {
      let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: position)
      guard seen & bit == 0 else { throw failure(Self.doubledKey) }
      seen |= bit
      return
    }
    let word = position / 64 - 1
    while seenBehind.count <= word { seenBehind.append(0) }
    let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: position % 64)
    guard seenBehind[word] & bit == 0 else { throw failure(Self.doubledKey) }
    seenBehind[word] |= bit
  }

  static let doubledKey = "duplicate key"

  private static let identity = ["$pk", "$opt", "$entity", "$number", "$row"].map { JSONKey($0) }

  private static func isIdentity(_ key: JSONSlice, _ scanner: borrowing JSONScanner) -> Bool {
    for name in identity where scanner.matches(key, name) { return true }
    return false
  }

  /// The next token.
  ///
  /// JSON errors become line errors.
  mutating func token() throws(LineError) -> JSONToken {
    do throws(JSONError) {
      return try scanner.next()
    } catch {
      throw LineError(error)
    }
  }

  mutating func skip() throws(LineError) {
    do throws(JSONError) {
      try scanner.skipValue()
    } catch {
      throw LineError(error)
    }
  }

  package func failure(_ detail: String) -> LineError {
    LineError(offset: scanner.offset, detail: detail)
  }
}
