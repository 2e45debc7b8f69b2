/// The commands on one store: those of coffer, and those that they are compared with.
///
/// Each does all of its work: nothing is skipped, and nothing that exists is taken over.
struct StoreCommands {
  let bench: Workbench
  /// The store.
  let store: String
  /// What is added to the names of the commands, and to those of the files.
  var suffix = ""

  private func file(_ name: String) -> String { bench.file("\(name)\(suffix)") }
  private func name(_ name: String) -> String { suffix.isEmpty ? name : "\(name), \(suffix)" }

  var archive: String { file("Default.coffer.tar.gz") }
  private var zstdArchive: String { file("Zstd.coffer.tar.zst") }
  var dump: String { file("dump.gz") }
  private var zstdDump: String { file("dump.zst") }

  // MARK: Coffer

  var export: Command { export("coffer export", [], to: archive) }
  var fastExport: Command {
    export("coffer export --fast", ["--fast"], to: file("Fast.coffer.tar.gz"))
  }
  var zstdExport: Command { export("coffer export, zstd", [], to: zstdArchive) }
  var fastZstdExport: Command {
    export("coffer export --fast, zstd", ["--fast"], to: file("Fast.coffer.tar.zst"))
  }

  /// Into a pipe that throws away: rows become lines, and nothing is compressed or kept.
  var uncompressedExport: Command {
    Command(
      name: name("coffer export --level 0"),
      steps: [[bench.coffer, "export", store, "-", "--level", "0"]])
  }

  private func export(_ name: String, _ options: [String], to archive: String) -> Command {
    Command(
      name: self.name(name), steps: [[bench.coffer, "export", store, archive] + options],
      product: archive)
  }

  var restore: Command { restore("coffer import", archive, to: file("Restored.sqlite")) }
  var zstdRestore: Command {
    restore("coffer import, zstd", zstdArchive, to: file("RestoredZstd.sqlite"))
  }

  private func restore(_ name: String, _ archive: String, to target: String) -> Command {
    Command(
      name: self.name(name), steps: [[bench.coffer, "import", archive, target]], product: target)
  }

  var verifyStore: Command { verify("coffer verify, store", store) }
  var verifyArchive: Command { verify("coffer verify, archive", archive) }

  /// A verification looks at everything, whatever it finds.
  private func verify(_ name: String, _ path: String) -> Command {
    Command(
      name: self.name(name), steps: [[bench.coffer, "verify", path]], statuses: [0, 3])
  }

  // MARK: What it is compared with

  var dumpGzip: Command {
    .writing(
      name("sqlite3 .dump | gzip -6"), [["sqlite3", store, ".dump"], ["gzip", "-6"]], to: dump)
  }

  var dumpPigz: Command {
    .writing(
      name("sqlite3 .dump | pigz -6"), [["sqlite3", store, ".dump"], ["pigz", "-6"]],
      to: file("dump.pigz.gz"))
  }

  var dumpZstd: Command {
    .writing(
      name("sqlite3 .dump | zstd -3 -T0"),
      [["sqlite3", store, ".dump"], ["zstd", "-3", "-T0", "-q"]],
      to: zstdDump)
  }

  var load: Command {
    load("gzip -dc dump.gz | sqlite3", ["gzip", "-dc", dump], to: file("Loaded.sqlite"))
  }
  var zstdLoad: Command {
    load("zstd -dc dump.zst | sqlite3", ["zstd", "-dcq", zstdDump], to: file("LoadedZstd.sqlite"))
  }

  private func load(_ name: String, _ unpack: [String], to target: String) -> Command {
    Command(name: self.name(name), steps: [unpack, ["sqlite3", target]], product: target)
  }

  var scan: Command { Command(name: name("scan-store"), steps: [[bench.scanStore, store]]) }

  var integrityCheck: Command {
    Command(
      name: name("PRAGMA integrity_check"),
      steps: [["sqlite3", store, "PRAGMA integrity_check"]])
  }

  var testDump: Command {
    Command(name: name("gzip -t dump.gz"), steps: [["gzip", "-t", dump]])
  }

  /// The files that the commands write.
  var products: [String] {
    [
      export, fastExport, zstdExport, fastZstdExport, restore, zstdRestore, dumpGzip, dumpPigz,
      dumpZstd, load, zstdLoad,
    ].compactMap(\.product)
  }
}
