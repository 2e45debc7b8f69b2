/// Finds the name that was probably meant.
package enum SimilarName {
  /// The name with the most similar spelling, ignoring case; nil if none is similar.
  package static func nearest(to text: String, among names: [String]) -> String? {
    let typed = text.lowercased()
    let distances = names.map { (name: $0, distance: distance(typed, $0.lowercased())) }
    let limit = max(2, typed.count / 3)
    return distances.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
  }

  /// The name with the most similar spelling, whatever the case; nil if none is similar.
  package static func nearest(to text: String, among names: [Name]) -> String? {
    nearest(to: text, among: names.map(\.text))
  }

  /// The number of letters to change, add, leave out or swap with the next to get from one word to the
  /// other.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    // Words far longer than any name here are not compared letter by letter.
    guard a.count <= 50 else { return a.count }
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
