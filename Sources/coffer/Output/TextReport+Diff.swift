internal import CofferKit
internal import CoreDataModel

extension TextReport {
  func compared(
    _ summary: ComparisonSummary, of files: (String, String), examples: DifferenceExamples,
    status: ExitStatus
  ) throws {
    let names = "\(printable(files.0)) and \(printable(files.1))"
    guard !summary.isEqual else {
      let count = QuantityText.count(summary.firstObjectCount, "object")
      return try line("\(names) are the same: \(count)")
    }
    try line(style.bold("\(names) differ"))
    try show(Self.block(summary))
    guard !examples.shown.isEmpty else { return }
    try line("")
    for difference in examples.shown { try self.difference(difference) }
    if examples.hiddenCount > 0 {
      try line("… and \(QuantityText.count(examples.hiddenCount)) more; --all shows them")
    }
  }

  private static func block(_ summary: ComparisonSummary) -> FieldBlock {
    var block = FieldBlock()
    if summary.store.total > 0 { block.add("store", text(of: summary.store)) }
    for entity in summary.entities { block.add(entity.entityName, text(of: entity.counts)) }
    for pairs in summary.relationships {
      block.add("\(pairs.entityName).\(pairs.relationshipName)", "pairs: \(text(of: pairs.counts))")
    }
    for table in summary.tables {
      block.add(table.tableName, "rows: \(text(table.added, table.removed, table.changed))")
    }
    if summary.externalData.total > 0 {
      block.add("external data", text(of: summary.externalData))
    }
    return block
  }

  func difference(_ difference: Difference) throws {
    switch difference {
    case .store(let store):
      let name = store.name.isEmpty ? "" : " \(store.name)"
      try change(store.kind, "store: \(store.subject.words)\(name)")
      try values(nil, store.oldValue, store.newValue)
    case .object(let object):
      let names = object.properties.map(Self.name)
      let list = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
      try change(object.kind, "\(object.objectID)\(list)")
      for property in object.properties {
        try values(Self.name(property), property.oldValue, property.newValue)
      }
    case .pair(let pair):
      let (source, destination) = (Self.key(pair.source), Self.key(pair.destination))
      try change(
        pair.kind, "\(pair.entityName).\(pair.relationshipName): \(source) → \(destination)")
    case .rows: break
    case .externalData(let file):
      let sizes = [file.oldByteCount, file.newByteCount].compactMap { $0 }
        .map(QuantityText.bytes).joined(separator: " → ")
      try change(file.kind, "external data: \(file.name) (\(sizes))")
    }
  }

  private func change(_ kind: ChangeKind, _ text: String) throws {
    switch kind {
    case .added: try line(style.green("+ \(printable(text))"))
    case .removed: try line(style.red("- \(printable(text))"))
    case .changed: try line(style.yellow("~ \(printable(text))"))
    }
  }

  private func values(_ name: String?, _ old: String?, _ new: String?) throws {
    guard old != nil || new != nil else { return }
    let label = name.map { "\($0): " } ?? ""
    try line("    \(printable("\(label)\(old ?? "nothing") → \(new ?? "nothing")"))")
  }

  private static func name(_ property: PropertyDifference) -> String {
    switch property.subject {
    case .attribute, .relationship, .column: property.name
    case .order: "place in \(property.name)"
    case .owner: "owner by \(property.name)"
    case .version: "version"
    case .entity: "entity"
    }
  }

  private static func key(_ key: Int64?) -> String { key.map { "p\($0)" } ?? "(no key)" }

  private static func text(of counts: ComparisonSummary.Counts) -> String {
    text(counts.added, counts.removed, counts.changed)
  }

  private static func text(_ added: Int, _ removed: Int, _ changed: Int) -> String {
    [(added, "added"), (removed, "removed"), (changed, "changed")]
      .filter { $0.0 > 0 }.map { "\(QuantityText.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

extension StoreDifference.Subject {
  /// The subject as a person reads it.
  var words: String {
    switch self {
    case .storeUUID: "UUID"
    case .metadata: "metadata"
    case .model: "model"
    case .entityNumber: "number of the entity"
    case .primaryKeyCounter: "counter of primary keys"
    case .setting: "setting"
    case .schema: "definition"
    }
  }
}
