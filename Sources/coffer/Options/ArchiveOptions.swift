internal import ArgumentParser
internal import CofferKit

/// The options of every command that reads archives.
struct ArchiveOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Raise a limit on what an archive may hold; may be repeated.", valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  @OptionGroup var keys: KeyOptions

  /// How archives are read.
  ///
  /// - Parameters:
  ///   - session: who is told of a file that others can read.
  ///   - archive: what the command reads; where it is `-`, standard input has no key.
  /// - Returns: how they are read.
  /// - Throws: what reading the files that the options name throws.
  func access(_ session: Session, reading archive: String = "") throws -> ArchiveAccess {
    try keys.access(session, reading: archive, limits: limits)
  }
}

/// The options that open encrypted archives.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .customLong("identity"),
    help: ArgumentHelp(
      "Decrypt the archive with the keys in this file; repeatable.",
      valueName: "file"))
  var identityFiles: [String] = []

  @Option(
    help: ArgumentHelp(
      "Decrypt the archive with the passphrase in this file.", valueName: "file"))
  var passphraseFile: String?

  func validate() throws {
    for text in identityFiles { try SecretFile.refuseSecret(text, for: "--identity") }
    if let passphraseFile { try SecretFile.refuseSecret(passphraseFile, for: "--passphrase-file") }
  }

  /// How archives are read.
  ///
  /// - Parameters:
  ///   - session: who is told of a file that others can read.
  ///   - archive: what the command reads; where it is `-`, standard input has no key.
  ///   - limits: the limits that are raised.
  /// - Returns: how they are read.
  /// - Throws: what reading the files that the options name throws.
  func access(
    _ session: Session, reading archive: String = "", limits: [LimitArgument]
  ) throws -> ArchiveAccess {
    var access = ArchiveAccess()
    var files = SecretFile.Reader(session: session, isStandardInputTaken: archive == "-")
    for path in identityFiles {
      access.identities += try files.identities(path)
    }
    if let passphraseFile {
      access.identities.append(
        try ArchiveIdentity(passphrase: files.passphrase(passphraseFile)))
    }
    for limit in limits { access.limits[limit.name] = limit.value }
    return access
  }
}
