internal import Foundation
internal import Fuzzing

/// Runs inputs of one target, and notes the number of each before it runs.
///
/// A trap ends the process; the number then tells which input it was.
struct Worker {
  /// The status of a process that met a broken law, whose text is in its last line.
  static let brokenLaw: Int32 = 77

  let arguments: Arguments
  let target: FuzzTarget

  func run(status path: String) throws -> Int32 {
    let campaign = try FuzzCampaign(target, seed: arguments.seed)
    guard let status = FileHandle(forWritingAtPath: path) else { return 2 }
    let watch = Watchdog(seconds: arguments.hang)
    let end = arguments.seconds.map { Date().addingTimeInterval($0) }
    var number = arguments.from
    while arguments.runs.map({ number < arguments.from + $0 }) ?? true {
      // The clock is asked now and then only.
      if number & 15 == 0, let end, Date() >= end { break }
      try note(number, in: status)
      watch.begin(number)
      let input = campaign.input(number)
      do throws(BrokenLaw) {
        try target.run(input)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        return Self.brokenLaw
      }
      number += 1
    }
    try note(number, in: status)
    watch.end()
    return 0
  }

  private func note(_ number: Int, in file: FileHandle) throws {
    try file.seek(toOffset: 0)
    // Numbers only grow, so that nothing of a longer one is left behind this.
    try file.write(contentsOf: Data("\(number)\n".utf8))
  }
}
