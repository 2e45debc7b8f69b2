/// What to measure, and how often.
struct Options: Equatable {
  static let usage = """
    usage: CofferBenchmarks [--quick] [--markdown] [--only SUITE]… [--store PATH] [--pairs N] …

      --quick          small stores only, a few minutes; the rows of large ones stay empty
      --markdown       the tables once more, to paste into docs/performance.md
      --only SUITE     this suite only: \(SuiteName.all); may be repeated
      --store PATH     take this store in place of the one of a million objects
      --objects N      the number of objects of that one (1000000; with --quick 100000)
      --large N        the number of objects of the largest one (5200000)
      --pairs N        how often everything runs, side by side (5)
      --large-pairs N  the same for the largest one (2)
      --programs DIR   where `make-store` and `coffer` are (.build/release)
      --folder DIR     where all files go (Benchmarks/.build/bench)
      --keep           leave the files there
    """

  var isQuick = false
  var isMarkdown = false
  var keepsFiles = false
  var suites: [SuiteName] = []
  var store: String?
  var objects: Int?
  var largeObjects = 5_200_000
  var pairs = 5
  var largePairs = 2
  var programs = ".build/release"
  var folder = "Benchmarks/.build/bench"

  /// The number of objects of the store that most rows are measured with.
  var mainObjects: Int { objects ?? (isQuick ? 100_000 : 1_000_000) }

  /// The suites that are to run.
  var chosenSuites: [SuiteName] {
    let wanted = suites.isEmpty ? SuiteName.allCases : suites
    return wanted.filter { !(isQuick && suites.isEmpty && $0 == .large) }
  }

  init() {}

  /// Reads the arguments, without the name of the program.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(name) needs a value") }
        return value
      }
      func number(from least: Int = 1) throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= least else {
          throw BenchmarkError("\(name) \(text): not a number of at least \(least)")
        }
        return number
      }
      switch name {
      case "--quick": isQuick = true
      case "--markdown": isMarkdown = true
      case "--keep": keepsFiles = true
      case "--only":
        let text = try value()
        guard let suite = SuiteName(rawValue: text) else {
          throw BenchmarkError("--only \(text): not one of \(SuiteName.all)")
        }
        suites.append(suite)
      case "--store": store = try value()
      case "--objects": objects = try number(from: 10)
      case "--large": largeObjects = try number(from: 100)
      case "--pairs": pairs = try number()
      case "--large-pairs": largePairs = try number()
      case "--programs": programs = try value()
      case "--folder": folder = try value()
      default: throw BenchmarkError("unknown argument \(name)\n\(Self.usage)")
      }
    }
  }
}
