extension [Int64] {
  /// The positions of a longest strictly ascending subsequence, in order.
  package var longestAscent: [Int] {
    // For each length minus one, the end with the smallest value of the subsequences of that length.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: count)
    for (position, value) in enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var found: [Int] = []
    var next = ends.last ?? -1
    while next >= 0 {
      found.append(next)
      next = previous[next]
    }
    return found.reversed()
  }
}
