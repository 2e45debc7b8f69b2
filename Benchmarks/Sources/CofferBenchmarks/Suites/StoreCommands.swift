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
  var dump: String { file("dump.gz") }

  // MARK: Coffer

  var export: Command { export("coffer export", [], to: archive) }
  var fastExport: Command {
    export("coffer export --fast", ["--fast"], to: file("Fast.coffer.tar.gz"))
  }
  var uncompressedExport: Command {
    export("coffer export --level 0", ["--level", "0"], to: file("Plain.coffer.tar.gz"))
  }

  private func export(_ name: String, _ options: [String], to archive: String) -> Command {
    Command(
      name: self.name(name), steps: [[bench.coffer, "export", store, archive] + options],
      product: archive)
  }

  var restore: Command {
    let target = file("Restored.sqlite")
    return Command(
      name: name("coffer import"), steps: [[bench.coffer, "import", archive, target]],
      product: target)
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

  var load: Command {
    let target = file("Loaded.sqlite")
    return Command(
      name: name("gzip -dc dump.gz | sqlite3"),
      steps: [["gzip", "-dc", dump], ["sqlite3", target]], product: target)
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
}
