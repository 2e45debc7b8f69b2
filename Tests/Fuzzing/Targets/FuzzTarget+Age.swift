internal import AgeEncryption
internal import Foundation

extension FuzzTarget {
  private static let ageKey =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"
  private static let ageRecipient =
    "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7"

  /// A file that the program `age` wrote for the key.
  private static let ageFile = Data(
    base64Encoded: """
      YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBRZTk0a00wRDVINERrSXBzb2pYUmtlOFFWUU5r\
      RDFxZVJrOUR1NHBoWWdZCktncUhSNUNORjZXUlE1cHI5Y2QyZzUvTUpJM0ZCaU5UZTZSR3B4ZitQM2cK\
      LS0tIHl2OEVjaVpuaXhFNG9VdWYzMCtkUFNqalZjNHd5ems5S1dPRWNKcWp0MjgK/RV5VMC72n4ORCyC\
      aX5zXi6RFWW9AUQmybQ//vBuqjJ5aNoB2FKFz0lwlA054vDZ
      """
  ).map { Array($0) }

  private static let ageWords = [
    "age-encryption.org/v1\n", "-> X25519 ", "-> scrypt ", "-> ", "--- ", "\n", " 18\n",
    "-----BEGIN AGE ENCRYPTED FILE-----", "AGE-SECRET-KEY-1", "age1", "# ", "\r\n",
  ]

  /// Encrypted files and the texts of keys; an encrypted stream is the same in pieces of any size.
  static let age = FuzzTarget(
    "age", "a header is written as it was read; a stream is the same in pieces of any size",
    words: ageWords,
    seeds: {
      guard let file = ageFile else { throw BrokenLaw("the sample is no base64") }
      return [file, Array("# a key\n\(ageKey)\n".utf8), Array(ageRecipient.utf8)]
    }
  ) { input in
    if let header = try? AgeHeader(parsing: input) {
      try hold(header.encoded == input, "a header is written in another way than it was read")
    }
    _ = AgeFileForm(input)
    _ = try? AgeIdentityFile.identities(input)
    if let text = String(validating: input, as: UTF8.self) {
      _ = try? AgeRecipient(text)
      _ = try? AgeIdentity(text)
    }
    let identity = try AgeIdentity(ageKey)
    let whole = decrypted(input, pieces: max(1, input.count), identity)
    for size in [1, 7, 1000] {
      try hold(decrypted(input, pieces: size, identity) == whole, "pieces of \(size) differ")
    }
  }

  /// The plain bytes of a stream, and the error that ended it.
  private static func decrypted(
    _ input: [UInt8], pieces size: Int, _ identity: AgeIdentity
  ) -> (ContiguousArray<UInt8>, String?) {
    var decryptor = AgeDecryptor([identity])
    var plain = ContiguousArray<UInt8>()
    do {
      var start = 0
      while start < input.count {
        let piece = input[start..<min(input.count, start + size)]
        try unsafe piece.withUnsafeBytes { try unsafe decryptor.receive($0, into: &plain) }
        start += size
      }
      try decryptor.finish(into: &plain)
      return (plain, nil)
    } catch {
      return (plain, "\(error)")
    }
  }
}
