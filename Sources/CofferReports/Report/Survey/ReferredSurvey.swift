internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// Finds the objects that no relationship of another object leads to.
///
/// An object counts as referred to if a to-one relationship or a pair leads to it, and if it has a
/// destination in a relationship whose inverse leads back.
final class ReferredSurvey: SurveyPart {
  /// A row's information about other objects and its own.
  private struct Step {
    let column: Int
    /// The marks of the destination; nil if only the object itself is referred to.
    let destination: KeyMarks?
    /// Whether the object itself is referred to.
    let isMutual: Bool
  }

  private var context: VerificationContext?
  private let room = KeyMarks.Room()
  private var marks: [Int: KeyMarks] = [:]
  /// The entities whose objects could be referred to.
  private var names: Set<Name> = []
  private var steps: [Int: [(holders: EntitySet, step: Step)]] = [:]
  private var counts: [Int]?

  func begin(_ context: VerificationContext) { self.context = context }

  func prepare() {
    guard let context else { return }
    for table in context.tables {
      switch table.shape.kind {
      case .entity:
        for (column, field) in table.shape.fields.enumerated() {
          plan(field.role, column, of: table, context)
        }
      case .relationship: plan(pairs: table, context)
      default: break
      }
    }
  }

  private func plan(
    _ role: FieldRole, _ column: Int, of table: VerifiedTable, _ context: VerificationContext
  ) {
    let model = context.subject.model
    switch role {
    case .toOne(let name, let entity):
      guard let found = model.relationship(name, of: entity) else { return }
      let relationship = found.relationship
      let isMutual = model.inverse(of: relationship) != nil
      if isMutual { add(entity, model) }
      let step = Step(
        column: column, destination: marks(of: relationship.destinationName, context),
        isMutual: isMutual)
      steps[table.index, default: []].append((context.tree(of: entity), step))
    case .owner(let entity, let name):
      // The owner refers to the object, and the object does not refer back.
      guard let found = model.relationship(name, of: entity) else { return }
      add(found.relationship.destinationName, model)
      steps[table.index, default: []].append(
        (
          context.tree(of: found.relationship.destinationName),
          Step(column: column, destination: nil, isMutual: true)
        ))
    default: break
    }
  }

  private func plan(pairs table: VerifiedTable, _ context: VerificationContext) {
    guard let entity = table.shape.entityName, let name = table.shape.relationshipName,
      let found = context.subject.model.relationship(name, of: entity)
    else { return }
    let destination = found.relationship.destinationName
    let sides: [(FieldRole, Name)] = [(.destination, destination), (.source, entity)]
    for (role, entity) in sides {
      guard let column = table.column(role) else { continue }
      let step = Step(column: column, destination: marks(of: entity, context), isMutual: false)
      steps[table.index, default: []].append((context.tree(of: entity), step))
      if found.relationship.inverseName == nil { return }
    }
  }

  /// The marks of the objects of an entity, which can be referred to from now on.
  private func marks(of entity: Name, _ context: VerificationContext) -> KeyMarks? {
    guard let table = context.table(ofEntity: entity) else { return nil }
    add(entity, context.subject.model)
    return marks(of: table)
  }

  private func marks(of table: VerifiedTable) -> KeyMarks {
    if let found = marks[table.index] { return found }
    let new = KeyMarks(room)
    marks[table.index] = new
    return new
  }

  private func add(_ entity: Name, _ model: ManagedObjectModel) {
    names.formUnion(model.tree(of: entity).map(\.name))
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard let context, let steps = steps[table.index] else { return nil }
    if table.shape.kind == .relationship { return PairVisitor(steps.map(\.step)) }
    return ObjectVisitor(EntityPlans(context, steps), marks(of: table))
  }

  func finish() throws {
    guard let context else { return }
    var counts = [Int](repeating: 0, count: context.entities.count)
    let candidates = (0..<context.entities.count).map { index in
      context.entities.name(UInt16(clamping: index)).map { names.contains($0) }
        ?? false
    }
    var isKnown = marks.values.allSatisfy { !$0.isFull }
    for table in context.objectTables where isKnown {
      guard let marks = marks[table.index], let keys = context.keys(of: table) else { continue }
      try keys.forEach { key, entry in
        let entity = Int(entry.entity)
        guard entity < candidates.count, candidates[entity], !marks.contains(key) else { return }
        if !KeyMarks.canHold(key) { isKnown = false }
        counts[entity] += 1
      }
    }
    if isKnown { self.counts = counts }
  }

  /// The objects, sorted by their number; nil if not all rows could be read, or there are too many
  /// keys.
  func objects(_ inspection: Inspection) -> [UnreferencedObjects]? {
    guard let counts, let context else { return nil }
    var byName: [Name: Int] = [:]
    for (index, count) in counts.enumerated() where count > 0 {
      byName[context.entities.name(UInt16(clamping: index)) ?? "", default: 0] += count
    }
    let found = inspection.entities.compactMap { entity in
      byName[entity.name].map {
        UnreferencedObjects(entityName: entity.name, count: $0, objectCount: entity.objectCount)
      }
    }
    return found.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.entityName < $1.entityName
    }
  }

  /// Marks the objects that the objects of a table refer to.
  private final class ObjectVisitor: RowVisitor {
    private let plans: EntityPlans<Step>
    private let own: KeyMarks

    init(_ plans: EntityPlans<Step>, _ own: KeyMarks) {
      self.plans = plans
      self.own = own
    }

    func visit(_ row: Row) {
      plans.forEachStep(of: row) { step, key in
        guard let target = row.integer(step.column) else { return }
        // An object that leads to itself is not referred to by another.
        if step.destination === own, target == key { return }
        step.destination?.insert(target)
        if step.isMutual { own.insert(key) }
      }
    }
  }

  /// Marks the objects that pairs lead to.
  private final class PairVisitor: RowVisitor {
    private let steps: [Step]
    /// Whether both sides are objects of one table.
    private let isReflexive: Bool

    init(_ steps: [Step]) {
      self.steps = steps
      isReflexive = steps.count == 2 && steps[0].destination === steps[1].destination
    }

    func visit(_ row: Row) {
      if isReflexive, row.integer(steps[0].column) == row.integer(steps[1].column) { return }
      for step in steps {
        if let target = row.integer(step.column) { step.destination?.insert(target) }
      }
    }
  }
}

/// A set of primary keys of one table: a bit for each, in bounded memory.
///
/// It can contain keys from 1 to 2^30. A mark that is not an object's key, such as a dangling
/// reference, does no harm: only the keys of objects are looked up.
final class KeyMarks {
  /// The memory that all sets of a run share.
  final class Room {
    /// The number of pages of 4 KB that are left.
    fileprivate var pageCount = 2560
  }

  private static let wordsInPage = 512
  private static let limit: Int64 = 1 << 30

  private let room: Room
  private var pages: [[UInt64]] = []
  /// Whether a key did not fit, so that absence means nothing.
  private(set) var isFull = false

  init(_ room: Room) { self.room = room }

  /// Adds a key; nothing happens if no object of a set can have it.
  func insert(_ key: Int64) {
    guard Self.canHold(key) else { return }
    let word = Int(key >> 6)
    let page = word / Self.wordsInPage
    while pages.count <= page { pages.append([]) }
    if pages[page].isEmpty {
      guard room.pageCount > 0 else {
        isFull = true
        return
      }
      room.pageCount -= 1
      pages[page] = [UInt64](repeating: 0, count: Self.wordsInPage)
    }
    pages[page][word % Self.wordsInPage] |= 1 << UInt64(key & 63)
  }

  /// Whether a key can be in a set.
  static func canHold(_ key: Int64) -> Bool { key > 0 && key < limit }

  /// Whether the set contains a key.
  func contains(_ key: Int64) -> Bool {
    guard Self.canHold(key) else { return false }
    let word = Int(key >> 6)
    let page = word / Self.wordsInPage
    guard page < pages.count, !pages[page].isEmpty else { return false }
    return pages[page][word % Self.wordsInPage] & (1 << UInt64(key & 63)) != 0
  }
}
