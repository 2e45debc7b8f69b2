internal import Foundation
internal import StoreGenerator

/// Makes stores for tests and benchmarks from the command line.
@main enum MakeStore {
  static func main() {
    let given = Array(CommandLine.arguments.dropFirst())
    if given.isEmpty || given.contains("--help") {
      print(Arguments.usage)
      return
    }
    do {
      let arguments = try Arguments(given)
      if arguments.isSample {
        try SampleStore.write(to: arguments.path, journal: arguments.options.journal)
      } else {
        let summary = try StoreMaker.write(to: arguments.path, arguments.options)
        print(summary)
      }
    } catch {
      FileHandle.standardError.write(Data("make-store: \(error)\n".utf8))
      exit(1)
    }
  }
}
