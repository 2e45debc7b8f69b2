/// Assigns each line of a drawing a lane in each street, and each box its final place: streets are
/// as wide as their lanes require.
struct DiagramLanes {
  /// A part of a path along a channel.
  private struct Run {
    let way: Int
    let channel: Int
    let first: DiagramRouter.Junction
    let last: DiagramRouter.Junction
    var lane = 0
  }

  /// A gap of a column.
  private struct Gap: Hashable {
    let column: Int
    let place: Int
  }

  private let streets: DiagramStreets
  private let ways: [DiagramStreets.Way]
  /// The runs of each path in order.
  private var runs: [[Run]] = []
  /// The lanes of a gap, by path; a path uses a gap once.
  private var gapLanes: [Gap: [Int: Int]] = [:]
  private var laneCounts: [Int] = []
  private var channelStarts: [Int] = []
  /// The space for signs in each channel, between its lanes and the columns.
  private var stubs: [(left: Int, right: Int)] = []
  private var tops: [Int] = []
  private(set) var frames: [DiagramLayout.Frame] = []
  private(set) var width = 0
  private(set) var height = 0

  init(_ streets: DiagramStreets, _ ways: [DiagramStreets.Way]) {
    self.streets = streets
    self.ways = ways
    runs = ways.enumerated().map { Self.runs(of: $1.junctions, way: $0) }
    shareGaps()
    tops = streets.placement.tops { column, place in
      let gap = Gap(column: column, place: place)
      // Above a column, only the margin must be kept free.
      guard place == 0 else { return gapHeight(gap) }
      return gapLanes[gap] == nil ? DiagramLayout.margin : gapHeight(gap) + Self.edge
    }
    shareChannels()
    putBoxes()
  }

  private static func runs(of junctions: [DiagramRouter.Junction], way: Int) -> [Run] {
    var runs: [Run] = []
    var first: DiagramRouter.Junction?
    for (position, junction) in junctions.enumerated() {
      let start = first ?? junction
      first = start
      let next = position + 1 < junctions.count ? junctions[position + 1] : nil
      if next?.channel != junction.channel {
        runs.append(Run(way: way, channel: junction.channel, first: start, last: junction))
        first = nil
      }
    }
    return runs
  }

  // MARK: Gaps

  private static let gapMargin = 14
  private static let edge = 6

  private func gapHeight(_ gap: Gap) -> Int {
    let lanes = gapLanes[gap]?.count ?? 0
    return max(
      DiagramPlacement.rowGap, 2 * Self.gapMargin + max(0, lanes - 1) * DiagramLayout.laneGap)
  }

  /// Assigns lanes in gaps: a path from or to the top gets a higher one.
  private mutating func shareGaps() {
    let tops = streets.placement.tops { _, _ in DiagramPlacement.rowGap }
    func height(_ junction: DiagramRouter.Junction) -> Int {
      switch junction.place {
      case .port(let box, let offset): return tops[box] + offset
      case .gap(let column, let place):
        let stack = streets.stacks[column]
        if place < stack.count { return tops[stack[place]] - DiagramPlacement.rowGap / 2 }
        return stack.last.map { tops[$0] + streets.boxes[$0].height + 17 } ?? 0
      }
    }
    var wishes: [Gap: [(way: Int, height: Int)]] = [:]
    for (way, runs) in runs.enumerated() {
      for (position, run) in runs.enumerated() {
        var gaps: [Gap] = []
        if position == 0, let gap = Self.gap(run.first) { gaps.append(gap) }
        if let gap = Self.gap(run.last), gap != gaps.first { gaps.append(gap) }
        for gap in gaps {
          let before = height(run.first) + height(run.last)
          let after = position + 1 < runs.count ? height(runs[position + 1].last) : 0
          wishes[gap, default: []].append((way, before + after))
        }
      }
    }
    for (gap, wishes) in wishes {
      let sorted = wishes.sorted { ($0.height, $0.way) < ($1.height, $1.way) }
      for (lane, wish) in sorted.enumerated() { gapLanes[gap, default: [:]][wish.way] = lane }
    }
  }

  private static func gap(_ junction: DiagramRouter.Junction) -> Gap? {
    guard case .gap(let column, let place) = junction.place else { return nil }
    return Gap(column: column, place: place)
  }

  /// The height of a path where it passes a junction.
  private func height(_ junction: DiagramRouter.Junction, _ way: Int) -> Int {
    switch junction.place {
    case .port(let box, let offset): return tops[box] + offset
    case .gap(let column, let place):
      let gap = Gap(column: column, place: place)
      let stack = streets.stacks[column]
      let lane = (gapLanes[gap]?[way] ?? 0) * DiagramLayout.laneGap
      // There may be more space than required if a superentity pushes the box down.
      if place < stack.count {
        return tops[stack[place]] - gapHeight(gap) + Self.gapMargin + lane
      }
      let bottom = stack.last.map { tops[$0] + streets.boxes[$0].height } ?? 0
      return bottom + Self.gapMargin + lane
    }
  }

  // MARK: Channels

  /// Assigns lanes in channels: a path that turns left at both ends is on the left, the shortest
  /// outermost.
  private mutating func shareChannels() {
    let channels = streets.stacks.count + 1
    laneCounts = [Int](repeating: 0, count: channels)
    var places = [[(Int, Int)]](repeating: [], count: channels)
    for (way, runs) in runs.enumerated() {
      for (position, run) in runs.enumerated() { places[run.channel].append((way, position)) }
    }
    for (channel, members) in places.enumerated() {
      var groups: [[(Int, Int)]] = [[], [], []]
      for (way, position) in members {
        let run = runs[way][position]
        let sides = [run.first, run.last].map { side($0, channel: channel) }
        groups[sides == [-1, -1] ? 0 : sides == [1, 1] ? 2 : 1].append((way, position))
      }
      var used = 0
      for (group, members) in groups.enumerated() {
        let count = share(members, from: used, reversed: group == 2)
        used += count
      }
      laneCounts[channel] = used
    }
  }

  /// Whether a path leaves a channel to its left (-1) or right (1) at a junction.
  private func side(_ junction: DiagramRouter.Junction, channel: Int) -> Int {
    let column =
      switch junction.place {
      case .gap(let column, _): column
      case .port(let box, _): streets.placement.columns[box]
      }
    return column < channel ? -1 : 1
  }

  /// Assigns lanes to runs so that runs in one lane do not touch, and returns the number of lanes.
  private mutating func share(_ members: [(Int, Int)], from start: Int, reversed: Bool) -> Int {
    let spans = members.map { way, position in
      let run = runs[way][position]
      let (one, other) = (height(run.first, way), height(run.last, way))
      return (way: way, position: position, top: min(one, other), bottom: max(one, other))
    }.sorted {
      ($0.bottom - $0.top, $0.top, $0.way, $0.position)
        < ($1.bottom - $1.top, $1.top, $1.way, $1.position)
    }
    var lanes: [[(top: Int, bottom: Int)]] = []
    var chosen: [Int] = []
    for span in spans {
      let free = lanes.firstIndex { lane in
        lane.allSatisfy { $0.bottom + 6 < span.top || span.bottom + 6 < $0.top }
      }
      let lane = free ?? lanes.count
      if free == nil { lanes.append([]) }
      lanes[lane].append((span.top, span.bottom))
      chosen.append(lane)
    }
    for (span, lane) in zip(spans, chosen) {
      runs[span.way][span.position].lane = start + (reversed ? lanes.count - 1 - lane : lane)
    }
    return lanes.count
  }

  // MARK: Places

  /// Measures the signs at the ends of lines.
  private mutating func measureStubs() {
    let least = DiagramLayout.stub
    stubs = [(left: Int, right: Int)](repeating: (least, least), count: laneCounts.count)
    for (way, runs) in zip(ways, runs) {
      for (run, end, reach) in [
        (runs.first, way.start, way.reach.start), (runs.last, way.end, way.reach.end),
      ] {
        guard let run, case .port(let box, _) = end else { continue }
        if run.channel == streets.placement.columns[box] {
          stubs[run.channel].right = max(stubs[run.channel].right, reach)
        } else {
          stubs[run.channel].left = max(stubs[run.channel].left, reach)
        }
      }
    }
  }

  private mutating func putBoxes() {
    measureStubs()
    let widths = streets.columnWidths
    var x = DiagramLayout.margin
    var columnStarts: [Int] = []
    for (channel, count) in laneCounts.enumerated() {
      channelStarts.append(x)
      let lanes = max(0, count - 1) * DiagramLayout.laneGap
      let (left, right) = stubs[channel]
      if channel == 0 {
        x += count == 0 ? 0 : lanes + right
      } else if channel == laneCounts.count - 1 {
        x += count == 0 ? 0 : left + lanes
      } else {
        x += max(left + lanes + right, 40)
      }
      if channel < widths.count {
        columnStarts.append(x)
        x += widths[channel]
      }
    }
    width = x + DiagramLayout.margin
    frames = streets.boxes.enumerated().map { number, box in
      let column = streets.placement.columns[number]
      return .init(
        x: columnStarts[column], y: tops[number], width: widths[column], height: box.height)
    }
    var bottom = 0
    for (column, stack) in streets.stacks.enumerated() {
      guard let last = stack.last else { continue }
      let below = gapLanes[Gap(column: column, place: stack.count)]?.isEmpty ?? true
      let gap = Gap(column: column, place: stack.count)
      bottom = max(bottom, tops[last] + streets.boxes[last].height + (below ? 0 : gapHeight(gap)))
    }
    height = bottom + DiagramLayout.margin
  }

  private func x(of run: Run) -> Int {
    let start = channelStarts[run.channel]
    let stub = run.channel == 0 ? 0 : stubs[run.channel].left
    return start + stub + run.lane * DiagramLayout.laneGap
  }

  /// The corners of a path.
  func path(of way: Int) -> DiagramLayout.Path {
    var points: [DiagramLayout.Point] = []
    func add(_ x: Int, _ y: Int) {
      let point = DiagramLayout.Point(x: x, y: y)
      if points.last != point { points.append(point) }
    }
    let runs = runs[way]
    func addEnd(_ end: DiagramStreets.End, _ run: Run?, isStart: Bool) {
      switch end {
      case .port(let box, let offset):
        let frame = frames[box]
        let isLeft = run.map { $0.channel == streets.placement.columns[box] } ?? true
        add(isLeft ? frame.x : frame.x + frame.width, frame.y + offset)
      case .below(let box), .above(let box):
        let frame = frames[box]
        let x = frame.x + frame.width / 2
        var edge = frame.y
        if case .below = end { edge += frame.height }
        let street = run.map { height(isStart ? $0.first : $0.last, way) } ?? edge
        for y in isStart ? [edge, street] : [street, edge] { add(x, y) }
      }
    }
    addEnd(ways[way].start, runs.first, isStart: true)
    for run in runs {
      add(x(of: run), height(run.first, way))
      add(x(of: run), height(run.last, way))
    }
    addEnd(ways[way].end, runs.last, isStart: false)
    return .init(points: points)
  }
}
