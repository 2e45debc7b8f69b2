/// The difference between two texts, word by word.
///
/// The cost is bounded: if too much differs, everything between the first and the last differing
/// word counts as different.
struct WordDifference {
  /// A piece of a text.
  struct Piece: Equatable {
    var text: String
    /// Whether the other text contains it, too.
    var isCommon: Bool
  }

  /// The first text in pieces, alternately common and different.
  let old: [Piece]
  /// The second text in pieces, alternately common and different.
  let new: [Piece]

  /// The maximum number of insertions and deletions to look for.
  private static let maxEdits = 200

  init(_ old: String, _ new: String) {
    let (left, right) = (Self.words(old), Self.words(new))
    let most = min(left.count, right.count)
    var start = 0
    while start < most, left[start].hasSameBytes(as: right[start]) { start += 1 }
    var end = 0
    while end < most - start,
      left[left.count - 1 - end].hasSameBytes(as: right[right.count - 1 - end])
    {
      end += 1
    }
    let middles = (left[start..<(left.count - end)], right[start..<(right.count - end)])
    let pairs = Self.common(Array(middles.0), Array(middles.1))
    let ofLeft = Set(0..<start).union((left.count - end)..<left.count)
      .union(pairs.map { $0.0 + start })
    let ofRight = Set(0..<start).union((right.count - end)..<right.count)
      .union(pairs.map { $0.1 + start })
    self.old = Self.pieces(left, ofLeft)
    self.new = Self.pieces(right, ofRight)
  }

  /// The words of a text, and everything between them one character at a time.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      var end = text.index(after: start)
      if isInWord(text[start]) {
        while end < text.endIndex, isInWord(text[end]) { end = text.index(after: end) }
      }
      words.append(text[start..<end])
      start = end
    }
    return words
  }

  private static func isInWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }

  private static func pieces(_ words: [Substring], _ common: Set<Int>) -> [Piece] {
    var pieces: [Piece] = []
    for (index, word) in words.enumerated() {
      let isCommon = common.contains(index)
      if pieces.last?.isCommon == isCommon {
        pieces[pieces.count - 1].text += word
      } else {
        pieces.append(Piece(text: String(word), isCommon: isCommon))
      }
    }
    return pieces
  }

  /// The positions of common words, by the algorithm of Myers; none if too much differs.
  private static func common(_ left: [Substring], _ right: [Substring]) -> [(Int, Int)] {
    let limit = min(left.count + right.count, maxEdits)
    var furthest = [Int](repeating: 0, count: 2 * limit + 3)
    let middle = limit + 1
    var trace: [[Int]] = []
    for edits in 0...limit {
      trace.append(furthest)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let isDown =
          diagonal == -edits
          || (diagonal != edits
            && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1])
        var x = isDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
        var y = x - diagonal
        while x < left.count, y >= 0, y < right.count, left[x].hasSameBytes(as: right[y]) {
          (x, y) = (x + 1, y + 1)
        }
        furthest[middle + diagonal] = x
        if x >= left.count, y >= right.count {
          return way(trace, left.count, right.count, middle)
        }
      }
    }
    return []
  }

  /// The common words along the shortest path, from its end.
  private static func way(
    _ trace: [[Int]], _ leftCount: Int, _ rightCount: Int, _ middle: Int
  ) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    var (x, y) = (leftCount, rightCount)
    for (edits, furthest) in trace.enumerated().reversed() {
      let diagonal = x - y
      let isDown =
        diagonal == -edits
        || (diagonal != edits && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1])
      let before = isDown ? diagonal + 1 : diagonal - 1
      let startX = edits == 0 ? 0 : furthest[middle + before]
      let startY = edits == 0 ? 0 : startX - before
      while x > startX, y > startY {
        (x, y) = (x - 1, y - 1)
        pairs.append((x, y))
      }
      (x, y) = (startX, startY)
    }
    return pairs
  }
}

extension Substring {
  /// Whether two texts have the same UTF-8 bytes.
  fileprivate func hasSameBytes(as other: Substring) -> Bool { utf8.elementsEqual(other.utf8) }
}
