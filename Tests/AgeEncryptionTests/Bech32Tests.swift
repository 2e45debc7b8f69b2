internal import Testing

@testable internal import AgeEncryption

/// Bech32, with the vectors of BIP-173.
@Suite struct Bech32Tests {
  @Test(arguments: [
    "A12UEL5L", "a12uel5l",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
    "11\(String(repeating: "q", count: 82))c8247j",
    "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "?1ezyfcl",
  ])
  func validTextsAreDecodedAndEncodedAgain(_ text: String) throws {
    let (prefix, data) = try #require(Bech32.decode(text))
    #expect(Bech32.encode(prefix: prefix.lowercased(), data) == text.lowercased())
  }

  @Test(arguments: [
    "\u{20}1nwldj5", "\u{7f}1axkwrx", "\u{80}1eym55h", "pzry9x0s0muk", "1pzry9x0s0muk",
    "x1b4n0q5v", "li1dgmt3", "de1lg7wt\u{ff}", "A1G7SGD8", "10a06t8", "1qzzfhee", "", "1", "age1",
    // Mixed case, a changed letter, padding of ones.
    "A12uEL5L", "a12uel5k", "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3v",
  ])
  func everythingElseIsRefused(_ text: String) {
    #expect(Bech32.decode(text) == nil)
  }

  @Test(arguments: [
    ([0], false), ([0, 1], false), ([0, 4], true), ([0, 0, 0], false), ([], true),
  ])
  func paddingIsZeroAndShort(_ values: [UInt8], _ isValid: Bool) {
    let decoded = Bech32.decode(Bech32.encode(prefix: "age", values: values))
    #expect((decoded != nil) == isValid)
  }
}
