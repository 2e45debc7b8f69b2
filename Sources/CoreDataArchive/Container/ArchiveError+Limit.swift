extension CofferError {
  /// The error about an archive that exceeds a limit: it names the limit, and the hint says how to
  /// raise it.
  ///
  /// - Parameters:
  ///   - name: the limit.
  ///   - limits: the limits that are in force.
  ///   - path: the archive.
  ///   - entry: the entry in which it happened, or nil.
  ///   - offset: the offset in the archive's file, or nil.
  ///   - detail: what is too much, such as `the tar has more entries`.
  /// - Returns: an error of the code `archive-limit`.
  package static func exceeding(
    _ name: ArchiveLimits.Name, of limits: ArchiveLimits, path: String = "", entry: String? = nil,
    offset: Int? = nil, _ detail: String
  ) -> CofferError {
    CofferError(
      .archiveLimit, path: path, entry: entry, offset: offset,
      detail: "\(detail) than the limit \(name.rawValue) allows, \(limits[name])",
      advice: hint(raising: name))
  }

  /// What to do about an archive that exceeds a limit.
  static func hint(raising name: ArchiveLimits.Name) -> String {
    "If you trust the archive, raise the limit: --limit \(name.rawValue)=VALUE"
  }
}
