internal import Foundation
internal import Fuzzing

/// Runs fuzz targets: `coffer-fuzz json --seconds 60`.
@main
enum CofferFuzz {
  static func main() {
    do {
      #if LIBFUZZER
        if CommandLine.arguments.count > 2, CommandLine.arguments[1] == "--guided" {
          exit(try FuzzFolder.use { try Guided.run() })
        }
      #endif
      exit(try run(Arguments(Array(CommandLine.arguments.dropFirst()))))
    } catch Arguments.Failure.usage(let text) {
      say("coffer-fuzz: \(text)\n\n\(Arguments.usage)")
      exit(64)
    } catch {
      say("coffer-fuzz: \(error)")
      exit(2)
    }
  }

  private static func run(_ given: Arguments) throws -> Int32 {
    if given.listsTargets {
      for target in FuzzTarget.all { say("\(target.name): \(target.about)") }
      return 0
    }
    if let folder = given.seedFolder { return try writeSeeds(given.targets, to: folder) }
    if !given.files.isEmpty { return try replay(given.files, given.targets) }
    if let status = given.status, let target = given.targets.first {
      return try FuzzFolder.use { try Worker(arguments: given, target: target).run(status: status) }
    }
    var arguments = given
    if arguments.runs == nil, arguments.seconds == nil { arguments.runs = 10_000 }
    let share = arguments.seconds.map { $0 / Double(arguments.targets.count) }
    var found = 0
    for target in arguments.targets {
      found += try Supervisor(arguments: arguments, target: target, seconds: share).run()
    }
    return found == 0 ? 0 : 1
  }

  private static func writeSeeds(_ targets: [FuzzTarget], to folder: String) throws -> Int32 {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for target in targets {
      for (number, seed) in try target.seeds().enumerated() {
        try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/\(target.name)-seed-\(number)"))
      }
    }
    return 0
  }

  private static func replay(_ files: [String], _ targets: [FuzzTarget]) throws -> Int32 {
    var found = false
    for file in files {
      let input = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
      for target in targets {
        do throws(BrokenLaw) {
          try target.run(input)
          say("\(target.name): \(file): nothing")
        } catch {
          say("\(target.name): \(file): \(error)")
          found = true
        }
      }
    }
    return found ? 1 : 0
  }
}

/// Writes a line to standard output at once, so that a log is complete up to the moment.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
