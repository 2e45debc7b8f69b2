internal import CoreDataArchive
internal import CoreDataModel

/// The name of a backup's file below the folder of its store, which says all that a list needs.
///
///     20261122T031500Z-0f2c61a8d44e9b17-full.coffer.tar.gz
///     20261123T031500Z-51c0a7d2b8e1f360-changes-0f2c61a8d44e9b17.coffer-changes.tar.gz
///
/// The time in UTC, the beginning of the content digest of the state, the kind, and for changes the
/// beginning of the content digest of the state that they begin with.
struct BackupName: Sendable, Hashable {
  /// When the backup was made.
  var time: Instant
  /// The first digits of the content digest of the state.
  var content: String
  /// The first digits of the content digest of the state that the changes begin with; nil for a full
  /// archive.
  var base: String?
  var compression: ArchiveCompression
  var isEncrypted: Bool

  /// The number of digits of a content digest in a name.
  ///
  /// They find the base; the whole digests in the files show whether it is the right one.
  static let digestLength = 16

  init(
    time: Instant, content: String, base: String? = nil, compression: ArchiveCompression,
    isEncrypted: Bool
  ) {
    self.time = time
    self.content = String(content.prefix(Self.digestLength))
    self.base = base.map { String($0.prefix(Self.digestLength)) }
    self.compression = compression
    self.isEncrypted = isEncrypted
  }

  /// Reads a name; nil for the name of any other file.
  init?(_ text: String) {
    guard let dot = text.firstIndex(of: ".") else { return nil }
    let parts = text[..<dot].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, let time = Instant(fileText: parts[0]), Self.isDigest(parts[1])
    else { return nil }
    (self.time, content) = (time, String(parts[1]))
    switch (parts[2], parts.count) {
    case ("full", 3): base = nil
    case ("changes", 4) where Self.isDigest(parts[3]): base = String(parts[3])
    default: return nil
    }
    var ending = text[dot...]
    isEncrypted = ending.hasSuffix(".age")
    if isEncrypted { ending = ending.dropLast(4) }
    guard let compression = ArchiveCompression(fileName: String(ending)) else { return nil }
    self.compression = compression
    guard self.text == text else { return nil }
  }

  private static func isDigest(_ text: Substring) -> Bool {
    text.utf8.count == digestLength && text.utf8.allSatisfy { Hexadecimal.value($0) != nil }
  }

  /// The part of the name that distinguishes this backup from all others of its store, full archives and changes alike.
  var stem: String { "\(time.fileText)-\(content)" }

  var text: String {
    let plain = compression.fileNameEnding
    let ending = base == nil ? plain : plain.replacing(".coffer.", with: ".coffer-changes.")
    let kind = base.map { "changes-\($0)" } ?? "full"
    return "\(stem)-\(kind)\(ending)\(isEncrypted ? ".age" : "")"
  }
}
