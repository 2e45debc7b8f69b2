extension EntryCursor {
  /// Reads what is left of the content.
  ///
  /// Memory grows with the bytes that come, not with the size that the header states.
  ///
  /// - Throws: `archive-limit` for more bytes than the limit.
  func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: Int, path: String
  ) throws(ArchiveError) {
    guard left <= limit else {
      throw ArchiveError(
        .limit, path: path, entry: name, offset: offset,
        detail: "it has \(left) bytes, at most \(limit) are read at once")
    }
    bytes.reserveCapacity(bytes.count + min(left, ArchiveLimits.memberPlainSize))
    while left > 0 {
      _ = try unsafe consume(atMost: left) { unsafe bytes.append(contentsOf: $0) }
    }
  }
}
