internal import CoreDataArchive
internal import StoreGenerator
internal import Testing

/// Texts as bytes, against the standard library.
@Suite struct UTF8TextTests {
  /// The first and last byte of each range in table 3-7 of the Unicode standard.
  private static let boundaries: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  @Test func everySequenceOfOneOrTwoBytesIsJudgedAsTheLibraryDoes() {
    #expect(isValid([]))
    for first in UInt8.min...UInt8.max {
      #expect(isValid([first]) == isText([first]))
      for second in UInt8.min...UInt8.max
      where isValid([first, second]) != isText([first, second]) {
        Issue.record("\(first), \(second)")
      }
    }
  }

  @Test func everySequenceOfThreeBytesBeyondASCIIIsJudgedAsTheLibraryDoes() {
    for first in UInt8(0xC0)...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for third in Self.boundaries {
          let bytes = [first, second, third]
          if isValid(bytes) != isText(bytes) { Issue.record("\(bytes)") }
        }
      }
    }
  }

  @Test func boundarySequencesOfFourBytesAreJudgedAsTheLibraryDoes() {
    for first in Self.boundaries where first >= 0x80 {
      for second in Self.boundaries {
        for third in Self.boundaries {
          for fourth in Self.boundaries {
            let bytes = [first, second, third, fourth]
            if isValid(bytes) != isText(bytes) { Issue.record("\(bytes)") }
          }
        }
      }
    }
  }

  /// The position of a sequence in a word of eight bytes must not matter, nor the bytes after it.
  @Test(arguments: 0..<18, [0, 1, 7, 8, 9]) func thePlaceOfASequenceDoesNotMatter(
    _ before: Int, _ behind: Int
  ) {
    let sequences: [[UInt8]] = [
      [], [0x7F], [0x80], [0xC2, 0x80], [0xC1, 0xBF], [0xDF], [0xE0, 0x9F, 0xBF],
      [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBF], [0xE2, 0x82],
      [0xF0, 0x90, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x94],
    ]
    for first in sequences {
      for second in sequences {
        let text = [UInt8](repeating: 0x61, count: before) + first + second
        let bytes = text + [UInt8](repeating: 0x62, count: behind)
        #expect(isValid(bytes) == isText(bytes), "\(bytes)")
      }
    }
  }

  @Test(arguments: 0..<40) func theLengthIsThatOfUTF16(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<50 {
      let characters = ["a", "\u{0}", "é", "\u{7FF}", "€", "\u{FFFF}", "🔥", "\u{10FFFF}"]
      let text = (0..<count).map { _ in characters[random.below(characters.count)] }.joined()
      let length = unsafe Array(text.utf8).withUnsafeBytes { unsafe UTF8Text.utf16Count($0) }
      #expect(length == text.utf16.count, "\(text)")
    }
  }

  private func isValid(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe UTF8Text.isValid($0) }
  }

  private func isText(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}
