/// How memory and time grow with the store: coffer alone, on a large one and one of a million objects or, if
/// that is less, a 5.2th.
struct LargeSuite: Suite {
  let options: Options

  private var large: Int { options.largeObjects }
  private var base: Int { min(1_000_000, options.largeObjects * 10 / 52) }

  var title: String { "Stores of \(large.grouped) and \(base.grouped) objects" }

  func measure(_ bench: Workbench) throws -> Samples {
    let both = commands(bench)
    _ = try bench.makeStore("Base.sqlite", objects: base)
    _ = try bench.makeStore("Large.sqlite", objects: large)
    let commands = zip(steps(both.base), steps(both.large)).flatMap { [$0.command, $1.command] }
    let samples = try bench.run(commands, rounds: options.largePairs, warmsUp: false)
    try bench.requireSameRows(both.large.restore.product, as: both.large.store)
    bench.remove(both.base)
    bench.remove(both.large)
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let both = commands(.none)
    let pairs = zip(steps(both.large), steps(both.base))
    let size = "\((Double(large) / 1e6).fixed(1))M"
    let ratio = "\(size)/\((Double(base) / 1e6).fixed(1))M"
    return pairs.map { large, _ in
      Row(
        "peak memory at \(size), \(large.name)", .atMost(64 * 1_048_576), .mebibytes,
        samples.values(.memory, of: large.command.name))
    }
      + pairs.map { large, base in
        Row(
          "peak memory, \(ratio), \(large.name)", .atMost(1.15), .times,
          samples.ratios(.memory, large.command.name, to: base.command.name))
      }
      + pairs.map { large, base in
        Row(
          "time an object, \(ratio), \(large.name)", .atMost(1.1), .times,
          perObject(samples.ratios(.wall, large.command.name, to: base.command.name)))
      }
      + pairs.map { large, base in
        Row(
          "processor time an object, \(ratio), \(large.name)", .atMost(1.1), .times,
          perObject(samples.ratios(.processor, large.command.name, to: base.command.name)))
      }
  }

  /// Ratios of whole stores as those of an object.
  private func perObject(_ ratios: [Double]) -> [Double] {
    ratios.map { $0 * Double(base) / Double(large) }
  }

  private func commands(_ bench: Workbench) -> (large: StoreCommands, base: StoreCommands) {
    (
      StoreCommands(bench: bench, store: bench.file("Large.sqlite"), suffix: "large"),
      StoreCommands(bench: bench, store: bench.file("Base.sqlite"), suffix: "base")
    )
  }

  private func steps(_ of: StoreCommands) -> [(name: String, command: Command)] {
    [
      ("export", of.export), ("import", of.restore), ("verify of a store", of.verifyStore),
      ("verify of an archive", of.verifyArchive),
    ]
  }
}
