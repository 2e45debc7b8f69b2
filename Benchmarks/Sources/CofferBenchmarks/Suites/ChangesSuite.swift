/// What leads from one store to another: compared, written to a file, applied and merged.
struct ChangesSuite: Suite {
  let options: Options

  private static let count = 10_000
  private static let memory = Goal.atMost(64 * 1_048_576)

  var title: String {
    "Two stores of \(options.mainObjects.grouped) objects, of which \(Self.count.grouped) differ"
  }

  func measure(_ bench: Workbench) throws -> Samples {
    let before = try bench.makeStore("Before.sqlite", objects: options.mainObjects)
    let of = commands(bench)
    // Both changed the same number of visits, each its own.
    for (name, rest) in [("Mine", 0), ("After", 1)] {
      let store = try bench.copyStore(before, as: "\(name).sqlite")
      try bench.edit(
        store,
        "UPDATE ZVISITENTITY SET ZARRIVAL = ZARRIVAL + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK IN "
          + "(SELECT Z_PK FROM ZVISITENTITY WHERE Z_PK % 2 = \(rest) LIMIT \(Self.count))")
    }
    let samples = try bench.run(of.all, rounds: options.pairs, warmsUp: false)
    let stores = ["Before", "Mine", "After"].map { bench.file("\($0).sqlite") }
    for path in stores + of.all.compactMap(\.product) { FileTools.remove(path) }
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = commands(.none)
    func beyondCopy(_ command: Command) -> [Double] {
      zip(values(.processor, command), values(.processor, of.copy)).map { $0 - $1 }
    }
    let count = Self.count.grouped
    return [
      Row(
        "diff of two stores, processor time, against verifying one", .atMost(0.4), .times,
        samples.ratios(.processor, of.diff.name, to: of.verify.name)),
      Row(
        "diff, matched by properties, processor time, against the same", .atMost(5), .times,
        samples.ratios(.processor, of.matched.name, to: of.verify.name)),
      Row(
        "apply \(count) changes, processor time beyond a copy of the store", .atMost(0.4),
        .milliseconds, beyondCopy(of.apply)),
      Row(
        "merge \(count) changes with a base, processor time beyond a copy", .atMost(2),
        .milliseconds, beyondCopy(of.merge)),
    ]
      + of.all.filter { $0.name.hasPrefix("coffer") }.map {
        Row("peak memory, \($0.name)", Self.memory, .mebibytes, values(.memory, $0))
      }
    func values(_ cost: Cost, _ command: Command) -> [Double] {
      samples.values(cost, of: command.name)
    }
  }

  // MARK: Commands

  private struct Commands {
    let verify: Command
    let diff: Command
    let matched: Command
    let write: Command
    let copy: Command
    let apply: Command
    let merge: Command

    var all: [Command] { [verify, diff, matched, write, copy, apply, merge] }
  }

  private func commands(_ bench: Workbench) -> Commands {
    let (before, after) = (bench.file("Before.sqlite"), bench.file("After.sqlite"))
    let changes = bench.file("Day.coffer-changes.tar.gz")
    func coffer(
      _ name: String, _ arguments: [String], product: String? = nil, statuses: Set<Int32> = [0]
    ) -> Command {
      Command(
        name: name, steps: [[bench.coffer] + arguments], product: product, statuses: statuses)
    }
    let (copied, applied) = (bench.file("Copied.sqlite"), bench.file("Applied.sqlite"))
    let merged = bench.file("Merged.sqlite")
    return Commands(
      verify: coffer("coffer verify", ["verify", before], statuses: [0, 3]),
      diff: coffer("coffer diff", ["diff", before, after], statuses: [3]),
      matched: coffer(
        "coffer diff --match",
        [
          "diff", before, after, "--match", "ItemEntity=uuid", "--match", "AttachmentEntity=uuid",
          "--match", "PersonEntity=name",
        ], statuses: [3]),
      write: coffer(
        "coffer diff --output", ["diff", before, after, "--output", changes], product: changes,
        statuses: [3]),
      // Both wait for the disk.
      copy: Command(
        name: "dd conv=fsync",
        steps: [["dd", "if=\(before)", "of=\(copied)", "bs=1M", "conv=fsync", "status=none"]],
        product: copied),
      apply: coffer(
        "coffer apply", ["apply", before, changes, "--output", applied], product: applied),
      merge: coffer(
        "coffer merge",
        ["merge", bench.file("Mine.sqlite"), after, "--base", before, "--output", merged],
        product: merged))
  }
}
