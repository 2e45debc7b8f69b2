internal import Foundation

/// Makes stores, runs coffer and stock tools on them side by side, and compares with the goals.
@main enum CofferBenchmarks {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") {
      print(Options.usage)
      return
    }
    do {
      try measure(Options(arguments))
    } catch {
      FileHandle.standardError.write(Data("CofferBenchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ options: Options) throws {
    let bench = try Workbench(options)
    defer { if !options.keepsFiles { bench.clear() } }
    let machine = Machine.description(bench)
    var samples: [SuiteName: Samples] = [:]
    // From what is soon done to what takes long, so that mistakes show early.
    let order: [SuiteName] = [
      .startUp, .small, .blobs, .backups, .watch, .changes, .chains, .main, .large,
    ]
    for name in order
    where options.chosenSuites.contains(name) {
      samples[name] = try suite(name, options).measure(bench)
    }
    let parts = SuiteName.allCases.map { name in
      (suite: suite(name, options), samples: samples[name] ?? Samples())
    }
    let report = Report(machine: machine, parts: parts)
    print(report.text)
    if options.isMarkdown { print("\n\(report.markdown)") }
  }

  /// What measures that.
  static func suite(_ name: SuiteName, _ options: Options) -> any Suite {
    switch name {
    case .main: MainSuite(options: options)
    case .large: LargeSuite(options: options)
    case .small: SmallSuite(options: options)
    case .blobs: BlobSuite(options: options)
    case .changes: ChangesSuite(options: options)
    case .backups: BackupSuite(options: options)
    case .chains: ChainSuite(options: options)
    case .watch: WatchSuite(options: options)
    case .startUp: StartUpSuite(options: options)
    }
  }
}
