/// The column of each box in a drawing, and the order of the boxes.
///
/// The boxes have one order for the whole drawing, in which a superentity comes before its
/// subentities. Each box is placed as high as its column and its superentity allow. So no
/// arrangement of columns contradicts itself, and moving a box never makes two boxes overlap.
struct DiagramPlacement: Sendable {
  /// What to place.
  struct Content: Sendable {
    /// The widths and heights of the boxes.
    let sizes: [(width: Int, height: Int)]
    /// The superentity of each box.
    let parents: [Int?]
    /// The pairs of boxes that a line connects.
    let lines: [(Int, Int)]
  }

  /// The approximate space between two columns, and between two boxes of a column.
  static let columnGap = 110
  static let rowGap = 34

  /// The maximum number of boxes and lines for which lines are shortened: a second's work.
  private static let stepLimit = 30_000_000

  let content: Content
  let columnCount: Int
  /// The column of each box.
  private(set) var columns: [Int]
  /// All boxes, in the order of placement.
  private(set) var order: [Int] = []
  private var columnWidth: Int

  /// Places boxes.
  init(_ content: Content) {
    self.content = content
    let count = content.sizes.count
    columns = [Int](repeating: 0, count: count)
    let widths = content.sizes.map(\.width)
    columnWidth = (widths.reduce(0, +) / max(1, count)) * 11 / 10 + Self.columnGap
    columnCount = Self.columnCount(content, columnWidth)
    place()
    improve()
  }

  /// A number of columns that makes the drawing about one and a half times as wide as high.
  private static func columnCount(_ content: Content, _ width: Int) -> Int {
    let total = content.sizes.reduce(0) { $0 + $1.height + rowGap }
    let tallest = content.sizes.map(\.height).max() ?? 0
    var best = (count: 1, misfit: Double.infinity)
    for count in 1...max(1, min(content.sizes.count, 40)) {
      let height = Double(max(tallest, total / count * 23 / 20))
      let ratio = Double(count * width) / max(1, height)
      let misfit = max(ratio / 1.5, 1.5 / max(ratio, 0.001))
      if misfit < best.misfit { best = (count, misfit) }
    }
    return best.count
  }

  // MARK: The first arrangement

  /// Places one box after another, beginning with boxes with most lines to placed boxes, each in the
  /// column with the shortest lines.
  private mutating func place() {
    var neighbours = [[Int]](repeating: [], count: columns.count)
    for (one, other) in content.lines where one != other {
      neighbours[one].append(other)
      neighbours[other].append(one)
    }
    var bottoms = [Int](repeating: 0, count: columnCount)
    var middles = [Int?](repeating: nil, count: columns.count)
    for component in components(neighbours) {
      var waiting = component
      while let next = next(of: waiting, neighbours, middles) {
        waiting.removeAll { $0 == next }
        let placed = neighbours[next].compactMap { other in middles[other].map { (other, $0) } }
        let height = content.sizes[next].height
        let floor =
          content.parents[next].flatMap { parent in
            middles[parent].map { $0 + content.sizes[parent].height / 2 }
          } ?? 0
        let costs = bottoms.indices.map { column in
          let middle = max(bottoms[column], floor) + height / 2
          let lines = placed.reduce(0) { sum, other in
            sum + abs(column - columns[other.0]) * columnWidth + abs(middle - other.1)
          }
          return 2 * middle + lines / max(1, placed.count)
        }
        let column = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        columns[next] = column
        order.append(next)
        let top = max(bottoms[column], floor)
        middles[next] = top + height / 2
        bottoms[column] = top + height + Self.rowGap
      }
    }
  }

  /// The next box to place: its superentity is placed, and it has most lines to placed boxes.
  private func next(of waiting: [Int], _ neighbours: [[Int]], _ middles: [Int?]) -> Int? {
    let free = waiting.filter { box in content.parents[box].map { middles[$0] != nil } ?? true }
    // A model that inherits from itself was refused before; the remaining boxes are placed in any
    // order.
    return (free.isEmpty ? waiting : free).max { one, other in
      func rank(_ box: Int) -> (Int, Int) {
        (neighbours[box].count { middles[$0] != nil }, neighbours[box].count)
      }
      return rank(one) < rank(other) || (rank(one) == rank(other) && one > other)
    }
  }

  /// The boxes in connected groups, the largest group first.
  private func components(_ neighbours: [[Int]]) -> [[Int]] {
    var seen = Set<Int>()
    var groups: [[Int]] = []
    for start in columns.indices where seen.insert(start).inserted {
      var group = [start]
      var position = 0
      while position < group.count {
        for other in neighbours[group[position]] where seen.insert(other).inserted {
          group.append(other)
        }
        position += 1
      }
      groups.append(group.sorted())
    }
    return groups.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }

  // MARK: Improving

  /// The tops of the boxes, if every gap of a column has its minimum height.
  func tops(gap: (_ column: Int, _ place: Int) -> Int) -> [Int] {
    var tops = [Int](repeating: 0, count: columns.count)
    var bottoms = [Int](repeating: 0, count: columnCount)
    var places = [Int](repeating: 0, count: columnCount)
    for box in order {
      let column = columns[box]
      let room = gap(column, places[column])
      var top = bottoms[column] + room
      if let parent = content.parents[box] {
        top = max(top, tops[parent] + content.sizes[parent].height + room)
      }
      tops[box] = top
      places[column] += 1
      bottoms[column] = top + content.sizes[box].height
    }
    return tops
  }

  private func cost() -> Int {
    let tops = tops { _, _ in Self.rowGap }
    var bottom = 0
    for box in order { bottom = max(bottom, tops[box] + content.sizes[box].height) }
    var total = bottom * (2 + content.lines.count / 8)
    for (one, other) in content.lines where one != other {
      total += abs(columns[one] - columns[other]) * columnWidth
      // The vertical distance between the nearest points of two boxes.
      let above = tops[one] + content.sizes[one].height - tops[other]
      let below = tops[other] + content.sizes[other].height - tops[one]
      total += max(0, -above, -below) * 2
      total += abs(2 * tops[one] - 2 * tops[other]) / 8
    }
    return total
  }

  /// Exchanges boxes and moves them to other columns while the lines get shorter.
  private mutating func improve() {
    let count = order.count
    guard count > 2 else { return }
    // With many boxes, only neighbors change places, and only for a number of rounds, so the time
    // is bounded.
    let reach = count <= 90 ? count : max(1, 8000 / count)
    var best = cost()
    var steps = Self.stepLimit
    for _ in 0..<8 {
      let before = best
      for first in 0..<count {
        steps -= (columnCount + reach) * (count + content.lines.count)
        guard steps > 0 else { return }
        for column in 0..<columnCount {
          attempt(&best) { $0.columns[$0.order[first]] = column }
        }
        for second in (first + 1)..<max(first + 1, min(count, first + reach)) {
          attempt(&best) { placement in
            let (one, other) = (placement.order[first], placement.order[second])
            placement.order.swapAt(first, second)
            placement.columns.swapAt(one, other)
          }
        }
      }
      if best >= before { return }
    }
  }

  private mutating func attempt(_ best: inout Int, _ change: (inout Self) -> Void) {
    let (oldOrder, oldColumns) = (order, columns)
    change(&self)
    if isOrdered {
      let cost = cost()
      if cost < best {
        best = cost
        return
      }
    }
    (order, columns) = (oldOrder, oldColumns)
  }

  /// Whether every superentity comes before its subentities.
  private var isOrdered: Bool {
    var places = [Int](repeating: 0, count: order.count)
    for (place, box) in order.enumerated() { places[box] = place }
    return content.parents.enumerated().allSatisfy { box, parent in
      parent.map { places[$0] < places[box] } ?? true
    }
  }
}
