/// The columns of a drawing with their boxes, and the paths of lines between them.
struct DiagramStreets {
  /// One end of a path.
  enum End {
    /// A line of a box, reached from the left or the right.
    case port(box: Int, offset: Int)
    /// The center of the lower edge of a box.
    case below(box: Int)
    /// The center of the upper edge of a box.
    case above(box: Int)
  }

  /// The path of a line: its junctions; none if it goes straight down from one box to the next.
  struct Way {
    let start: End
    let end: End
    /// The space next to the boxes for the signs at the start and at the end.
    let reach: (start: Int, end: Int)
    let junctions: [DiagramRouter.Junction]
  }

  let placement: DiagramPlacement
  let boxes: [DiagramBox]
  /// The boxes of each column from top to bottom.
  let stacks: [[Int]]
  /// The position of each box in its column.
  let places: [Int]

  init(_ placement: DiagramPlacement, _ boxes: [DiagramBox]) {
    self.placement = placement
    self.boxes = boxes
    var stacks = [[Int]](repeating: [], count: placement.columnCount)
    var places = [Int](repeating: 0, count: boxes.count)
    for box in placement.order {
      places[box] = stacks[placement.columns[box]].count
      stacks[placement.columns[box]].append(box)
    }
    self.stacks = stacks
    self.places = places
  }

  var columnWidths: [Int] { stacks.map { $0.map { boxes[$0].width }.max() ?? 0 } }

  /// The paths of all lines, followed by the paths of inheritance.
  mutating func ways(of lines: [DiagramPlan.Line], children: [(Int, Int)]) -> [Way] {
    let ends =
      lines.map { line in
        (
          End.port(box: line.start.box, offset: line.start.offset),
          End.port(box: line.end.box, offset: line.end.offset),
          (line.startSign?.reach ?? 0, line.endSign?.reach ?? 0)
        )
      } + children.map { (End.below(box: $0.0), End.above(box: $0.1), (0, 0)) }
    var router = router(ends: ends.flatMap { [$0.0, $0.1] })
    return ends.map { start, end, reach in
      if case .below(let parent) = start, case .above(let child) = end, isNext(parent, child) {
        return Way(start: start, end: end, reach: reach, junctions: [])
      }
      let junctions = router.way(from: self.junctions(of: start), to: self.junctions(of: end))
      return Way(start: start, end: end, reach: reach, junctions: junctions)
    }
  }

  private func isNext(_ parent: Int, _ child: Int) -> Bool {
    placement.columns[parent] == placement.columns[child] && places[parent] + 1 == places[child]
  }

  private func junctions(of end: End) -> [DiagramRouter.Junction] {
    let place: DiagramRouter.Junction.Place
    let column: Int
    switch end {
    case .port(let box, let offset):
      column = placement.columns[box]
      place = .port(box: box, offset: offset)
    case .below(let box):
      column = placement.columns[box]
      place = .gap(column: column, place: places[box] + 1)
    case .above(let box):
      column = placement.columns[box]
      place = .gap(column: column, place: places[box])
    }
    return [column, column + 1].map { .init(channel: $0, place: place) }
  }

  private func router(ends: [End]) -> DiagramRouter {
    let tops = placement.tops { _, _ in DiagramPlacement.rowGap }
    var heights: [DiagramRouter.Junction: Int] = [:]
    for (column, stack) in stacks.enumerated() {
      for place in 0...stack.count {
        let height =
          place < stack.count
          ? tops[stack[place]] - DiagramPlacement.rowGap / 2
          : (stack.last.map { tops[$0] + boxes[$0].height } ?? 0) + DiagramPlacement.rowGap / 2
        for channel in [column, column + 1] {
          heights[.init(channel: channel, place: .gap(column: column, place: place))] = height
        }
      }
    }
    for case .port(let box, let offset) in ends {
      for junction in junctions(of: .port(box: box, offset: offset)) {
        heights[junction] = tops[box] + offset
      }
    }
    return DiagramRouter(heights: heights, widths: columnWidths)
  }
}
