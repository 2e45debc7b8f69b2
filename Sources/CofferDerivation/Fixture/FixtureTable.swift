internal import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The objects of one entity of a fixture, as the records of a table.
final class FixtureTable: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "object"

  /// The content of a column.
  private enum Step {
    case key
    /// The values of an attribute, and the key of the first object with the attribute.
    case value(FixtureAttribute, Int64)
    case file(FixtureAttribute, Int64, name: String)
    /// The owner of each member; keys of owners and of members start with these.
    case owner(FixturePairing, owners: Int64, members: Int64)
    case position(FixturePairing, members: Int64)
    case list(FixturePairing, owners: Int64, members: Int64)
  }

  private var steps: [Step] = []
  private let firstKey: Int64
  private let count: Int
  private let files: WorkFolder
  private let seed: UInt64

  init(_ entity: Name, table: Int, _ plan: FixturePlan, files: WorkFolder, seed: UInt64) {
    firstKey = plan.population.firstKey(of: entity)
    count = plan.population.count(of: entity)
    self.files = files
    self.seed = seed
    let stored = plan.schema.tables[table]
    var references: [Int: Int] = [:]
    for (index, reference) in plan.schema.references.enumerated() where reference.table == table {
      references[reference.column] = index
      if let order = reference.orderColumn { references[order] = index }
    }
    for column in SheetColumns.all(of: entity, stored, plan.model) {
      add(column, stored.columns[column.column].role, references[column.column], plan, entity)
    }
    for (index, pairs) in plan.schema.pairs.enumerated() {
      guard let end = pairs.ends.first, plan.model.isEntity(entity, kindOf: end.property.entity),
        let (link, pairing) = plan.pairing(.pairs(index)),
        plan.model.isEntity(entity, kindOf: link.members)
      else { continue }
      columns.append(end.property.property.text)
      steps.append(
        .list(
          pairing, owners: plan.population.firstKey(of: link.owners),
          members: plan.population.firstKey(of: link.members)))
    }
  }

  private func add(
    _ column: DataColumn, _ role: FieldRole, _ reference: Int?, _ plan: FixturePlan,
    _ entity: Name
  ) {
    let step: Step
    switch (column.content, role) {
    case (.key, _): step = .key
    case (.attribute, .attribute(let path, _, _, let declarer)),
      (.file, .attribute(let path, _, _, let declarer)):
      guard let attribute = plan.attribute(path, of: declarer) else { return }
      let first = plan.population.firstKey(of: declarer)
      step =
        column.content == .file
        ? .file(attribute, first, name: "\(declarer).\(column.name)") : .value(attribute, first)
    case (.reference, _), (.position, _):
      guard let reference, let (link, pairing) = plan.pairing(.reference(reference)),
        plan.model.isEntity(entity, kindOf: link.members)
      else { return }
      let members = plan.population.firstKey(of: link.members)
      step =
        column.content == .position
        ? .position(pairing, members: members)
        : .owner(pairing, owners: plan.population.firstKey(of: link.owners), members: members)
    default: return
    }
    columns.append(column.name)
    steps.append(step)
  }

  func next() throws(CofferError) -> Bool {
    guard record.line < count else { return false }
    record.removeAll()
    buffer.removeAll()
    let key = firstKey + Int64(record.line)
    record.line += 1
    for (column, step) in steps.enumerated() {
      record.fields.append(SheetRecord.Field(column: column, value: try value(step, key)))
    }
    return true
  }

  private func value(_ step: Step, _ key: Int64) throws(CofferError) -> SheetValue {
    switch step {
    case .key: return .integer(key)
    case .value(let attribute, let first):
      let number = Int(key - first)
      if attribute.isInFile(number) { return .none }
      return buffer.append(attribute.value(number, place: record.line - 1))
    case .file(let attribute, let first, let name):
      return attribute.isInFile(Int(key - first)) ? try file(name, key) : .none
    case .owner(let pairing, let owners, let members):
      let owner = pairing.owners[Int(key - members)]
      return owner < 0 ? .none : .integer(owners + Int64(owner))
    case .position(let pairing, let members):
      let member = Int(key - members)
      return pairing.owners[member] < 0
        ? .none : .integer(2048 + 1024 * Int64(pairing.ranks[member]))
    case .list(let pairing, let owners, let members):
      let first = record.elements.count
      for owner in pairing.lists[Int(key - members)] {
        record.elements.append(.integer(owners + Int64(owner)))
      }
      return .list(first..<record.elements.count)
    }
  }

  /// The size in bytes from which Core Data stores values in files.
  private static let fileSize = 100 << 10

  private func file(_ name: String, _ key: Int64) throws(CofferError) -> SheetValue {
    var random = SeededRandom(SeededRandom.seed(seed, name, "\(key)"))
    guard let own = UUIDText.text(EdgeValues.uuid(random.next(), random.next())) else {
      return .none
    }
    let line = Array("\(FixtureTexts.word(random.next())) ".utf8)
    let size = Self.fileSize + random.below(Self.fileSize)
    var bytes: [UInt8] = []
    while bytes.count < size { bytes += line }
    let path = own.uppercased()
    _ = try files.write(bytes, to: path)
    return buffer.append(.string(path))
  }
}
