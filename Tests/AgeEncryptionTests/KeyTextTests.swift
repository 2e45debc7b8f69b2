internal import Testing

@testable internal import AgeEncryption

/// Recipients, identities and files of them, as texts.
@Suite struct KeyTextTests {
  @Test func anIdentityHasTheRecipientThatAgeNamed() throws {
    let first = try AgeIdentity(AgeSamples.firstKey)
    #expect(first.recipient?.description == AgeSamples.firstRecipient)
    #expect(try AgeRecipient(AgeSamples.firstRecipient) == first.recipient)
    #expect(try AgeIdentity(AgeSamples.secondKey) != first)
  }

  @Test(arguments: [
    "", "age1", "AGE1TEAUMV5E573RYKESPQM053DGLG7NS724KUS43R5QSN3HPNQAXSLQPEZME7",
    "Age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7",
    "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme8",
    " age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7",
    "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t", "age1pq1qqqq",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI", "A12UEL5L",
  ])
  func whatIsNoRecipientIsRefusedWithoutItsText(_ text: String) throws {
    let error = #expect(throws: AgeError.self) { try AgeRecipient(text) }
    #expect(error?.code == .invalidRecipient)
    if text.count > 4 { #expect(error?.detail.contains(text) == false) }
  }

  @Test func aSecretKeyIsNoRecipientAndNotRepeated() throws {
    for text in [AgeSamples.firstKey, AgeSamples.firstKey.lowercased(), "AGE-SECRET-KEY-1XYZ"] {
      let error = try #require(throws: AgeError.self) { try AgeRecipient(text) }
      #expect(error.code == .invalidRecipient)
      #expect(error.detail.contains("secret key"))
      #expect(!"\(error)".contains(text.dropFirst(15)))
    }
  }

  @Test func aFileHasCommentsEmptyLinesAndKeys() throws {
    let text = "# created: today\n\n\(AgeSamples.firstKey)\r\n#\n\(AgeSamples.secondKey)"
    let identities = try AgeIdentityFile.identities(Array(text.utf8))
    #expect(
      identities.map { $0.recipient?.description } == [
        AgeSamples.firstRecipient, AgeSamples.secondRecipient,
      ])
  }

  @Test(arguments: [
    ("", "no secret key"), ("# nothing\n\n", "no secret key"),
    ("age-encryption.org/v1\n-> scrypt", "passphrase"),
    ("-----BEGIN AGE ENCRYPTED FILE-----\n", "passphrase"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n", "SSH"),
    ("#\nAGE-PLUGIN-YUBIKEY-1QQQQ\n", "line 2 is a plugin identity"),
    ("age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7", "a recipient"),
    ("AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZEU", "line 1"),
    ("age-secret-key-1pc0n2uan2y5kgvpnd30hd6m0nhwf2emzj9ry2s7csrrl93myee0q7nxzet", "line 1"),
    (" AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET", "line 1"),
    ("hunter2", "line 1"), ("\u{0}\u{1}", "line 1"),
  ])
  func otherFilesAreRefusedWithTheLine(_ text: String, _ reason: String) throws {
    let error = try #require(throws: AgeError.self) {
      try AgeIdentityFile.identities(Array(text.utf8))
    }
    #expect(error.code == (reason == "passphrase" ? .protectedIdentity : .invalidIdentity))
    #expect(error.detail.contains(reason), "\(error.detail)")
    #expect(!"\(error)".uppercased().contains("PC0N2UAN2"))
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func aFileOfIdentitiesHasABound() {
    let bytes = [UInt8](repeating: 0x0a, count: AgeLimits.identityFileSize + 1)
    #expect(throws: AgeError.self) { try AgeIdentityFile.identities(bytes) }
  }

  @Test func passphrasesHaveBounds() throws {
    #expect(throws: AgeError.self) { try AgePassphrase([]) }
    let long = [UInt8](repeating: 0x61, count: AgeLimits.passphraseSize)
    _ = try AgePassphrase(long)
    #expect(throws: AgeError.self) { try AgePassphrase(long + [0x61]) }
  }

  @Test func secretsHaveNoText() throws {
    let passphrase = try AgePassphrase(AgeSamples.passphrase)
    for identity in [try AgeIdentity(AgeSamples.firstKey), AgeIdentity(passphrase)] {
      var dumped = ""
      dump(identity, to: &dumped)
      for text in ["\(identity)", String(reflecting: identity), dumped] {
        #expect(!text.contains("AGE-SECRET"))
        #expect(!text.contains("correct"))
        #expect(!text.contains("Key("), "\(text)")
      }
    }
  }
}
