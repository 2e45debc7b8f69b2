/// Finds the paths of lines through the streets of a drawing: between columns, and between the
/// boxes of a column.
///
/// A street between two columns is a channel; channel `c` is left of column `c`. A street across a
/// column is a gap; gap `p` is above its box `p`, and the last gap is below all boxes. So no path
/// crosses a box.
struct DiagramRouter {
  /// A point that paths pass.
  struct Junction: Hashable {
    enum Place: Hashable {
      /// The end of the gap of a column.
      case gap(column: Int, place: Int)
      /// A line of a box, or its heading.
      case port(box: Int, offset: Int)
    }

    let channel: Int
    let place: Place
  }

  private let junctions: [Junction]
  private let numbers: [Junction: Int]
  private var neighbours: [[(to: Int, cost: Int)]]
  /// The number of paths through each gap: busy gaps are avoided.
  private var loads: [Int: Int] = [:]

  /// Builds the streets.
  ///
  /// - Parameters:
  ///   - heights: the height of each junction; junctions of one channel are connected in its order.
  ///   - widths: the widths of the columns.
  init(heights: [Junction: Int], widths: [Int]) {
    let sorted = heights.sorted { one, other in
      (one.key.channel, one.value, Self.rank(one.key.place))
        < (other.key.channel, other.value, Self.rank(other.key.place))
    }
    junctions = sorted.map(\.key)
    var numbers: [Junction: Int] = [:]
    for (number, junction) in junctions.enumerated() { numbers[junction] = number }
    self.numbers = numbers
    var neighbours = [[(to: Int, cost: Int)]](repeating: [], count: junctions.count)
    for number in junctions.indices.dropFirst()
    where junctions[number - 1].channel == junctions[number].channel {
      let length = sorted[number].value - sorted[number - 1].value
      neighbours[number].append((number - 1, length))
      neighbours[number - 1].append((number, length))
    }
    for (number, junction) in junctions.enumerated() {
      guard case .gap(let column, _) = junction.place, column == junction.channel,
        let across = numbers[Junction(channel: column + 1, place: junction.place)]
      else { continue }
      // Every turn makes a path harder to follow.
      let length = widths[column] + 160
      neighbours[number].append((across, length))
      neighbours[across].append((number, length))
    }
    self.neighbours = neighbours
  }

  private static func rank(_ place: Junction.Place) -> Int {
    switch place {
    case .gap(let column, let place): (column * 4096 + place) * 2
    case .port(let box, let offset): (box * 65_536 + offset) * 2 + 1
    }
  }

  /// The shortest path from one of some junctions to one of others; empty if there is none.
  mutating func way(from starts: [Junction], to ends: [Junction]) -> [Junction] {
    let targets = Set(ends.compactMap { numbers[$0] })
    var distances = [Int](repeating: .max, count: junctions.count)
    var previous = [Int](repeating: -1, count: junctions.count)
    var heap = DiagramHeap()
    for start in starts.compactMap({ numbers[$0] }) {
      distances[start] = 0
      heap.insert(0, start)
    }
    while let (distance, number) = heap.removeLeast() {
      guard distance == distances[number] else { continue }
      if targets.contains(number) { return finish(number, previous) }
      for (next, cost) in neighbours[number] {
        let isCrossing = junctions[next].channel != junctions[number].channel
        let load = isCrossing ? loads[min(number, next), default: 0] * 24 : 0
        let total = distance + cost + load
        if total < distances[next] {
          distances[next] = total
          previous[next] = number
          heap.insert(total, next)
        }
      }
    }
    return []
  }

  private mutating func finish(_ end: Int, _ previous: [Int]) -> [Junction] {
    var numbers = [end]
    var number = end
    while previous[number] >= 0 {
      let before = previous[number]
      if junctions[before].channel != junctions[number].channel {
        loads[min(before, number), default: 0] += 1
      }
      number = before
      numbers.append(number)
    }
    return numbers.reversed().map { junctions[$0] }
  }
}

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
