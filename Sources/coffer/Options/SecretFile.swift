internal import ArgumentParser
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation

/// Reads files with keys and passphrases.
///
/// Their content never appears in an argument, an answer or an error.
enum SecretFile {
  /// Refuses a key in place of a file name.
  static func refuseSecret(_ text: String, for option: String) throws {
    guard SecretText.isSecret(text) else { return }
    throw ValidationError(
      "'\(option)' takes the name of a file, not the key itself. The key may now be visible to others."
    )
  }

  /// Reads the key files of one command.
  ///
  /// One of them can be standard input (`-`) if nothing else needs it.
  struct Reader {
    let session: Session
    var isStandardInputTaken: Bool

    /// The identities in a file.
    mutating func identities(_ path: String) throws -> [ArchiveIdentity] {
      let bytes = try content(
        path, place: path == "-" ? "standard input" : path, limit: ArchiveIdentity.fileSizeLimit)
      return try ArchiveIdentity.identities(inFile: bytes, path: path)
    }

    /// The passphrase in a file: its content without a final line break.
    ///
    /// The path is not printed, because someone may pass the passphrase in its place.
    mutating func passphrase(_ path: String) throws -> [UInt8] {
      var bytes = try content(
        path, place: "the file given with --passphrase-file",
        limit: ArchiveIdentity.passphraseSizeLimit + 2
      )
      if bytes.last == UInt8(ascii: "\n") {
        bytes.removeLast()
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      }
      return bytes
    }

    /// The bytes of a file or a pipe, at most one more than the limit.
    private mutating func content(_ path: String, place: String, limit: Int) throws -> [UInt8] {
      let file = try open(path, place: place)
      defer { if path != "-" { try? file.close() } }
      var bytes: [UInt8] = []
      do {
        while bytes.count <= limit,
          let more = try file.read(upToCount: limit + 1 - bytes.count), !more.isEmpty
        {
          bytes += more
        }
      } catch {
        throw CofferError(.readFailed, path: place, detail: "it cannot be read")
      }
      return bytes
    }

    private mutating func open(_ path: String, place: String) throws -> FileHandle {
      if path == "-" {
        guard !isStandardInputTaken else {
          throw CofferError(
            .refused, path: "standard input",
            detail: "it cannot provide more than one of the archive and the keys",
            advice: "Pass a file or a pipe: --passphrase-file /dev/fd/3 3< FILE")
        }
        guard !Terminal.isTerminal(0) else {
          throw CofferError(
            .refused, path: "standard input", detail: "a key typed on a terminal would be visible",
            advice: "Pass a file or a pipe: --passphrase-file <(systemd-ask-password)")
        }
        isStandardInputTaken = true
        return .standardInput
      }
      guard let file = FileHandle(forReadingAtPath: path) else {
        let isThere = FileManager.default.fileExists(atPath: path)
        throw CofferError(
          isThere ? .readFailed : .notFound, path: place,
          detail: isThere ? "it is not a file, or permission is missing" : "")
      }
      try warn(path, place)
      return file
    }

    /// Warns about a file that others can read.
    ///
    /// A pipe has no such permissions.
    private func warn(_ path: String, _ place: String) throws {
      let resolved = (path as NSString).resolvingSymlinksInPath
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
        attributes[.type] as? FileAttributeType == .typeRegular,
        let permissions = attributes[.posixPermissions] as? NSNumber,
        permissions.intValue & 0o044 != 0
      else { return }
      try session.printer.warn(
        "readable-secret", "\(place): other users of this computer can read this file")
    }
  }
}
