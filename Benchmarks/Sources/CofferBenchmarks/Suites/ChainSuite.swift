/// A vault with a long chain of backups: what one more costs, and what it costs to read the newest.
struct ChainSuite: Suite {
  let options: Options

  /// The backups of changes before the rounds, each of which adds one.
  private static let length = 24

  private var objects: Int { options.mainObjects }
  private var changed: Int { objects / 1000 }

  var title: String {
    "A vault of a store of \(objects.grouped) objects, with more than \(Self.length) backups of changes"
  }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Chain.sqlite", objects: objects)
    let of = commands(bench)
    try bench.prepare(of.backup.steps[0])
    for _ in 0..<Self.length {
      try bench.prepare(of.edit.steps[0])
      try bench.prepare(of.backup.steps[0])
    }
    try bench.prepare(of.store.export.steps[0])
    let samples = try bench.run(of.all, rounds: min(options.pairs, 5), warmsUp: false)
    try bench.requireSameRows(of.restore.product, as: store)
    bench.remove(of.store)
    for path in [bench.file("ChainVault")] + of.all.compactMap(\.product) { FileTools.remove(path) }
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = commands(.none)
    func ratios(_ cost: Cost, _ command: Command, _ other: Command) -> [Double] {
      samples.ratios(cost, command.name, to: other.name)
    }
    let share = "0.1 % of \(objects.grouped) objects changed"
    return [
      Row(
        "\(share), backup, processor time, against a scan", .atMost(0.4), .times,
        ratios(.processor, of.backup, of.store.scan)),
      Row(
        "nothing changed, backup, processor time, against a scan", .atMost(0.05), .times,
        ratios(.processor, of.same, of.store.scan)),
      Row(
        "restore of the newest of a chain, wall, against import of a full archive", .atMost(1.15),
        .times, ratios(.wall, of.restore, of.store.restore)),
      Row(
        "the same, processor time", nil, .times,
        ratios(.processor, of.restore, of.store.restore)),
      Row(
        "show one object of the newest of a chain", .atMost(1), .milliseconds,
        samples.values(.wall, of: of.show.name)),
      Row(
        "peak memory, restore of a chain", .atMost(64 * 1_048_576), .mebibytes,
        samples.values(.memory, of: of.restore.name)),
    ]
  }

  // MARK: Commands

  private struct Commands {
    let store: StoreCommands
    let edit: Command
    /// Waits until any further write would show in the times of the store's files, as a backup in the next hour
    /// does.
    let pause: Command
    let backup: Command
    let same: Command
    let restore: Command
    let show: Command

    var all: [Command] { [edit, pause, store.scan, backup, same, store.restore, restore, show] }
  }

  private func commands(_ bench: Workbench) -> Commands {
    let (store, vault) = (bench.file("Chain.sqlite"), bench.file("ChainVault"))
    let backup = [bench.coffer, "backup", store, "--vault", vault]
    let restored = bench.file("RestoredChain.sqlite")
    return Commands(
      store: StoreCommands(bench: bench, store: store, suffix: "chain"),
      edit: .editing(store, visits: changed),
      pause: Command(name: "three seconds pass", steps: [["sleep", "3"]]),
      backup: Command(name: "coffer backup, chain", steps: [backup], growing: vault),
      same: Command(name: "coffer backup, chain, nothing changed", steps: [backup], growing: vault),
      restore: Command(
        name: "coffer restore, chain", steps: [[bench.coffer, "restore", vault, restored]],
        product: restored),
      show: Command(
        name: "coffer show, chain",
        steps: [[bench.coffer, "show", "\(vault)#latest", "VisitEntity", "--limit", "1"]]))
  }
}

extension Command {
  /// Changes visits all over a store.
  static func editing(_ store: String, visits: Int) -> Command {
    Command(
      name: "\(visits.grouped) objects change",
      steps: [
        [
          "sqlite3", store,
          "UPDATE ZVISITENTITY SET ZARRIVAL = ZARRIVAL + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK IN "
            + "(SELECT Z_PK FROM ZVISITENTITY ORDER BY random() LIMIT \(visits))",
        ]
      ])
  }
}
