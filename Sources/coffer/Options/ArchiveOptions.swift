internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The options of every command that reads archives.
struct ArchiveOptions: ParsableArguments {
  @Option(
    name: .customLong("archive-limit"),
    help: .value("name=factor", "Multiply a limit on what an archive may contain; repeatable."),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  @Option(
    name: .customLong("identity"),
    help: .value("file", "Decrypt the archive with the keys in this file; repeatable."),
    completion: .file())
  var identityFiles: [String] = []

  @Option(
    help: .value("file", "Decrypt the archive with the passphrase in this file."),
    completion: .file())
  var passphraseFile: String?

  func validate() throws {
    for text in identityFiles { try SecretFile.refuseSecret(text, for: "--identity") }
    if let passphraseFile { try SecretFile.refuseSecret(passphraseFile, for: "--passphrase-file") }
  }

  /// The environment of the command.
  ///
  /// A key cannot come from standard input if that is the input of the command.
  func environment(
    _ session: Session, reading archive: String = "", model: ModelOptions? = nil
  ) throws -> WorkEnvironment {
    var environment = WorkEnvironment.inPlace
    var files = SecretFile.Reader(session: session, isStandardInputTaken: archive == "-")
    for path in identityFiles {
      environment.identities += try files.identities(path)
    }
    if let passphraseFile {
      environment.identities.append(
        try ArchiveIdentity(passphrase: files.passphrase(passphraseFile)))
    }
    for limit in limits { environment.limits.multiply(limit.group, by: limit.factor) }
    environment.model = try model?.given(environment, session)
    return environment
  }
  /// The vault of the command.
  func vault(at path: String, _ session: Session, model: ModelOptions? = nil) throws -> Vault {
    var vault = try Vault(path)
    vault.environment = try environment(session, model: model)
    vault.progress = session.progress
    return vault
  }
}

/// The option of every command that reads a part of a vault.
struct SeriesOption: ParsableArguments {
  @Option(
    name: [.customLong("store"), .customLong("series")],
    help: .value(
      "store", "Use only this series: its name or ID, or the store's path, name or UUID."),
    completion: .series)
  var name: String?
}

/// The argument of `--archive-limit NAME=FACTOR`.
struct LimitArgument: Equatable {
  var group: ArchiveLimits.Group
  var factor: Double

  /// Parses `NAME=FACTOR`.
  ///
  /// - Throws: `ValidationError` for another form, an unknown name, or a factor that is not above 0
  ///   and at most 100.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' is not NAME=FACTOR. \(Self.names)")
    }
    guard let group = ArchiveLimits.Group(rawValue: String(parts[0])) else {
      let all = ArchiveLimits.Group.allCases.map(\.rawValue)
      let guess = SimilarName.nearest(to: String(parts[0]), among: all)
        .map { " Did you mean '\($0)'?" }
      throw ValidationError("Unknown limit '\(parts[0])'.\(guess ?? "") \(Self.names)")
    }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let factor = Double(parts[1]), factor > 0, factor <= ArchiveLimits.maxFactor
    else {
      throw ValidationError(
        "Invalid factor '\(parts[1])' for '\(group.rawValue)'. It must be a number above 0 and at "
          + "most \(Int(ArchiveLimits.maxFactor)). \(Self.names)")
    }
    (self.group, self.factor) = (group, factor)
  }

  /// The groups of limits, for messages.
  private static var names: String {
    "The limits are \(ArchiveLimits.Group.allCases.map(\.rawValue).joined(separator: ", "))."
  }
}
