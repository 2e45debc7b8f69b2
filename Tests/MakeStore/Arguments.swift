internal import StoreGenerator

/// The arguments of the command.
struct Arguments {
  static let usage = """
    usage: make-store OUT.sqlite [--objects N] [--seed S] [--blobs normal|none|heavy]
                      [--blob-bytes N] [--external N] [--journal wal|delete] [--sample]

    Creates the Core Data store of a to-do list app. Replaces any store at OUT.sqlite.

      --objects N    number of objects, at least \(GeneratorOptions.leastObjectCount) (10000)
      --seed S       seed; the same arguments give the same content (1)
      --blobs KIND   amount of binary data: normal, none or heavy (normal)
      --blob-bytes N heavy blobs with about N bytes in total
      --external N   store up to N large values in external files (0)
      --journal MODE wal or delete (wal)
      --sample       create the small sample store; only --journal applies
    """

  var path = ""
  var options = GeneratorOptions()
  var isSample = false

  /// Reads the arguments, without the name of the command.
  ///
  /// - Throws: ``GeneratorError`` for an argument that is unknown or has no value.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value(_ name: String) throws -> String {
      guard let value = rest.popFirst() else { throw GeneratorError("\(name) needs a value") }
      return value
    }
    func parse<Value>(_ name: String, _ convert: (String) -> Value?) throws -> Value {
      let text = try value(name)
      guard let value = convert(text) else { throw GeneratorError("\(name) \(text): not valid") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--objects":
        options.objectCount = try parse(argument) {
          Int($0).flatMap { $0 >= GeneratorOptions.leastObjectCount ? $0 : nil }
        }
      case "--seed": options.seed = try parse(argument) { UInt64($0) }
      case "--blobs": options.blobs = try parse(argument) { .init(rawValue: $0) }
      case "--blob-bytes":
        options.blobs = .heavy
        options.blobBytes = try parse(argument) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
      case "--external":
        options.externalCount = try parse(argument) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
      case "--journal": options.journal = try parse(argument) { .init(rawValue: $0) }
      case "--sample": isSample = true
      default:
        guard !argument.hasPrefix("-"), path.isEmpty else {
          throw GeneratorError("unknown argument \(argument)")
        }
        path = argument
      }
    }
    guard !path.isEmpty else { throw GeneratorError("no output was given") }
  }
}
