internal import Testing

@testable internal import AgeEncryption

/// What a header may be, line by line.
@Suite struct AgeHeaderTests {
  private static let code = String(repeating: "A", count: 42) + "A"
  private static let introduction = "age-encryption.org/v1\n"

  private static func header(_ lines: String...) -> String {
    introduction + lines.map { $0 + "\n" }.joined() + "--- \(code)\n"
  }

  private func parse(_ text: String) throws(AgeError) -> AgeHeader {
    try AgeHeader(parsing: Array(text.utf8))
  }

  @Test func stanzasAreReadAndWrittenAlike() throws {
    let full = String(repeating: "A", count: 64)
    for lines in [
      ["-> X ~!\"#", ""], ["-> empty", ""], ["-> short a b c", "AAAA"],
      ["-> full", full, ""], ["-> more", full, full, "AAA"], ["-> one", "", "-> two", "AA"],
    ] {
      let text = Self.introduction + lines.map { $0 + "\n" }.joined() + "--- \(Self.code)\n"
      let header = try parse(text)
      #expect(String(decoding: header.encoded, as: UTF8.self) == text)
      #expect(String(decoding: header.authenticated, as: UTF8.self).hasSuffix("\n---"))
    }
  }

  @Test(arguments: [
    "", "\n", "age-encryption.org/v1", "age-encryption.org/v1\n",
    // No stanza; a carriage return; spaces.
    header(), header("-> X\r", ""), header("-> X", "AAAA\r"), header("-> X ", ""),
    header("->  X", ""), header("-> X  a", ""), header(" -> X", ""), header("->X", ""),
    header("-> ", ""), header("->", ""), header("- X", ""), header("-> X\u{7f}", ""),
    header("-> é", ""), header("-> a\tb", ""),
    // A body that is missing, too wide, padded, not canonical, of other letters.
    header("-> X"), header("-> X", String(repeating: "A", count: 64)),
    header("-> X", String(repeating: "A", count: 65)),
    header("-> X", String(repeating: "A", count: 68), ""),
    header("-> X", "AAAA", "AAAA"), header("-> X", "AA=="), header("-> X", "AAA="),
    header("-> X", "AB"), header("-> X", "AAB"), header("-> X", "A"), header("-> X", "AAAAA"),
    header("-> X", "AA A"), header("-> X", "A-_A"), header("-> X", " AAAA"), header("-> X", "", ""),
    // The last line.
    introduction + "-> X\n\n---\n", introduction + "-> X\n\n--- \n",
    introduction + "-> X\n\n---\(code)\n", introduction + "-> X\n\n---  \(code)\n",
    introduction + "-> X\n\n--- \(code) \n", introduction + "-> X\n\n--- \(code)\r\n",
    introduction + "-> X\n\n--- \(code)=\n", introduction + "-> X\n\n--- \(code.dropLast())B\n",
    introduction + "-> X\n\n--- \(code.dropLast())\n", introduction + "-> X\n\n--- \(code)AAA\n",
    introduction + "-> X\n\n--- \(code)", introduction + "-> X\n\n--- \(code)\n\n",
    // A passphrase in addition to other recipients.
    header("-> scrypt a 1", "", "-> X25519 a", ""), header("-> X", "", "-> scrypt a 1", ""),
    header("-> scrypt a 1", "", "-> scrypt a 1", ""),
    // The first line.
    "age-encryption.org/v1 \n-> X\n\n--- \(code)\n", "Age-encryption.org/v1\n-> X\n\n--- \(code)\n",
    " age-encryption.org/v1\n-> X\n\n--- \(code)\n",
    "age-encryption.org/v1\r\n-> X\n\n--- \(code)\n",
  ])
  func whatBreaksTheRulesIsRefused(_ text: String) throws {
    let error = try #require(throws: AgeError.self) { try parse(text) }
    #expect([.damaged, .unsupported].contains(error.code))
  }

  @Test func anotherVersionIsNamed() throws {
    let text = Self.header("-> X", "").replacing("/v1", with: "/v2")
    let error = try #require(throws: AgeError.self) { try parse(text) }
    #expect(error.code == .unsupported)
  }

  @Test func aHeaderHasABound() throws {
    let endless = Self.introduction + String(repeating: "-> X\n\n", count: 100_000)
    for text in [endless, String(repeating: "a", count: 1 << 20)] {
      let outcome = try AgeCoder.decrypt(Array(text.utf8), pieces: 1000)
      #expect(outcome.error?.code == .damaged)
      #expect(outcome.error?.detail.contains("longer than") == true)
    }
  }

  @Test func theMostRecipientsFit() throws {
    let recipient = try AgeRecipient(AgeSamples.firstRecipient)
    for count in [0, AgeLimits.recipientCount + 1] {
      #expect(throws: AgeError.self) {
        try AgeEncryptor(for: .recipients(Array(repeating: recipient, count: count)))
      }
    }
    #expect(AgeLimits.recipientCount * 110 < AgeLimits.headerSize)
  }
}
