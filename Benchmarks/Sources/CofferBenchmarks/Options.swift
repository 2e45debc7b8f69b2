/// What to measure.
struct Options {
  var objects = 100_000
  var blobs = "normal"
  var runs = 5
  var programs = "../.build/release"
  var folder: String?

  /// Reads the arguments, without the name of the program.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw BenchmarkError("\(name) needs a value") }
      func number() throws -> Int {
        guard let number = Int(value), number > 0 else {
          throw BenchmarkError("\(name) \(value): not a number above 0")
        }
        return number
      }
      switch name {
      case "--objects": objects = try number()
      case "--blobs": blobs = value
      case "--runs": runs = try number()
      case "--programs": programs = value
      case "--keep": folder = value
      default: throw BenchmarkError("unknown argument \(name)")
      }
    }
  }
}
