internal import Testing

@testable internal import AgeEncryption

/// Files of the program `age`, and whom they open for.
@Suite struct AgeVectorTests {
  @Test(arguments: [AgeSamples.file, AgeSamples.fileForTwo, AgeSamples.fileForSSH])
  func filesOfAgeOpen(_ file: [UInt8]) throws {
    let outcome = try AgeCoder.decrypt(file)
    #expect(outcome.error == nil)
    #expect(outcome.plain == AgeSamples.plain)
    #expect(try AgeCoder.decryptBackwards(file).plain == AgeSamples.plain)
  }

  @Test func anEmptyFileOfAgeOpens() throws {
    let outcome = try AgeCoder.decrypt(AgeSamples.emptyFile)
    #expect(outcome.error == nil)
    #expect(outcome.plain.isEmpty)
  }

  @Test func aFileOfAgeWithAPassphraseOpens() throws {
    let passphrase = try AgePassphrase(AgeSamples.passphrase)
    let outcome = AgeCoder.decrypt(AgeSamples.passphraseFile, [AgeIdentity(passphrase)])
    #expect(outcome.error == nil)
    #expect(outcome.plain == AgeSamples.plain)
  }

  @Test func othersDoNotOpenIt() throws {
    let second = try AgeIdentity(AgeSamples.secondKey)
    let wrong = AgeIdentity(try AgePassphrase(Array("correct".utf8)))
    let first = try AgeIdentity(AgeSamples.firstKey)
    let short = try AgeCoder.encrypt(
      AgeSamples.plain, for: .passphrase(AgePassphrase(AgeSamples.passphrase)), workFactor: 4)
    for (file, identities, code) in [
      (AgeSamples.file, [second], AgeError.Code.noMatchingIdentity),
      (AgeSamples.file, [second, wrong], .noMatchingIdentity),
      (AgeSamples.file, [wrong], .noMatchingIdentity), (AgeSamples.file, [], .noMatchingIdentity),
      (short, [wrong], .wrongPassphrase), (short, [first, wrong], .wrongPassphrase),
      (short, [first], .noMatchingIdentity),
    ] {
      let outcome = AgeCoder.decrypt(file, identities)
      #expect(outcome.error?.code == code)
      #expect(outcome.plain.isEmpty)
    }
    #expect(AgeCoder.decrypt(AgeSamples.file, [second, wrong, first]).error == nil)
  }

  @Test func allRecipientsCanOpenIt() throws {
    let identities = [try AgeIdentity(AgeSamples.firstKey), try AgeIdentity(AgeSamples.secondKey)]
    let file = try AgeCoder.encrypt(
      AgeSamples.plain, for: .recipients(identities.compactMap(\.recipient)))
    for identity in identities {
      #expect(AgeCoder.decrypt(file, [identity]).plain == AgeSamples.plain)
    }
  }

  @Test func aPassphraseOpensWhatItEncrypted() throws {
    let passphrase = try AgePassphrase(AgeSamples.passphrase)
    let file = try AgeCoder.encrypt(AgeSamples.plain, for: .passphrase(passphrase), workFactor: 6)
    // A new passphrase: the first one caches its derived key.
    let again = try AgePassphrase(AgeSamples.passphrase)
    #expect(AgeCoder.decrypt(file, [AgeIdentity(again)]).plain == AgeSamples.plain)
    #expect(AgeCoder.decrypt(file, [AgeIdentity(again)]).plain == AgeSamples.plain)
  }

  @Test func theFormIsRecognizedByTheFirstBytes() {
    #expect(AgeFileForm(AgeSamples.file) == .binary)
    #expect(AgeFileForm(Array("age-encryption.org/v9".utf8)) == .binary)
    #expect(AgeFileForm(Array("age-enc".utf8)) == .binary)
    #expect(AgeFileForm(Array((AgeHeader.armor + "\nYWdl").utf8)) == .armored)
    for text in ["", "age", "age-encryptiom", "-----BEGIN", "-----BEGIN AGE ENCRYPTED FILM-----"] {
      #expect(AgeFileForm(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
