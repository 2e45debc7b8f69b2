/// Every command against what it is compared with, on one store that is large enough for start-up not
/// to matter.
struct MainSuite: Suite {
  let options: Options

  var title: String {
    options.store.map { "The store \($0)" }
      ?? "A store of \(options.mainObjects.grouped) objects"
  }

  func measure(_ bench: Workbench) throws -> Samples {
    let store: String
    if let given = options.store {
      store = try bench.copyStore(given, as: "Main.sqlite")
    } else {
      store = try bench.makeStore("Main.sqlite", objects: options.mainObjects)
    }
    let of = StoreCommands(bench: bench, store: store)
    let samples = try bench.run(
      [
        of.dumpGzip, of.export, of.dumpPigz, of.fastExport, of.scan, of.uncompressedExport, of.load,
        of.restore, of.integrityCheck, of.verifyStore, of.testDump, of.verifyArchive,
      ], rounds: options.pairs, warmsUp: options.mainObjects <= 100_000)
    try bench.requireSameRows(of.restore.product, as: store)
    try bench.requireSameRows(of.load.product, as: store)
    bench.remove(of)
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = StoreCommands(bench: .none, store: "")
    func faster(_ what: String, _ goal: Double, _ command: Command, _ peer: Command) -> Row {
      Row(
        what, .atLeast(goal), .timesFaster, samples.ratios(.wall, peer.name, to: command.name))
    }
    func atMost(
      _ what: String, _ goal: Double, _ unit: Unit, _ cost: Cost, _ command: Command,
      _ peer: Command
    ) -> Row {
      Row(what, .atMost(goal), unit, samples.ratios(cost, command.name, to: peer.name))
    }
    return [
      faster("export, default level, wall, against `.dump | gzip -6`", 3, of.export, of.dumpGzip),
      atMost("the same, processor time", 0.5, .times, .processor, of.export, of.dumpGzip),
      faster("the same, wall, against `.dump | pigz -6`", 1.8, of.export, of.dumpPigz),
      faster(
        "export, fastest level, wall, against `.dump | gzip -6`", 6, of.fastExport, of.dumpGzip),
      atMost(
        "archive size, default level, of dump.gz", 0.98, .percent, .size, of.export, of.dumpGzip),
      atMost(
        "row to JSON, not compressed, processor time, against a bare scan", 2, .times, .processor,
        of.uncompressedExport, of.scan),
      faster("import, wall, against `gzip -dc dump.gz | sqlite3`", 3, of.restore, of.load),
      atMost(
        "verify of a store, wall, against `PRAGMA integrity_check`", 0.5, .times, .wall,
        of.verifyStore, of.integrityCheck),
      atMost(
        "verify of an archive, wall, against `gzip -t dump.gz`", 1, .times, .wall, of.verifyArchive,
        of.testDump),
    ]
  }
}
