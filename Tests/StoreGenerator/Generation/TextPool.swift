/// Running text in several languages, from which texts of any length are cut without copying.
///
/// Words follow Zipf's law. A text is lent as bytes of the pool: it begins at a word and ends at a
/// whole scalar, so that it is valid UTF-8.
@safe final class TextPool {
  private let bytes: UnsafeMutableRawBufferPointer
  /// Where words begin, by language, as offsets in the pool.
  private let starts: [ContiguousArray<UInt32>]
  /// The end of each language's text.
  private let ends: [Int]
  /// The language for each hundredth.
  private let languageByShare: [Int]

  /// Makes a pool of about the given number of bytes.
  init(size: Int, random: inout SeededGenerator) {
    var text: [UInt8] = []
    text.reserveCapacity(size + size / 4)
    var starts: [ContiguousArray<UInt32>] = []
    var ends: [Int] = []
    var languageByShare: [Int] = []
    for (index, language) in Language.all.enumerated() {
      languageByShare += Array(repeating: index, count: language.share)
      // No language has so little text that its values repeat all the time.
      let target = text.count + max(size * language.share / 100, size / 20)
      starts.append(Self.write(language, until: target, to: &text, random: &random))
      ends.append(text.count)
    }
    self.starts = starts
    self.ends = ends
    self.languageByShare = languageByShare
    unsafe bytes = .allocate(byteCount: text.count, alignment: 1)
    unsafe bytes.copyBytes(from: text)
  }

  deinit { unsafe bytes.deallocate() }

  /// A text of about the given number of bytes; never empty.
  func take(_ count: Int, _ random: inout SeededGenerator) -> UnsafeRawBufferPointer {
    let language = languageByShare[random.below(languageByShare.count)]
    let starts = starts[language]
    let start = Int(starts[random.below(starts.count)])
    var end = min(start + max(count, 1), ends[language])
    while end < ends[language], unsafe bytes[end] & 0xc0 == 0x80 { end += 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  private static func write(
    _ language: Language, until target: Int, to text: inout [UInt8],
    random: inout SeededGenerator
  ) -> ContiguousArray<UInt32> {
    let words = vocabulary(language, &random)
    var starts: ContiguousArray<UInt32> = []
    while text.count < target {
      for position in 0..<(4 + random.below(15)) {
        if position > 0 { text += language.glue.utf8 }
        starts.append(UInt32(text.count))
        // The inverse of Zipf's distribution: rank r about as often as 1 / r.
        let rank = Int(Double(words.count).power(random.unit())) - 1
        let word = words[min(max(rank, 0), words.count - 1)]
        text += position == 0 ? Array(word.capitalizedFirst.utf8) : Array(word.utf8)
      }
      text += random.chance(0.08) ? "\n".utf8.map { $0 } : Array(language.end.utf8)
    }
    // The last words are too close to the end to be cut from.
    return ContiguousArray(starts.prefix { Int($0) < max(target - 8192, 0) || $0 == starts[0] })
  }

  private static func vocabulary(
    _ language: Language, _ random: inout SeededGenerator
  ) -> [String] {
    let rare = (0..<2000).map { _ in
      (0...random.below(3)).map { _ in
        language.syllables[random.below(language.syllables.count)]
      }.joined()
    }
    return language.words + rare
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
