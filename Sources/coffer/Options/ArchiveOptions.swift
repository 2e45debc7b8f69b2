internal import ArgumentParser
internal import CofferKit

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
  /// - Parameters:
  ///   - session: prints a warning about a key file that others can read.
  ///   - archive: the input of the command. If it is `-`, a key cannot come from standard input.
  ///   - model: the options that name the model of the input; nil if the command has none.
  /// - Returns: the environment.
  /// - Throws: errors from reading the files named in the options.
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
  ///
  /// - Parameters:
  ///   - path: its address.
  ///   - session: receives the progress and warnings.
  ///   - model: the options that name the model of a store; nil if the command has none.
  /// - Returns: the vault, with the environment of the command.
  /// - Throws: errors from opening it, and from reading the files named in the options.
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
