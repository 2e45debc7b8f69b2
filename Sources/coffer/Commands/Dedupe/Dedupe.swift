internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The command `coffer dedupe STORE`.
struct Dedupe: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "dedupe",
    abstract: "Remove duplicates from a store.",
    usage: """
      coffer dedupe <store> [--output <store>] [<options>]
      coffer dedupe <store> --dry-run [--all] [--values]
      """,
    discussion: HelpText.discussion(
      """
      Finds objects of an entity with the same key and keeps one of them; references to the \
      others then lead to it. The key comes from --match or from a uniqueness constraint of the \
      model. Changes a copy, which then replaces the store in one step.
      """,
      examples: [
        "coffer dedupe Trips.sqlite --match TagEntity=name --dry-run --all",
        "coffer dedupe Trips.sqlite --match TagEntity=name --undo Undo.tar.gz",
        "coffer dedupe Trips.sqlite --keep most-complete -o New.sqlite",
      ],
      statuses: [
        .done: "success; --dry-run: there are no duplicates",
        .findings: "refused because of new errors, or --dry-run found duplicates",
        .unusableInput: "the store does not exist or is of another kind; no such entity",
        .busy: "another program has the store open, or changed it", .damaged: nil,
        .outputExists: nil,
        .refused: "refused: mirrored with CloudKit (--allow-mirrored); no model",
        .usage: "invalid usage, or nothing identifies objects",
      ]))

  @Argument(help: .value("store", "The store to change."), completion: .file())
  var store: String

  @Option(
    name: .customLong("match"),
    help: .value(
      "entity=property,...",
      "Treat objects of this entity with equal properties as duplicates; repeatable."),
    transform: NaturalKey.init(argument:))
  var naturalKeys: [NaturalKey] = []

  @Option(help: .value("choice", "The object to keep."))
  var keep = Choice(DuplicateSurvivor.oldest)

  @Option(
    help: .value("path", "The folder for temporary data that does not fit in memory."),
    completion: .directory)
  var temporaryFolder: String?

  @OptionGroup var editing: EditingArguments

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { editing.writing.outputs }

  func validate() throws { try MatchingArguments.requireOneKeyPerEntity(naturalKeys) }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = DeduplicationOptions()
    options.naturalKeys = naturalKeys
    options.survivor = keep.value
    options.editing = editing.options
    options.environment.temporaryFolder = temporaryFolder
    var deduplicator = StoreDeduplicator(options: options, progress: session.progress)
    return try session.printingEvidence {
      if editing.dryRun {
        var entities: [EntityDuplicates] = []
        let status = try editing.preview(
          store, "without duplicates", json: output.json, session
        ) {
          deduplicator.progress = $0
          let summary = try deduplicator.preview(store, comparison: $1, onDifference: $2)
          entities = summary.entities
          return summary.differences
        }
        if !output.json {
          try session.printer.print(DuplicatesMessage(entities: entities))
        }
        return status
      }
      let summary = try deduplicator.deduplicate(store, at: editing.writing.target)
      try session.show(
        DedupeMessage(summary: summary, store: store, target: editing.writing.target))
      return .done
    }
  }
}

/// The result of removing duplicates.
struct DedupeMessage: Message {
  var summary: DeduplicationSummary
  /// The path of the store, as given.
  var store: String
  /// The path of the new store, as given; nil if the store was replaced.
  var target: String?

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let name = Terminal.printable(store)
    guard summary.duplicateCount > 0 else {
      try printer.line("\(name) has no duplicates\(target == nil ? "" : ": copied")")
      return try DuplicatesMessage(entities: summary.entities).write(to: printer)
    }
    let count = QuantityText.count(summary.duplicateCount, "duplicate")
    let place = target.map { ", written to \(Terminal.printable($0))" } ?? ""
    try printer.line("\(printer.style.bold("Removed \(count)")) from \(name)\(place)")
    var block = FieldBlock()
    for entity in summary.entities where entity.duplicateCount > 0 {
      block.add(
        entity.entityName.text,
        "\(QuantityText.count(entity.duplicateCount)) of "
          + "\(QuantityText.count(entity.objectCount)), by \(entity.rule.keyPaths.joined(separator: ", "))"
      )
    }
    if summary.movedCount > 0 {
      block.add("moved", QuantityText.count(summary.movedCount, "relationship"))
    }
    if summary.droppedCount > 0 {
      block.add(
        "dropped",
        QuantityText.count(summary.droppedCount, "relationship") + " among duplicates")
    }
    if summary.cascadedCount > 0 {
      block.add(
        "also removed", QuantityText.count(summary.cascadedCount, "object") + " that they owned")
    }
    try printer.block(block)
    try DuplicatesMessage(entities: summary.entities).write(to: printer)
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try DuplicatesMessage(entities: summary.entities).write(to: printer)
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONMembers = [
      "store": store, "target": target ?? store, "storeUUID": orNull(summary.storeUUID),
      "duplicates": summary.duplicateCount, "moved": summary.movedCount,
      "dropped": summary.droppedCount, "cascaded": summary.cascadedCount,
    ]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    try printer.summary(.done, members)
  }
}

/// The results for each entity with a key.
struct DuplicatesMessage: Message {
  var entities: [EntityDuplicates]

  /// The lines about objects without a usable key.
  func write(to printer: TextPrinter) throws {
    for entity in entities {
      let names = entity.rule.keyPaths.joined(separator: ", ")
      if entity.incompleteCount > 0 {
        let examples = entity.incompleteExamples.map(\.description)
          .listed(of: entity.incompleteCount)
        try printer.line(
          Terminal.printable(
            "\(entity.entityName): \(QuantityText.count(entity.incompleteCount)) without a value in "
              + "\(names) stay: \(examples)"))
      }
      if entity.sharedCount > 0 {
        let keys = QuantityText.count(entity.sharedCount, "key")
        try printer.line(
          Terminal.printable(
            "\(entity.entityName): objects of another entity have \(keys) too; they stay"))
      }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for entity in entities {
      var object: JSONMembers = [
        "type": "duplicates", "entity": entity.entityName.text, "rule": entity.rule.text,
        "properties": entity.rule.keyPaths, "objects": entity.objectCount,
        "duplicates": entity.duplicateCount,
      ]
      if entity.incompleteCount > 0 {
        object.append("incomplete", entity.incompleteCount)
        object.append("examples", entity.incompleteExamples.map(\.description))
      }
      if entity.sharedCount > 0 { object.append("shared", entity.sharedCount) }
      try printer.line(object)
    }
  }
}
