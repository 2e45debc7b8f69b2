internal import ArgumentParser
internal import CofferKit

/// The command `coffer repair STORE`.
struct RepairCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair defects in the data of a store, or a damaged archive.",
    usage: """
      coffer repair <store> [--safe] [--fix <code>]... [--output <plan>]
      coffer repair <store> [--safe] [--fix <code>]... --apply [--undo <file>]
      coffer repair <store> --set <entity.attribute=value>... [--where <predicate>]
      coffer repair <store> --delete <entity> --where <predicate>
      coffer repair <archive> --from <archive>... --output <archive>
      """,
    discussion: HelpText.discussion(
      """
      Shows the repairs without making them. With --apply, changes a copy, which then replaces \
      the store in one step. Repairs warnings and errors if no data is lost; lossy repairs, and \
      repairs of notes, need --fix. --set and --delete are for defects that no rule can repair.

      For a damaged archive, writes a new archive, with damaged parts replaced by intact parts \
      of the archives of --from, and lists the losses.
      """,
      examples: [
        "coffer repair Trips.sqlite",
        "coffer repair Trips.sqlite --safe --apply --undo Undo.tar.gz",
        "coffer repair Trips.sqlite --set 'TodoEntity.title=Untitled' --apply",
      ],
      statuses: [
        .done: "success; without --apply: there is nothing to repair, and no error",
        .findings:
          "errors remain or would be new; repairs are open; archive data is lost",
        .unusableInput: "the store does not exist or is of another kind",
        .busy: "another program has the store open, or changed it", .damaged: nil,
        .outputExists: nil,
        .refused:
          "refused: mirrored with CloudKit; other model; invalid value; delete rule",
      ]))

  @Argument(help: .value("store", "The store, or the damaged archive."), completion: .file())
  var store: String

  @Flag(help: "Make only repairs that other data proves.")
  var safe = false

  @Option(
    name: .customLong("fix"), help: .value("code", "Repair findings of this code too; repeatable."),
    completion: .list(FindingCode.allCases.map(\.text)), transform: RepairCommand.repairable)
  var codes: [FindingCode] = []

  @Option(
    name: .customLong("set"),
    help: .value(
      "entity.attribute=value",
      "Set an attribute where it is missing or invalid, or for the objects of --where; repeatable."),
    transform: RepairCommand.setting)
  var settings: [RepairDecision] = []

  @Option(
    name: .customLong("delete"),
    help: .value("entity", "Delete the objects of this entity that match --where."),
    completion: .entity)
  var deleted: String?

  @Option(
    name: .customLong("where"),
    help: .value("predicate", "Choose the objects for --set or --delete."))
  var condition: String?

  @Flag(help: "Make the repairs.")
  var apply = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value("plan", "Write the plan to this file, for coffer apply."))
  var target: String?

  @Option(help: .value("file", "Write the reverse changes to this file."), completion: .file())
  var undo: String?

  @Option(
    name: .customLong("from"),
    help: .value("archive", "Take intact parts from this archive; repeatable."), completion: .file()
  )
  var donors: [String] = []

  @Flag(help: "Replace an existing file of --output or --undo.")
  var force = false

  @Flag(help: "Change a store although CloudKit mirrors it.")
  var allowMirrored = false

  @Flag(help: "Show every repair, not only examples.")
  var all = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [target, undo] }

  private static func repairable(_ text: String) throws -> FindingCode {
    let code = try KnownName.code(text)
    guard code.fix.isAutomatic else {
      throw ValidationError(
        "'\(text)' cannot be repaired by coffer. See 'coffer verify --explain \(text)'.")
    }
    return code
  }

  private static func setting(_ text: String) throws -> RepairDecision {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = sides[0].split(separator: ".", maxSplits: 1)
    guard sides.count == 2, names.count == 2 else {
      throw ValidationError("'\(text)' is not of the form 'Entity.attribute=value'.")
    }
    return .set(
      entity: Name(String(names[0])), attribute: Name(String(names[1])), value: String(sides[1]))
  }

  private var decisions: [RepairDecision] {
    settings + (deleted.map { [.delete(entity: Name($0))] } ?? [])
  }

  func validate() throws {
    if deleted != nil, condition == nil { throw ValidationError("'--delete' needs '--where'.") }
    if condition != nil, decisions.isEmpty {
      throw ValidationError("'--where' needs '--set' or '--delete'.")
    }
    if apply, target != nil {
      throw ValidationError(
        "'--apply' and '--output' cannot be combined; '--undo' writes the reverse changes.")
    }
    if !apply, undo != nil { throw ValidationError("'--undo' needs '--apply'.") }
    guard !donors.isEmpty else { return }
    if target == nil { throw ValidationError("'--from' needs '--output'.") }
    if !decisions.isEmpty {
      throw ValidationError("'--from' repairs an archive; '--set' and '--delete' repair a store.")
    }
    if safe || !codes.isEmpty {
      throw ValidationError("'--from' repairs an archive; '--safe' and '--fix' are for a store.")
    }
    if !explaining.model.isEmpty {
      throw ValidationError("'--from' repairs an archive; '--model' is for a store.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    if let target, !donors.isEmpty { return try mend(to: target, session) }
    try refuseArchive()
    LargeBlocks.giveBack()
    var options = RepairOptions()
    if safe { options.kinds = [.lossless] }
    options.codes = Set(codes)
    options.decisions = decisions
    options.condition = condition
    options.environment = try reading.environment(session, model: explaining)
    options.editing.allowsMirrored = allowMirrored
    options.editing.undo = undo.map { .file($0, overwriting: force) }
    let repairer = StoreRepairer(options: options, progress: session.progress)
    return try session.printingEvidence {
      let plan = target.map { ArchiveTarget.file($0, overwriting: force) }
      var outcomes: [RepairOutcome] = []
      let report = { (outcome: RepairOutcome) in
        // As lines of JSON, they need not wait for the title.
        if output.json { try session.printer.print(RepairOutcomeMessage(outcome: outcome)) }
        if !output.json, all { outcomes.append(outcome) }
      }
      let summary =
        try apply
        ? repairer.repair(store, onOutcome: report)
        : repairer.plan(store, writingTo: plan, onOutcome: report)
      let status = try session.showResult(
        RepairMessage(
          summary: summary, options: options, store: store, plan: target, isApplied: apply,
          all: all ? outcomes : nil))
      try EmptyStoreNote.print(store, session)
      return status
    }
  }

  /// Refuses an archive if no other archives are given.
  private func refuseArchive() throws(CofferError) {
    guard InputFile.looksLikeArchive(store) else { return }
    throw CofferError(
      .notCoreData, path: store, detail: "it is an archive",
      advice: .sentence(
        "To replace its damaged entries from another archive: "
          + "coffer repair \(store) --from OTHER --output NEW. "
          + "To restore its intact part: coffer rescue \(store) --output NAME.sqlite"))
  }

  /// Mends an archive with other archives.
  private func mend(to target: String, _ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session)
    let paths = try donors.map { try session.path(of: $0, environment) }
    let archive = try session.path(of: store, environment)
    let repairer = ArchiveRepairer(environment: environment, progress: session.progress)
    return try session.printingEvidence {
      let summary = try repairer.repair(archive, with: paths, to: .file(target, overwriting: force))
      return try session.showResult(
        ArchiveRepairMessage(summary: summary, archive: store, target: target, showsAll: all))
    }
  }
}
