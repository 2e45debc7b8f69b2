/// A store so small that starting a program counts.
struct SmallSuite: Suite {
  let options: Options

  private static let objects = 10_000

  var title: String { "A store of \(Self.objects.grouped) objects" }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Small.sqlite", objects: Self.objects)
    let of = StoreCommands(bench: bench, store: store)
    let samples = try bench.run(
      [of.dumpGzip, of.export], rounds: max(options.pairs, 15), warmsUp: true)
    bench.remove(of)
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = StoreCommands(bench: .none, store: "")
    return [
      Row(
        "\(Self.objects.grouped) objects, export, wall, against `.dump | gzip -6`", .atMost(0.6),
        .times, samples.ratios(.wall, of.export.name, to: of.dumpGzip.name))
    ]
  }
}
