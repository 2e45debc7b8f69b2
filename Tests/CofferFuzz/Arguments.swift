internal import Fuzzing

/// The arguments of the command.
struct Arguments {
  static let usage = """
    usage: coffer-fuzz TARGET|all [--seed N] [--runs N] [--seconds N] [--findings DIR]
           coffer-fuzz TARGET FILE…
           coffer-fuzz TARGET --write-seeds DIR
           coffer-fuzz --list

    Gives any bytes to a part of the program, and sees that it neither traps, nor runs on, nor breaks
    a law. Status 1 means that there are findings.

      --seed N          decides the inputs (1)
      --from N          begins at the input of that number (0)
      --runs N          ends after so many inputs of each target
      --seconds N       ends after so much time, for all targets together
      --hang N          seconds of the processor's time that an input may take (10)
      --findings DIR    where inputs go that are findings (fuzz-findings)
      FILE…             gives it these inputs, one after the other, and nothing else

    With neither --runs nor --seconds each target has 10000 runs.
    """

  enum Failure: Error { case usage(String) }

  /// The targets to run.
  var targets: [FuzzTarget] = []
  /// Inputs to repeat.
  var files: [String] = []
  var seed: UInt64 = 1
  var from = 0
  var runs: Int?
  var seconds: Double?
  var hang = 10.0
  var findings = "fuzz-findings"
  /// The folder to which the seeds are written.
  var seedFolder: String?
  var listsTargets = false
  /// Where a worker notes the number of the input that it runs; nil in the process that supervises.
  var status: String?

  /// Reads the arguments, without the name of the command.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value<Value>(_ name: String, _ convert: (String) -> Value?) throws -> Value {
      guard let text = rest.popFirst(), let value = convert(text) else {
        throw Failure.usage("\(name) needs a value")
      }
      return value
    }
    var name: String?
    while let argument = rest.popFirst() {
      switch argument {
      case "--list": listsTargets = true
      case "--seed": seed = try value(argument) { UInt64($0) }
      case "--from": from = try value(argument) { Int($0) }
      case "--runs": runs = try value(argument) { Int($0) }
      case "--seconds": seconds = try value(argument) { Double($0) }
      case "--hang": hang = try value(argument) { Double($0) }
      case "--findings": findings = try value(argument) { $0 }
      case "--write-seeds": seedFolder = try value(argument) { $0 }
      case "--status": status = try value(argument) { $0 }
      default:
        if name == nil { name = argument } else { files.append(argument) }
      }
    }
    if listsTargets { return }
    guard let name else { throw Failure.usage("no target was given") }
    if name == "all" {
      targets = FuzzTarget.all
    } else if let target = FuzzTarget.named(name) {
      targets = [target]
    } else {
      throw Failure.usage("no target \(name)")
    }
  }
}
