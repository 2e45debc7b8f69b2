internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Commands that run in turn, round by round, so that all of them see the same machine.
struct Contest {
  let commands: [Command]
  let rounds: Int
  /// Whether there is a first round that does not count.
  var warmsUp = false

  /// Runs all rounds; each command is told before it runs.
  func run(log: String, progress: (String) -> Void) throws -> Samples {
    var samples = Samples()
    for round in (warmsUp ? 0 : 1)...rounds {
      for command in commands {
        progress("round \(round) of \(rounds): \(command.name)")
        if let product = command.product { FileTools.remove(product) }
        // What others have written goes to the disk now and not while this one runs.
        sync()
        let measurement = try Pipeline(command: command, log: log).run()
        if round > 0 { samples.add(measurement, to: command.name) }
      }
    }
    return samples
  }
}
