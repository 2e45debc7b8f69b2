/// Numbers by distance, nearest first; equal distances by ascending number.
struct DiagramHeap {
  private var items: [(distance: Int, number: Int)] = []

  mutating func insert(_ distance: Int, _ number: Int) {
    items.append((distance, number))
    var child = items.count - 1
    while child > 0, items[child] < items[(child - 1) / 2] {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeLeast() -> (distance: Int, number: Int)? {
    guard let least = items.first, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return least }
    items[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child] < items[smallest] {
        smallest = child
      }
      guard smallest != parent else { return least }
      items.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
