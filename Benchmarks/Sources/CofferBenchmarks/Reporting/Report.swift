/// All results, as text and as what a page holds.
struct Report {
  /// A suite with what it measured; no samples if it did not run.
  typealias Part = (suite: any Suite, samples: Samples)

  let machine: [String]
  let parts: [Part]

  /// What a reader has to know to compare fairly.
  static let remarks = [
    "Ratios are those of the two runs of a round; their median counts, the spread is the least and "
      + "the greatest, n the number of rounds.",
    "All commands of a round run one after another, on the same files, which are in the cache; before "
      + "each, everything written so far goes to the disk.",
    "`coffer export` and `coffer import` wait for the disk before they end, and so does `sqlite3` at "
      + "the end of its transaction; `gzip` and `pigz` do not.",
    "A store in rollback mode that was just written is copied by coffer; the others read it in place.",
    "Processor time is user and system of the whole pipeline, memory the greatest that "
      + "the largest process ever had.",
  ]

  /// Everything, for a terminal.
  var text: String {
    var lines = machine
    for part in parts where !part.samples.names.isEmpty {
      lines += ["", part.suite.title, "", Self.costs(part.samples).text]
    }
    lines += ["", "Goals", "", goals.text, ""] + Self.remarks
    return lines.joined(separator: "\n")
  }

  /// The tables, for a page.
  var markdown: String {
    var lines = [goals.markdown, ""] + machine.map { "- \($0)" } + Self.remarks.map { "- \($0)" }
    for part in parts where !part.samples.names.isEmpty {
      lines += ["", "\(part.suite.title):", "", Self.costs(part.samples).markdown]
    }
    return lines.joined(separator: "\n")
  }

  private var goals: Table {
    Table(header: Row.header, rows: parts.flatMap { $0.suite.rows($0.samples) }.map(\.cells))
  }

  /// The memory in megabytes, where it is known.
  private static func memoryText(_ memory: Double) -> String {
    let own = Machine.ownMemory
    return memory > own ? (memory / 1e6).fixed(1) : "below \((own / 1e6).fixed(0))"
  }

  /// What each command cost.
  private static func costs(_ samples: Samples) -> Table {
    Table(
      header: ["command", "seconds", "spread", "processor seconds", "memory MB", "written MB"],
      rows: samples.names.compactMap { name in
        guard let wall = Spread(samples.values(.wall, of: name)),
          let processor = Spread(samples.values(.processor, of: name)),
          let memory = Spread(samples.values(.memory, of: name)),
          let size = Spread(samples.values(.size, of: name))
        else { return nil }
        return [
          "`\(name)`", wall.median.fixed(3),
          "\(wall.least.fixed(3))–\(wall.greatest.fixed(3)), n=\(samples.values(.wall, of: name).count)",
          processor.median.fixed(3), memoryText(memory.greatest),
          size.greatest > 0 ? (size.median / 1e6).fixed(1) : "",
        ]
      })
  }
}
