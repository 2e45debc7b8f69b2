internal import CoreDataArchive
package import CoreDataModel

/// Reads lines and hands their values to a sink, without a copy of any of them.
///
/// The text of a line is decoded where it stands: strings lose their escapes, base64 and UUIDs
/// become bytes. What is bound points into the text or into the part's blobs, both of which stay
/// until the row is done.
@safe package struct LineDecoder: ~Copyable {
  /// The values of the current line that are entries of their own.
  package var largeValues: [PendingValue] = []
  /// The references of the current line to external files.
  var externalReferences: [ExternalReference] = []
  /// How many more bytes of the part's values to come get their place in the store beforehand.
  var reservable = ArchiveLimits.reservedSize
  /// How many more bytes of the part's blobs lines may refer to.
  var blobBytesLeft: Int
  /// How many to-one relationships were set so far.
  var toOneCount = 0
  /// Whether a value that lies outside of the part's blobs is left out; otherwise it is an error.
  var toleratesLostBlobs = false
  /// The columns of the current line whose values were left out.
  var lostColumns: [Int] = []

  /// The members of the current line that came, by their positions in the plan, as bits; first the
  /// 64 that come first, which are all for most tables.
  private var seen: UInt64 = 0
  private var seenBehind: ContiguousArray<UInt64> = []

  var scanner: JSONScanner
  var text: UnsafeMutableRawBufferPointer
  let blobs: UnsafeRawBufferPointer
  /// The numbers of entities by their quoted names.
  let entityNumbers: [ExactString: Int64]

  /// Decodes the lines of a part.
  ///
  /// - Parameters:
  ///   - blobs: the values of the part that stand out of line.
  ///   - entityNumbers: the numbers of the entities by name.
  ///   - limits: what an archive may hold at most.
  package init(
    blobs: UnsafeRawBufferPointer, entityNumbers: [ExactString: Int64],
    limits: ArchiveLimits = .standard
  ) {
    unsafe text = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    unsafe self.blobs = blobs
    let most = blobs.count.multipliedReportingOverflow(by: limits.blobReuse)
    blobBytesLeft = most.overflow ? .max : most.partialValue
    self.entityNumbers = entityNumbers
    scanner = unsafe JSONScanner(text, maximumDepth: limits.lineDepth)
  }

  /// Begins a line; its text is changed while it is decoded.
  mutating func begin(_ line: UnsafeMutableRawBufferPointer) throws(LineError) {
    unsafe text = line
    unsafe scanner.reset(line)
    largeValues.removeAll(keepingCapacity: true)
    externalReferences.removeAll(keepingCapacity: true)
    if !lostColumns.isEmpty { lostColumns.removeAll(keepingCapacity: true) }
    seen = 0
    for word in seenBehind.indices { seenBehind[word] = 0 }
    guard try token() == .objectStart else { throw failure("a line is an object") }
  }

  /// Makes sure that nothing comes after the object; its closing brace has been read.
  mutating func end() throws(LineError) {
    guard try token() == .end else { throw failure("a line is one object") }
  }

  /// Decodes the members that a plan names; the object's opening brace has been read.
  ///
  /// Members are expected in the order of the plan, where each is found by comparing bytes; in any
  /// other order they are found all the same.
  ///
  /// - Parameters:
  ///   - plan: the members.
  ///   - range: the steps of the plan that are members of this object.
  ///   - sink: what the values go to, column n to parameter n + 1.
  /// - Throws: ``LineError`` where the line is not what a line of this table can be.
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
        if Self.isIdentity(slice, scanner) { throw failure("a key that is not where it belongs") }
        // Keys of a later version are not ours to understand.
        try skip()
        continue
      }
      try member(plan, found, sink)
      expected = found + 1 + Int(plan.steps[found].memberCount)
    }
  }

  /// Takes the key that comes next if it is one of a plan's, and written as coffer writes it.
  ///
  /// - Returns: the step; nil for another key.
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
    guard step.form == .group else { return try value(step, sink) }
    switch try token() {
    case .objectStart:
      let first = position + 1
      try members(plan, first..<(first + Int(step.memberCount)), sink)
    case .null: break
    default: throw failure("an object is expected")
    }
  }

  /// Notes that a member came.
  ///
  /// - Throws: ``LineError`` where it came before.
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

  static let doubledKey = "a key that occurs twice"

  /// The keys that tell what a line is and come before all others.
  private static let identity = ["$pk", "$opt", "$entity", "$number", "$row"].map { JSONKey($0) }

  private static func isIdentity(
    _ key: JSONSlice, _ scanner: borrowing JSONScanner
  ) -> Bool {
    for name in identity where scanner.matches(key, name) { return true }
    return false
  }

  /// The next token; errors of the text become errors of the line.
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

  func failure(_ detail: String) -> LineError { LineError(offset: scanner.offset, detail: detail) }
}
