internal import ArgumentParser
internal import CofferKit

/// The encryption options for an archive that a command writes.
struct EncryptionOptions: ParsableArguments {
  @Option(
    name: .customLong("encrypt-to"),
    help: .value("age1…", "Encrypt for this age recipient; repeatable."))
  var recipients: [String] = []

  @Option(help: .value("file", "Encrypt with the passphrase in this file."), completion: .file())
  var passphraseFile: String?

  var isUsed: Bool { !recipients.isEmpty || passphraseFile != nil }

  func validate() throws {
    if !recipients.isEmpty, passphraseFile != nil {
      throw ValidationError("'--encrypt-to' and '--passphrase-file' cannot be combined.")
    }
    if let passphraseFile { try SecretFile.refuseSecret(passphraseFile, for: "--passphrase-file") }
    try Self.validate(recipients)
  }

  /// Refuses a value of `--encrypt-to` that is not an age recipient.
  static func validate(_ recipients: [String]) throws(ValidationError) {
    guard !recipients.isEmpty else { return }
    do {
      _ = try ArchiveEncryption(recipients: recipients)
    } catch {
      // The text itself is not printed because it may be a secret by mistake.
      let hint = error.hint.map { " \($0)" } ?? ""
      throw ValidationError("Invalid value for '--encrypt-to': \(error.detail).\(hint)")
    }
  }

  /// The encryption of the archive; nil for none.
  func encryption(_ session: Session) throws -> ArchiveEncryption? {
    if let passphraseFile {
      var files = SecretFile.Reader(session: session, isStandardInputTaken: false)
      return try ArchiveEncryption(passphrase: files.passphrase(passphraseFile))
    }
    return recipients.isEmpty ? nil : try ArchiveEncryption(recipients: recipients)
  }
}
