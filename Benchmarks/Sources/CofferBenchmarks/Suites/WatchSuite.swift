internal import Foundation

/// How soon a watch shows what another program has committed.
struct WatchSuite: Suite {
  let options: Options

  private static let counts = [1, 1000]

  var title: String { "A watched store of \(options.mainObjects.grouped) objects" }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Watched.sqlite", objects: options.mainObjects)
    let watch = try RunningWatch(bench.coffer, store)
    defer {
      watch.end()
      FileTools.remove(store)
    }
    var samples = Samples()
    for round in 1...options.pairs {
      for count in Self.counts {
        bench.progress("round \(round) of \(options.pairs): watch, \(count) objects")
        _ = try bench.prepare(Command.editing(store, visits: count).steps[0])
        let wall = try watch.secondsUntilShown(count)
        samples.add(
          Measurement(wall: wall, processor: 0, memory: 0, size: 0), to: Self.name(count))
      }
    }
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    zip(Self.counts, [0.3, 0.15]).map { count, goal in
      Row(
        "watch, \(count.grouped) objects all over the store, from the commit to their lines",
        .atMost(goal), .milliseconds, samples.values(.wall, of: Self.name(count)))
    }
  }

  private static func name(_ count: Int) -> String { "coffer watch, \(count)" }
}

/// A watch that runs beside the commits.
private final class RunningWatch {
  private let process = Process()
  private let output = Pipe()
  private let messages = Pipe()

  /// Starts a watch, and waits until it has seen the store.
  init(_ coffer: String, _ store: String) throws {
    process.executableURL = URL(fileURLWithPath: coffer)
    process.arguments = ["watch", store]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    try wait(forLines: 1, of: messages) { $0.hasPrefix("Watching") }
  }

  /// Waits for the lines of updated objects.
  func secondsUntilShown(_ count: Int) throws -> Double {
    let start = ContinuousClock.now
    try wait(forLines: count, of: output) { $0.hasPrefix("~") }
    return start.duration(to: .now) / .seconds(1)
  }

  private func wait(forLines count: Int, of pipe: Pipe, _ isCounted: (Substring) -> Bool) throws {
    var (found, rest) = (0, "")
    while found < count {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { throw BenchmarkError("coffer watch has ended") }
      let lines = (rest + String(decoding: data, as: UTF8.self))
        .split(separator: "\n", omittingEmptySubsequences: false)
      rest = String(lines.last ?? "")
      found += lines.dropLast().count(where: isCounted)
    }
  }

  /// Ends the watch.
  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}
