internal import AgeEncryption
internal import Foundation
internal import TestSupport
internal import Testing

/// Encrypted archives on the command line.
@Suite struct EncryptionTests {
  static let key = "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"
  static let recipient = "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7"
  static let otherKey =
    "AGE-SECRET-KEY-1DRESGZY8Y79P0JL94URWPA6VD9QHXGWH5ETP2E96DEX2GEQ97RDSV083RJ"
  static let otherRecipient = "age1x4dsly0cyvhxp4fxmuzq7m6gxl8gmskc8f2kqp64f6uq8y00hsnqq79d2d"
  static let passphrase = "correct horse battery staple"

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    for (name, text) in [
      ("key", "# public key: \(Self.recipient)\n\(Self.key)\n"), ("other", Self.otherKey),
      ("pass", Self.passphrase + "\n"), ("wrong", "wrong\n"), ("none", "\n"),
    ] {
      _ = try sandbox.directory.write(text.utf8, to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.file(name))
    }
  }

  /// Runs a script and expects no secret in its output.
  private func run(
    _ script: String, location: SourceLocation = #_sourceLocation
  ) throws -> ProcessResult {
    let result = try sandbox.shell(
      "R=\(Self.recipient); O=\(Self.otherRecipient); K=\(Self.key)\n\(script)")
    for secret in [Self.key, Self.otherKey, Self.passphrase] {
      for text in [result.output, result.errorOutput] {
        let holdsSecret = text.uppercased().contains(secret.uppercased().suffix(20))
        #expect(!holdsSecret, sourceLocation: location)
      }
    }
    return result
  }

  private func expectError(
    _ script: String, _ status: Int32, _ code: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    for options in ["", " --json"] {
      let result = try run(script + options, location: location)
      #expect(result.status == status, "\(script)", sourceLocation: location)
      #expect(result.output == "", sourceLocation: location)
      if options.isEmpty {
        #expect(result.errorOutput.contains("Error: "), sourceLocation: location)
      } else {
        #expect(
          result.errorOutput.contains("\"code\":\"\(code)\""), "\(result.errorOutput)",
          sourceLocation: location)
      }
    }
  }

  /// Makes an archive with the passphrase that is opened in no time.
  private func makeCheapArchive(_ name: String) throws {
    #expect(try run("coffer export -q Todo.sqlite plain").status == 0)
    let bytes = try #require(sandbox.bytes("plain"))
    let passphrase = try AgePassphrase(Array(Self.passphrase.utf8))
    var encryptor = try AgeEncryptor(for: .passphrase(passphrase), workFactor: 4)
    var output = ContiguousArray<UInt8>()
    unsafe bytes.withUnsafeBytes { unsafe encryptor.append($0, into: &output) }
    encryptor.finish(into: &output)
    _ = try sandbox.directory.write(output, to: name)
  }

  @Test func aPipeCarriesAnEncryptedArchive() throws {
    let result = try run(
      """
      coffer export -q Todo.sqlite - --encrypt-to $R | tee a.age \
        | coffer import -q - Copy.sqlite --identity key && coffer diff -q Todo.sqlite Copy.sqlite
      """)
    #expect(result.status == 0, "\(result.errorOutput)")
    let bytes = try #require(sandbox.bytes("a.age"))
    #expect(bytes.starts(with: Data("age-encryption.org/v1\n-> X25519 ".utf8)))
  }

  @Test func everyCommandReadsIt() throws {
    let export = "coffer export -q Todo.sqlite a.age --encrypt-to $O --encrypt-to $R"
    #expect(try run(export).status == 0)
    for (script, text) in [
      ("coffer import a.age Copy.sqlite --identity key", "Imported"),
      ("coffer verify a.age --identity other --identity key", "a.age: archive"),
      ("coffer verify - --identity other < a.age", "standard input: archive"),
      ("coffer verify a.age --against a.age --identity key", "a.age: archive"),
      ("coffer verify Todo.sqlite --model a.age --identity key", "Todo.sqlite: store"),
      ("coffer inspect a.age --identity key", "encrypted"),
      ("coffer inspect a.age --identity key --json", "\"encrypted\":true"),
      ("coffer diff a.age Todo.sqlite --identity key", "are the same"),
      ("coffer diff Copy.sqlite a.age --identity other", "are the same"),
    ] {
      let result = try run(script)
      #expect(result.status == 0, "\(script): \(result.errorOutput)")
      #expect(result.output.contains(text), "\(script): \(result.output)")
      #expect(result.errorOutput == "")
    }
  }

  @Test func aPassphraseComesFromAFileOrAPipe() throws {
    // In debug builds a passphrase of ours takes seconds.
    try makeCheapArchive("cheap.age")
    let result = try run(
      """
      coffer export -q Todo.sqlite a.age --passphrase-file pass || exit 90
      coffer diff -q a.age Todo.sqlite --passphrase-file pass || exit 91
      cp cheap.age a.age
      coffer inspect -q a.age --passphrase-file pass || exit 95
      coffer verify -q - --passphrase-file /dev/fd/3 < a.age 3< pass || exit 92
      mkfifo pipe && { printf '\(Self.passphrase)' > pipe & }
      coffer import -q a.age Copy.sqlite --passphrase-file pipe || exit 93
      coffer diff -q a.age Todo.sqlite --passphrase-file - < pass || exit 94
      """)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  @Test func digestsDoNotDependOnEncryption() throws {
    let result = try run(
      """
      for options in "" "--encrypt-to $R" "--encrypt-to $R"; do
        coffer export Todo.sqlite a --force $options | grep digest; cksum < a >> sums
      done
      """)
    let digests = result.output.split(separator: "\n")
    // The root digest and the content digest, three times.
    #expect(digests.count == 6)
    #expect(Set(digests).count == 2)
    let sums = String(decoding: try #require(sandbox.bytes("sums")), as: UTF8.self)
    #expect(Set(sums.split(separator: "\n")).count == 3)
  }

  @Test func whatCannotBeOpenedIs15() throws {
    _ = try run("coffer export -q Todo.sqlite a --encrypt-to $R")
    try makeCheapArchive("p")
    for (options, archive, code) in [
      ("", "a", "encrypted-archive"), ("--identity other", "a", "no-matching-identity"),
      ("--passphrase-file pass", "a", "no-matching-identity"),
      ("--passphrase-file wrong", "p", "wrong-passphrase"),
      ("--identity key", "p", "no-matching-identity"),
    ] {
      for command in [
        "import \(archive) Copy.sqlite", "verify \(archive)", "inspect \(archive)",
        "diff \(archive) Todo.sqlite", "import - Copy.sqlite",
      ] {
        let input = command.hasPrefix("import -") ? " < \(archive)" : ""
        try expectError("coffer \(command) \(options)\(input)", 15, code)
      }
    }
    #expect(try sandbox.added().contains("Copy.sqlite") == false)
    let hint = try run("coffer inspect a").errorOutput
    let text = "\nHint: Use --identity FILE or --passphrase-file FILE."
    #expect(hint.contains(text))
  }

  @Test func whatIsCutOrChangedIs12() throws {
    _ = try run("coffer export -q Todo.sqlite a --encrypt-to $R")
    let bytes = try #require(sandbox.bytes("a"))
    for length in [100, 210, bytes.count / 2, bytes.count - 1] {
      _ = try sandbox.directory.write(bytes.prefix(length), to: "cut")
      for command in ["import cut Copy.sqlite", "verify cut", "inspect cut"] {
        let result = try run("coffer \(command) --identity key")
        #expect(result.status == 12, "\(length): \(result.errorOutput)")
      }
      #expect(try run("coffer import - Copy.sqlite --identity key < cut").status == 12)
    }
    var changed = bytes
    changed[bytes.count / 2] ^= 1
    _ = try sandbox.directory.write(changed, to: "changed")
    #expect(try run("coffer import changed Copy.sqlite --identity key").status == 12)
    #expect(try sandbox.added().contains("Copy.sqlite") == false)
  }

  @Test func encryptedFilesOfOtherKindsAre10() throws {
    guard let age = ProcessRunner.find("age") else { return }
    _ = try run("\(age) -r $R -o s.age Todo.sqlite; \(age) -a -r $R -o armored.age Todo.sqlite")
    try expectError("coffer import s.age Copy.sqlite --identity key", 10, "not-an-archive")
    try expectError("coffer verify s.age --identity key", 10, "not-an-archive")
    try expectError("coffer verify armored.age --identity key", 15, "unsupported-encryption")
    try expectError("coffer export s.age a", 10, "not-a-core-data-store")
  }

  @Test(arguments: [
    ("coffer export Todo.sqlite a --encrypt-to $R --passphrase-file pass", "cannot be combined"),
    ("coffer export Todo.sqlite a --encrypt-to age1nonsense", "not a complete age recipient"),
    ("coffer export Todo.sqlite a --encrypt-to $K", "secret key"),
    ("coffer export Todo.sqlite a --encrypt-to=$K", "secret key"),
    ("coffer export Todo.sqlite a --encrypt-too $K", "Unknown option '--encrypt-too'"),
    ("coffer export Todo.sqlite a $K", "'AGE-SECRET-KEY-…'"),
    ("coffer $K", "'AGE-SECRET-KEY-…'"), ("coffer verify a --identity $K", "not the key itself"),
    ("coffer verify a --passphrase-file $K", "not the key itself"),
    ("coffer verify a --identity=$K", "not the key itself"),
    ("coffer verify --identity", "Missing value"),
  ])
  func wrongUsageIs64AndRepeatsNoKey(_ script: String, _ text: String) throws {
    for options in ["", " --json"] {
      let result = try run(script + options)
      #expect(result.status == 64, "\(script)")
      #expect(result.errorOutput.contains(text), "\(result.errorOutput)")
    }
    #expect(try sandbox.added().contains("a") == false)
  }

  @Test func aKeyThatIsNoFileIsNotRepeated() throws {
    // Not even if it means something else.
    for command in ["export $K a", "verify $K", "inspect $K", "diff $K a"] {
      #expect(try run("coffer \(command)").status == 10)
    }
    let result = try run("coffer verify a --passphrase-file '\(Self.passphrase)'")
    #expect(result.status == 10)
    #expect(result.errorOutput.contains("the file given with --passphrase-file: no such file"))
  }

  @Test func filesThatHoldNoSecretAre10() throws {
    _ = try run("coffer export -q Todo.sqlite a --encrypt-to $R")
    try expectError("coffer verify a --identity missing", 10, "not-found")
    try expectError("coffer verify a --identity pass", 10, "invalid-identity")
    try expectError("coffer verify a --identity Todo.sqlite", 10, "invalid-identity")
    try expectError("coffer verify a --passphrase-file none", 10, "invalid-passphrase")
    for file in ["none", "/dev/null"] {
      let script = "coffer export Todo.sqlite b --passphrase-file \(file)"
      try expectError(script, 10, "invalid-passphrase")
    }
    try expectError("coffer verify - --identity - < key", 15, "refused")
    #expect(try sandbox.added().contains("b") == false)
  }

  @Test func filesThatOthersCanReadAreNamed() throws {
    _ = try run("coffer export -q Todo.sqlite a --encrypt-to $R && chmod 644 key")
    let result = try run("coffer inspect a --identity key")
    #expect(result.status == 0)
    #expect(result.errorOutput == "Warning: key: other users of this computer can read this file\n")
    let json = try run("coffer inspect a --identity key --json")
    #expect(json.errorOutput.hasPrefix("{\"type\":\"warning\",\"code\":\"readable-secret\","))
    #expect(try run("chmod 600 key; coffer inspect -q a --identity key").errorOutput == "")
  }

  @Test func keysAreNoMatterWhereNothingIsEncrypted() throws {
    let result = try run(
      """
      coffer export -q Todo.sqlite a || exit 90
      coffer verify -q a --identity key || exit 91
      coffer verify -q Todo.sqlite --identity key || exit 92
      coffer import -q - Copy.sqlite --identity key < a || exit 93
      """)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput == "")
  }

  @Test func theHintHasTheEnding() throws {
    guard let script = ProcessRunner.find("script") else { return }
    let result = try run(
      "\(script) -qec \"$COFFER_UNDER_TEST export Todo.sqlite - --encrypt-to $R\" /dev/null")
    #expect(result.output.contains("NAME.coffer.tar.gz.age"), "\(result.output)")
  }
}
