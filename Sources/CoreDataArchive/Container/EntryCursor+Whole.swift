internal import CoreDataModel

extension EntryCursor {
  /// Reads the rest of the content.
  ///
  /// Memory grows with the bytes that come, not with the size that the header states.
  ///
  /// - Throws: `archive-limit` for more bytes than the limit.
  func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name, of limits: ArchiveLimits,
    path: String
  ) throws(CofferError) {
    try requireWithin(limit, of: limits, path: path)
    bytes.reserveCapacity(bytes.count + min(left, ArchiveLimits.memberPlainSize))
    while left > 0 {
      _ = try unsafe consume(atMost: left) { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Checks that the rest of the content is within a limit.
  ///
  /// - Throws: `archive-limit` if it is not.
  func requireWithin(
    _ limit: ArchiveLimits.Name, of limits: ArchiveLimits, path: String
  ) throws(CofferError) {
    guard left > limits[limit] else { return }
    throw CofferError.exceeding(
      limit, of: limits, path: path, entry: name, offset: offset, "it has \(left) bytes, more")
  }
}
