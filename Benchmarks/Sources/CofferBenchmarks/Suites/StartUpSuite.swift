/// What a program costs that has next to nothing to do.
struct StartUpSuite: Suite {
  let options: Options

  private static let version = "coffer --version"

  var title: String { "Start-up, and a store of ten objects" }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Ten.sqlite", objects: 10)
    let of = StoreCommands(bench: bench, store: store)
    let version = Command(name: Self.version, steps: [[bench.coffer, "--version"]])
    let samples = try bench.run(
      [version, of.export, of.dumpGzip], rounds: max(options.pairs, 30), warmsUp: true)
    bench.remove(of)
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = StoreCommands(bench: .none, store: "")
    return [
      Row(
        "start-up, `coffer --version`", nil, .milliseconds, samples.values(.wall, of: Self.version)),
      Row(
        "ten objects, export", nil, .milliseconds, samples.values(.wall, of: of.export.name)),
      Row(
        "ten objects, `.dump | gzip -6`, to compare", nil, .milliseconds,
        samples.values(.wall, of: of.dumpGzip.name)),
    ]
  }
}
