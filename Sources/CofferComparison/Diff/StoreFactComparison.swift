internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Compares facts about two stores other than their objects.
struct StoreFactComparison<First: RowSource, Second: RowSource> {
  let first: First
  let second: Second
  let options: ComparisonOptions
  private(set) var differences: [StoreDifference] = []

  init(_ first: First, _ second: Second, _ options: ComparisonOptions) {
    self.first = first
    self.second = second
    self.options = options
  }

  /// Compares everything, in a fixed order.
  mutating func run() throws {
    try compareMetadata()
    compareModels()
    try compareCounters()
    compareSettings()
    compareStatements()
  }

  /// Records a difference.
  ///
  /// A value that is nil on one side is missing there.
  private mutating func compare(
    _ subject: StoreDifference.Subject, _ name: String, _ old: String?, _ new: String?
  ) {
    if let old, let new, old.hasSameBytes(as: new) { return }
    if old == nil, new == nil { return }
    note(subject, name, old, new)
  }

  private mutating func note(
    _ subject: StoreDifference.Subject, _ name: String, _ old: String?, _ new: String?
  ) {
    let isShown =
      options.includesValues || (options.includesCounters && subject == .primaryKeyCounter)
    differences.append(
      StoreDifference(
        subject: subject, kind: ChangeKind(from: old, to: new), name: name,
        oldValue: isShown ? old : nil, newValue: isShown ? new : nil))
  }

  private mutating func compareMetadata() throws {
    let (old, new) = (try first.metadata(), try second.metadata())
    if !options.ignoredAspects.contains(.uuid) { compare(.storeUUID, "", old.uuid, new.uuid) }
    if options.ignoredAspects.contains(.metadata) { return }
    compare(.metadata, "version", old.version.map(String.init), new.version.map(String.init))
    if old.propertyList == new.propertyList { return }
    guard let oldList = Self.entries(old), let newList = Self.entries(new) else {
      differences.append(StoreDifference(subject: .metadata, kind: .changed, name: ""))
      return
    }
    for key in Set(oldList.keys).union(newList.keys).sorted() {
      compare(.metadata, key.text, oldList[key]?.text, newList[key]?.text)
    }
  }

  private static func entries(_ metadata: StoreMetadata) -> [Name: PropertyListValue]? {
    if metadata.propertyList.isEmpty { return metadata.propertyListError == nil ? [:] : nil }
    guard let list = try? PropertyListValue.parse(metadata.propertyList),
      let entries = list.entries
    else { return nil }
    return Dictionary(entries.map { (Name($0.key), $0.value) }) { first, _ in first }
  }

  private mutating func compareModels() {
    let (old, new) = (first.model, second.model)
    if old == new { return }
    let names = Set((old.entities + new.entities).map(\.name))
    for name in names.sorted() where old[name] != new[name] {
      let kind = ChangeKind(from: old[name], to: new[name])
      differences.append(StoreDifference(subject: .model, kind: kind, name: name.text))
    }
    if old.versionIdentifiers != new.versionIdentifiers
      || old.configurations != new.configurations
      || old.fetchRequestTemplateNames != new.fetchRequestTemplateNames
    {
      differences.append(StoreDifference(subject: .model, kind: .changed, name: ""))
    }
  }

  /// Compares the entity numbers and the primary key counters.
  private mutating func compareCounters() throws {
    let (old, new) = (try Self.counters(first), try Self.counters(second))
    for name in Set(old.keys).union(new.keys).sorted() {
      compare(.entityNumber, name.text, old[name]?.number, new[name]?.number)
      if let old = old[name], let new = new[name], !options.ignoredAspects.contains(.counters) {
        compare(.primaryKeyCounter, name.text, old.counter, new.counter)
      }
    }
  }

  private static func counters(
    _ source: some RowSource
  ) throws -> [Name: (number: String, counter: String)] {
    var found: [Name: (number: String, counter: String)] = [:]
    for shape in source.shapes where shape.kind == .primaryKeys {
      let rows = try source.rows(of: shape)
      let values = ValueText([:])
      func text(_ name: String) -> String {
        let column = shape.fields.firstIndex { $0.storedName == name }
        return column.flatMap { values.text(.init(column: Int32(clamping: $0)), of: rows.row) }
          ?? "null"
      }
      let nameColumn = shape.fields.firstIndex { $0.storedName == StoredName.entityName }
      while try rows.next() {
        let name = Name(nameColumn.flatMap { rows.row.text($0) } ?? text(StoredName.entityName))
        let number =
          text(StoredName.entityNumber)
          + (text(StoredName.superentityNumber) == "0"
            ? "" : " below " + text(StoredName.superentityNumber))
        found[name] = found[name] ?? (number, text(StoredName.highestKey))
      }
    }
    return found
  }

  private mutating func compareSettings() {
    let (old, new) = (
      InspectionParts.settings(first.schema), InspectionParts.settings(second.schema)
    )
    compare(.setting, "page size", String(old.pageSize), String(new.pageSize))
    compare(.setting, "journal mode", old.journalMode, new.journalMode)
    compare(.setting, "auto-vacuum", old.autoVacuum, new.autoVacuum)
    compare(.setting, "encoding", old.encoding, new.encoding)
    compare(.setting, "user version", String(old.userVersion), String(new.userVersion))
    compare(.setting, "application ID", String(old.applicationID), String(new.applicationID))
  }

  private mutating func compareStatements() {
    func byName(_ schema: SchemaDocument) -> [Name: String] {
      Dictionary(
        schema.statements.map { (Name("\($0.kind) \($0.name)"), $0.text) }
      ) { first, _ in first }
    }
    let (old, new) = (byName(first.schema), byName(second.schema))
    for name in Set(old.keys).union(new.keys).sorted() {
      compare(.schema, name.text, old[name], new[name])
    }
  }
}
