internal import ArgumentParser
internal import CofferKit

enum ChangesAction: String, ExpressibleByArgument, CaseIterable {
  case inspect, reverse, concat
}

/// The command `coffer changes ACTION FILE…`.
struct Changes: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Inspect, reverse or concatenate change files.",
    usage: """
      coffer changes inspect <file> [--all] [--values]
      coffer changes reverse <file> --output <file>
      coffer changes concat <file> <file> … --output <file>
      """,
    discussion: HelpText.discussion(
      """
      Shows the changes in a file as diff does; writes the reverse changes; or joins consecutive \
      changes into one file.
      """,
      examples: [
        "coffer changes inspect Day.coffer-changes.tar.gz --all --values",
        "coffer changes reverse Day.coffer-changes.tar.gz -o Back.tar.gz",
        "coffer changes concat Monday.tar.gz Tuesday.tar.gz -o Both.tar.gz",
      ],
      statuses: [
        .done: "success; inspect: there are no changes", .findings: "inspect: there are changes",
        .unusableInput: "a file does not exist or is not a change file", .damaged: nil,
        .newerFormat: nil, .outputExists: nil,
        .refused: "refused: changes that do not follow each other; no key",
      ]))

  @Argument(help: .value("action", "inspect, reverse or concat."))
  var action: ChangesAction

  @Argument(help: .value("file", "The change file; for concat, several."), completion: .file())
  var files: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")], help: .value("file", "The file to write."),
    completion: .file())
  var target: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(help: "With inspect: show every change, not only examples.")
  var all = false

  @Flag(help: "With inspect: show the values too.")
  var values = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var answerStream: StandardStream { target == nil ? .outputOrNothing : .output }
  var outputs: [String?] { [target] }

  func validate() throws {
    if action == .concat, files.count < 2 {
      throw ValidationError("'concat' needs two files or more.")
    }
    if action != .concat, files.count != 1 {
      throw ValidationError("'\(action.rawValue)' needs one file.")
    }
    let writes = action == .reverse || action == .concat
    if writes != (target != nil) {
      throw ValidationError(
        "'\(action.rawValue)' \(writes ? "needs '--output'" : "writes no file").")
    }
    if all || values, action != .inspect {
      throw ValidationError("'--all' and '--values' need 'inspect'.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session)
    guard let target else { return try inspect(environment, session) }
    let output = ArchiveTarget.file(target, overwriting: force)
    let summary =
      action == .reverse
      ? try StoreChanges(files[0], environment: environment).reverse(to: output)
      : try StoreChanges.concatenate(files, environment: environment, to: output)
    try session.show(ChangesMessage(summary: summary, file: target))
    return .done
  }

  private func inspect(_ environment: WorkEnvironment, _ session: Session) throws -> ExitStatus {
    var printing = DifferencePrinting(session, atOnce: all || output.json)
    let changes = StoreChanges(files[0], environment: environment)
    let summary = try changes.inspect(includesValues: values) { try printing.print($0) }
    var counts: [String: Int] = [:]
    try changes.repairs { repair in
      counts[repair.codeText, default: 0] += 1
      if all || output.json { try session.printer.print(RecordedRepairMessage(repair: repair)) }
    }
    if !counts.isEmpty { try session.printer.print(RecordedRepairsMessage(counts: counts)) }
    return try printing.finish(summary.differences, "The states before", "after \(files[0])")
  }
}

struct RecordedRepairMessage: Message {
  var repair: RecordedRepair

  func write(to printer: TextPrinter) throws {
    let owner = repair.objectText ?? repair.entityName?.text ?? ""
    let place = [owner, repair.propertyName?.text ?? ""].filter { !$0.isEmpty }.joined(
      separator: ".")
    try printer.line(Terminal.printable("\(place): \(repair.change) (\(repair.codeText))"))
  }

  func write(to printer: JSONPrinter) throws {
    var object: JSONMembers = [
      "type": "repair", "code": repair.codeText, "entity": repair.entityName?.text,
      "object": repair.objectText, "property": repair.propertyName?.text, "change": repair.change,
    ]
    var keys = JSONMembers()
    for (name, list) in repair.keys.sorted(by: { $0.key < $1.key }) {
      keys.append(name.text, list)
    }
    object.append("keys", keys)
    try printer.line(object)
  }
}

/// The number of findings of each code that a plan repairs.
struct RecordedRepairsMessage: Message {
  var counts: [String: Int]

  func write(to printer: TextPrinter) throws {
    var block = FieldBlock()
    for (code, count) in counts.sorted(by: { $0.key < $1.key }) {
      block.add(code, QuantityText.count(count, "repair"))
    }
    try printer.heading("What the plan repairs")
    try printer.block(block)
  }

  func write(to printer: JSONPrinter) {}
}
