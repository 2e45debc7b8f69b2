internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What one run of a program cost.
struct Measurement {
  /// Seconds on the clock.
  let wall: Double
  /// Seconds of processor time, of the program and of the system for it.
  let processor: Double

  /// Runs a program to its end and measures it.
  static func run(_ program: String, _ arguments: [String]) throws -> Measurement {
    let before = usage()
    let start = ContinuousClock.now
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkError("\(program) is not there: build the release first")
    }
    try process.run()
    process.waitUntilExit()
    let wall = start.duration(to: .now) / .seconds(1)
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("\(program) ended with the status \(process.terminationStatus)")
    }
    return Measurement(wall: wall, processor: usage().processor - before.processor)
  }

  /// The greatest memory of any program that has ended, in MiB.
  static var greatestMemory: Double { usage().memory }

  private static func usage() -> (processor: Double, memory: Double) {
    var usage = rusage()
    #if canImport(Darwin)
      _ = unsafe getrusage(RUSAGE_CHILDREN, &usage)
      let unit = 1.0
    #else
      _ = unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
      let unit = 1024.0
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (
      seconds(usage.ru_utime) + seconds(usage.ru_stime), Double(usage.ru_maxrss) * unit / 1_048_576
    )
  }
}

/// Why there is no result.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
