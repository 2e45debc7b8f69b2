package import CoreDataModel

extension CofferError {
  /// The error about an archive that exceeds a limit: it names the limit, and the advice names its
  /// group.
  ///
  /// - Parameters:
  ///   - name: the limit.
  ///   - limits: the limits that are in force.
  ///   - path: the archive.
  ///   - entry: the affected entry, or nil.
  ///   - offset: the offset in the archive's file, or nil.
  ///   - detail: the limit that was exceeded, such as `the tar has more entries`.
  /// - Returns: an error of the code `archive-limit`.
  package static func exceeding(
    _ name: ArchiveLimits.Name, of limits: ArchiveLimits, path: String = "", entry: String? = nil,
    offset: Int? = nil, _ detail: String
  ) -> CofferError {
    CofferError(
      .archiveLimit, path: path, entry: entry, offset: offset,
      detail: "\(detail) than the limit \(name.rawValue) allows (\(limits[name]))",
      advice: .raiseLimit(name.group.rawValue))
  }

  /// The error about an entry with another content than the index says.
  static func digestMismatch(_ entry: String, path: String) -> CofferError {
    CofferError(
      .damagedArchive, path: path, entry: entry,
      detail: "its content does not match its digest in the index")
  }

  /// Whether the error means wrong bytes in an archive, and not a failure to read them.
  var isArchiveDamage: Bool {
    [.damagedArchive, .truncatedArchive, .damagedEncryption, .truncatedEncryption].contains(code)
  }
}
