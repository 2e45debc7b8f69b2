internal import Foundation

/// Makes a store and times the commands on it.
@main enum CofferBenchmarks {
  static func main() {
    do {
      try measure()
    } catch {
      FileHandle.standardError.write(Data("CofferBenchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    let folder =
      options.folder
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("coffer-benchmarks-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer {
      if options.folder == nil { try? FileManager.default.removeItem(atPath: folder) }
    }
    let store = "\(folder)/Large.sqlite"
    try report(
      "make-store", "\(options.programs)/make-store",
      [store, "--objects", String(options.objects), "--blobs", options.blobs], options,
      prepare: {})
    let coffer = "\(options.programs)/coffer"
    let archive = "\(folder)/Large.coffer.tar.gz"
    let copy = "\(folder)/Copy.sqlite"
    try report("export", coffer, ["export", store, archive], options) {
      try? FileManager.default.removeItem(atPath: archive)
    }
    try report("import", coffer, ["import", archive, copy], options) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where name.contains("Copy") {
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      }
    }
    try report("diff", coffer, ["diff", store, archive], options, prepare: {})
    let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
    show("store: \(options.objects) objects, \(size / 1_048_576) MiB")
    show("greatest memory of all: \(Int(Measurement.greatestMemory)) MiB")
  }

  /// Runs a command several times, after once to warm up, and prints what it cost.
  private static func report(
    _ name: String, _ program: String, _ arguments: [String], _ options: Options,
    prepare: () throws -> Void
  ) throws {
    var all: [Measurement] = []
    for run in 0...options.runs {
      try prepare()
      let measurement = try Measurement.run(program, arguments)
      if run > 0 { all.append(measurement) }
    }
    all.sort { $0.wall < $1.wall }
    guard let least = all.first, let greatest = all.last else { return }
    let median = all[all.count / 2]
    let numbers = [median.wall, least.wall, greatest.wall, median.processor].map {
      String(format: "%.2f", $0)
    }
    let rate = Int(Double(options.objects) / median.wall)
    show(
      "\(name): \(numbers[0]) s [\(numbers[1]), \(numbers[2])], processor \(numbers[3]) s, "
        + "\(rate) objects/s")
  }

  /// Writes a line at once, also where the output is a file.
  private static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
