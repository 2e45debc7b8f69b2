/// A store that is backed up again and again, by coffer and by programs that find equal pieces of files.
struct BackupSuite: Suite {
  let options: Options

  private var objects: Int { options.mainObjects / 5 }
  private var changed: Int { objects / 1000 }

  var title: String {
    "Backups of a store of \(objects.grouped) objects, of which \(changed.grouped) change each time"
  }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Kept.sqlite", objects: objects)
    let of = commands(bench)
    try bench.prepare(["restic", "init", "--repo", of.restic.folder])
    try bench.prepare(["borg", "init", "--encryption", "none", of.borg.folder])
    // The first backups, which are complete, have no row.
    for tool in of.tools { try bench.prepare(tool.changed.steps[0]) }
    let samples = try bench.run(of.all, rounds: options.pairs, warmsUp: false)
    for path in [store] + of.tools.map(\.folder) { FileTools.remove(path) }
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = commands(.none)
    let share = "0.1 % of \(objects.grouped) objects changed"
    func sizes(_ command: Command) -> [Double] { samples.values(.size, of: command.name) }
    func ratios(_ command: Command) -> [Double] {
      samples.ratios(.wall, of.coffer.changed.name, to: command.name)
    }
    return [
      Row("\(share), backup", .atMost(100_000), .kilobytes, sizes(of.coffer.changed)),
      Row("the same, restic", nil, .kilobytes, sizes(of.restic.changed)),
      Row("the same, borg", nil, .kilobytes, sizes(of.borg.changed)),
      Row("nothing changed, backup", .atMost(10_000), .kilobytes, sizes(of.coffer.same)),
      Row("the same, restic", nil, .kilobytes, sizes(of.restic.same)),
      Row("the same, borg", nil, .kilobytes, sizes(of.borg.same)),
      Row("backup of the changes, wall, against a scan", nil, .times, ratios(of.scan)),
      Row(
        "backup of the changes, wall, against export `--level 0`", .atMost(1.3), .times,
        ratios(of.digests)),
      Row(
        "backup of the changes, wall, against restic", .atMost(0.15), .times,
        ratios(of.restic.changed)),
      Row(
        "backup of the changes, wall, against borg", .atMost(0.35), .times,
        ratios(of.borg.changed)),
      Row(
        "peak memory, backup of the changes", .atMost(64 * 1_048_576), .mebibytes,
        samples.values(.memory, of: of.coffer.changed.name)),
    ]
  }

  // MARK: Commands

  /// One program's backup after a change, and once more without one.
  private struct Tool {
    let folder: String
    let changed: Command
    let same: Command

    init(_ name: String, into folder: String, _ step: [String]) {
      self.folder = folder
      changed = Command(name: name, steps: [step], growing: folder)
      same = Command(name: "\(name), nothing changed", steps: [step], growing: folder)
    }
  }

  private struct Commands {
    let edit: Command
    let scan: Command
    let digests: Command
    let coffer: Tool
    let restic: Tool
    let borg: Tool

    var tools: [Tool] { [coffer, restic, borg] }
    var all: [Command] {
      [edit, scan, digests] + tools.map(\.changed) + tools.map(\.same)
    }
  }

  private func commands(_ bench: Workbench) -> Commands {
    let store = bench.file("Kept.sqlite")
    let of = StoreCommands(bench: bench, store: store)
    let (vault, restic, borg) = (bench.file("Vault"), bench.file("restic"), bench.file("borg"))
    return Commands(
      edit: .editing(store, visits: changed),
      scan: of.scan,
      digests: of.uncompressedExport,
      coffer: Tool(
        "coffer backup", into: vault, [bench.coffer, "backup", store, "--vault", vault]),
      restic: Tool(
        "restic backup", into: restic, ["restic", "--quiet", "--repo", restic, "backup", store]),
      borg: Tool(
        "borg create", into: borg, ["borg", "create", "\(borg)::{now:%Y%m%d%H%M%S%f}", store]))
  }
}
