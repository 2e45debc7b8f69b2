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
        of.dumpGzip, of.export, of.zstdExport, of.fastExport, of.fastZstdExport, of.dumpPigz,
        of.dumpZstd, of.scan, of.uncompressedExport, of.load, of.restore, of.zstdLoad,
        of.zstdRestore,
        of.integrityCheck, of.verifyStore, of.testDump, of.verifyArchive,
      ], rounds: options.pairs, warmsUp: options.mainObjects <= 100_000)
    try bench.requireSameRows(of.restore.product, as: store)
    try bench.requireSameRows(of.zstdRestore.product, as: store)
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
      faster("export, gzip, wall, against `.dump | gzip -6`", 3.4, of.export, of.dumpGzip),
      atMost("the same, processor time", 0.4, .times, .processor, of.export, of.dumpGzip),
      Row(
        "the same, size of dump.gz", nil, .percent,
        samples.ratios(.size, of.export.name, to: of.dumpGzip.name)),
      faster("export, zstd, wall, against `.dump | gzip -6`", 5, of.zstdExport, of.dumpGzip),
      Row(
        "the same, size of dump.gz", nil, .percent,
        samples.ratios(.size, of.zstdExport.name, to: of.dumpGzip.name)),
      faster("export `--fast`, gzip, wall, against the same", 5.5, of.fastExport, of.dumpGzip),
      faster("export `--fast`, zstd, wall, against the same", 6.5, of.fastZstdExport, of.dumpGzip),
      faster("export, gzip, wall, against `.dump | pigz -6`", 2.2, of.export, of.dumpPigz),
      faster("export, zstd, wall, against `.dump | zstd -3 -T0`", 2, of.zstdExport, of.dumpZstd),
      atMost(
        "rows to JSON, level 0 into a pipe, processor time, against a bare scan", 2.5, .times,
        .processor, of.uncompressedExport, of.scan),
      faster("import, gzip, wall, against `gzip -dc dump.gz | sqlite3`", 3, of.restore, of.load),
      faster(
        "import, zstd, wall, against `zstd -dc dump.zst | sqlite3`", 3, of.zstdRestore, of.zstdLoad),
      atMost(
        "verify of a store, wall, against `PRAGMA integrity_check`", 0.3, .times, .wall,
        of.verifyStore, of.integrityCheck),
      atMost(
        "verify of an archive, wall, against `gzip -t dump.gz`", 0.6, .times, .wall,
        of.verifyArchive, of.testDump),
    ]
  }
}
