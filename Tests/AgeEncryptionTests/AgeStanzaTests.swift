internal import Testing

@testable internal import AgeEncryption

/// The allowed stanzas; each is in an authenticated header, which an attacker can make too.
@Suite struct AgeStanzaTests {
  private func outcome(
    _ plain: [UInt8] = AgeSamples.plain, _ stanzas: (FileKey) throws -> [AgeStanza]
  ) throws -> AgeCoder.Outcome {
    let passphrase = try AgePassphrase(AgeSamples.passphrase)
    return AgeCoder.decrypt(
      try AgeCoder.file(plain, stanzas: stanzas),
      [try AgeIdentity(AgeSamples.firstKey), AgeIdentity(passphrase)])
  }

  private func genuine(_ key: FileKey) throws -> AgeStanza {
    try AgeRecipient(AgeSamples.firstRecipient).wrap(key)
  }

  private func genuineScrypt(_ key: FileKey) throws -> AgeStanza {
    try ScryptStanza.wrap(key, with: AgePassphrase(AgeSamples.passphrase), workFactor: 4)
  }

  @Test func unknownKindsAreSkipped() throws {
    let grease = AgeStanza(arguments: ["grease-Xyz", "a", "b"], body: AgeCoder.pattern(100))
    let outcome = try outcome { [grease, try genuine($0), grease] }
    #expect(outcome.error == nil)
    #expect(outcome.plain == AgeSamples.plain)
    // Names of types are case-sensitive.
    let upper = try self.outcome { key in
      var stanza = try genuine(key)
      stanza.arguments[0] = "x25519"
      return [stanza]
    }
    #expect(upper.error?.code == .noMatchingIdentity)
  }

  @Test func anX25519StanzaKeepsItsRules() throws {
    let changes: [(inout AgeStanza) -> Void] = [
      { $0.arguments.append("1234") }, { $0.arguments.removeLast() },
      { $0.arguments[1].removeLast(3) }, { $0.arguments[1] += "AAAA" }, { $0.arguments[1] += "=" },
      { $0.arguments[1] = String($0.arguments[1].dropLast()) + "B" },
      { $0.body.removeLast() }, { $0.body.append(0) }, { $0.body = [] },
    ]
    for (number, change) in changes.enumerated() {
      let outcome = try outcome { key in
        var stanza = try genuine(key)
        change(&stanza)
        return [stanza]
      }
      #expect(outcome.error?.code == .damaged, "change \(number)")
      #expect(outcome.plain.isEmpty)
    }
  }

  @Test func pointsOfLowOrderAreRefused() throws {
    // The zero point, one, and two of order 8, as RFC 7748 and its commentators list them.
    let points: [[UInt8]] = [
      [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
      [
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
        0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49,
        0xb8, 0x00,
      ],
      [
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
        0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f,
        0x11, 0x57,
      ],
    ]
    for point in points {
      let share = String(decoding: CanonicalBase64.encode(point), as: UTF8.self)
      let body = [UInt8](repeating: 1, count: 32)
      let outcome = try outcome { _ in [AgeStanza(arguments: ["X25519", share], body: body)] }
      #expect(outcome.error?.code == .damaged)
      // Nor is anything encrypted for such a recipient.
      let recipient = try AgeRecipient(Bech32.encode(prefix: "age", point))
      let error = #expect(throws: AgeError.self) { try AgeEncryptor(for: .recipients([recipient])) }
      #expect(error?.code == .invalidRecipient)
    }
  }

  @Test func aScryptStanzaKeepsItsRules() throws {
    #expect(try outcome { [try genuineScrypt($0)] }.plain == AgeSamples.plain)
    let factors = [
      "0", "04", "+4", "-4", "4 ", "0x4", "4.0", "4e1", "٤", "a",
      "23456789012345678901", "4\u{a0}",
    ]
    var changes: [(inout AgeStanza) -> Void] = [
      { $0.arguments.removeLast() }, { $0.arguments.append("x") },
      { $0.arguments[1].removeLast(2) }, { $0.arguments[1] += "AA" },
      { $0.arguments[1] = String($0.arguments[1].dropLast()) + "B" },
      { $0.body.removeLast() }, { $0.body.append(0) },
    ]
    for factor in factors { changes.append { $0.arguments[2] = factor } }
    for (number, change) in changes.enumerated() {
      let outcome = try outcome { key in
        var stanza = try genuineScrypt(key)
        change(&stanza)
        return [stanza]
      }
      #expect(outcome.error?.code == .damaged, "change \(number)")
      #expect(outcome.plain.isEmpty)
    }
  }

  @Test func aHugeWorkFactorCostsNothing() throws {
    for factor in ["23", "30", "63", "64", "999999999"] {
      let began = ContinuousClock.now
      let outcome = try outcome { key in
        var stanza = try genuineScrypt(key)
        stanza.arguments[2] = factor
        return [stanza]
      }
      #expect(outcome.error?.code == .unsupported)
      // Such a factor would take at least 16 seconds and 8 GiB.
      #expect(ContinuousClock.now - began < .seconds(10))
    }
  }

  @Test func aPassphraseStandsAlone() throws {
    let headers: [(FileKey) throws -> [AgeStanza]] = [
      { [try genuineScrypt($0), try genuine($0)] }, { [try genuine($0), try genuineScrypt($0)] },
      { [try genuineScrypt($0), try genuineScrypt($0)] },
      { [try genuineScrypt($0), AgeStanza(arguments: ["grease"], body: [])] },
    ]
    for stanzas in headers {
      #expect(try outcome(AgeSamples.plain, stanzas).error?.code == .damaged)
    }
  }

  @Test func aFileKeyHasSixteenBytes() throws {
    // A stanza whose body is of the right length holds 16 bytes; a longer one is refused before.
    let outcome = try outcome { key in
      var stanza = try genuine(key)
      stanza.body += [UInt8](repeating: 0, count: 16)
      return [stanza]
    }
    #expect(outcome.error?.code == .damaged)
  }

  @Test func aHeaderThatWasChangedIsNoticed() throws {
    let file = try AgeCoder.encrypt(AgeSamples.plain)
    let text = String(decoding: file[..<AgeCoder.headerSize(file)], as: UTF8.self)
    let rest = file[AgeCoder.headerSize(file)...]
    let more = text.replacing("\n---", with: "\n-> grease\n\n---")
    #expect(try AgeCoder.decrypt(Array(more.utf8) + rest).error?.code == .damaged)

    let two = AgeSamples.fileForTwo
    var lines = String(decoding: two[..<AgeCoder.headerSize(two)], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeSubrange(1...2)
    let less = Array(lines.joined(separator: "\n").utf8) + two[AgeCoder.headerSize(two)...]
    #expect(try AgeCoder.decrypt(two).error == nil)
    #expect(try AgeCoder.decrypt(less).error?.code == .damaged)
  }
}
