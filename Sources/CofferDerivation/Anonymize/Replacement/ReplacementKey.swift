internal import Crypto
internal import Foundation

/// The secret key of one share, which determines all replacements; it is never written.
struct ReplacementKey: Sendable {
  /// The purpose of a code, so that codes for one purpose reveal nothing about another.
  enum Purpose: UInt8 {
    case text, uuid, blob, number, dates, original, output
  }

  private let key: SymmetricKey

  /// Makes a new key of 256 bits.
  init() { key = SymmetricKey(size: .bits256) }

  /// The code of bytes (HMAC-SHA256), another one for each purpose and attempt.
  func code(_ bytes: [UInt8], _ purpose: Purpose, attempt: Int = 0) -> [UInt8] {
    var hmac = HMAC<SHA256>(key: key)
    hmac.update(data: [purpose.rawValue] + Self.bytes(of: attempt))
    hmac.update(data: bytes)
    return Array(hmac.finalize())
  }

  fileprivate static func bytes(of number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// An endless sequence of bytes derived from a code.
struct ReplacementBytes {
  private let key: SymmetricKey
  private var block: [UInt8]
  private var position = 0
  private var number = 0

  init(_ code: [UInt8]) {
    key = SymmetricKey(data: code)
    block = code
  }

  mutating func next() -> UInt8 {
    if position == block.count {
      number += 1
      block = Array(
        HMAC<SHA256>.authenticationCode(for: ReplacementKey.bytes(of: number), using: key))
      position = 0
    }
    defer { position += 1 }
    return block[position]
  }

  /// A number below a limit of at most 256.
  mutating func next(below count: Int) -> Int { Int(next()) % max(1, count) }
}
