internal import CoreDataModel

/// The parameters of the statement that inserts an item.
private struct ItemParameters {
  let flags, position, sequence, createdAt, modifiedAt, title, link, uuid, extra: Int
  let colorID, isLocked, author, noteText: Int
  let colorId, isDone, priority, location, parent, parentEntity, completedAt, dueDate: Int
  let estimate, progress, cost, locationName, todoText, interval, nextDate: Int

  init(_ insert: TableInsert) throws {
    flags = try insert.parameter("ItemEntity", "flags")
    position = try insert.parameter("ItemEntity", "position")
    sequence = try insert.parameter("ItemEntity", "sequence")
    createdAt = try insert.parameter("ItemEntity", "createdAt")
    modifiedAt = try insert.parameter("ItemEntity", "modifiedAt")
    title = try insert.parameter("ItemEntity", "title")
    link = try insert.parameter("ItemEntity", "link")
    uuid = try insert.parameter("ItemEntity", "uuid")
    extra = try insert.parameter("ItemEntity", "extra")
    colorID = try insert.parameter("NoteEntity", "colorID")
    isLocked = try insert.parameter("NoteEntity", "isLocked")
    author = try insert.parameter("NoteEntity", "author")
    noteText = try insert.parameter("NoteEntity", "text")
    colorId = try insert.parameter("TodoEntity", "colorId")
    isDone = try insert.parameter("TodoEntity", "isDone")
    priority = try insert.parameter("TodoEntity", "priority")
    location = try insert.parameter("TodoEntity", "location")
    parent = try insert.parameter("TodoEntity", "parent")
    parentEntity = try insert.entityParameter("TodoEntity", "parent")
    completedAt = try insert.parameter("TodoEntity", "completedAt")
    dueDate = try insert.parameter("TodoEntity", "dueDate")
    estimate = try insert.parameter("TodoEntity", "estimate")
    progress = try insert.parameter("TodoEntity", "progress")
    cost = try insert.parameter("TodoEntity", "cost")
    locationName = try insert.parameter("TodoEntity", "locationName")
    todoText = try insert.parameter("TodoEntity", "text")
    interval = try insert.parameter("RecurringTodoEntity", "interval")
    nextDate = try insert.parameter("RecurringTodoEntity", "nextDate")
  }
}

/// The entities of items by their numbers.
enum ItemKind {
  static let note = 3
  static let todo = 4
  static let recurringTodo = 5
}

extension LargeStore {
  /// The number of an item's entity: a function of its key, so that no table of them is needed.
  func kind(ofItem key: Int) -> Int {
    var random = SeededGenerator(seed: options.seed ^ UInt64(key) &* 0x2545_f491_4f6c_dd1d)
    switch random.below(100) {
    case ..<45: return ItemKind.note
    case ..<90: return ItemKind.todo
    default: return ItemKind.recurringTodo
    }
  }

  /// The bytes of a location's name: a function of its key, as to-dos have copies of it.
  func name(ofLocation key: Int) -> UnsafeRawBufferPointer {
    var random = SeededGenerator(seed: options.seed &+ UInt64(key) &* 0x9e37_79b9_7f4a_7c15)
    return unsafe text.take(6 + random.below(20), &random)
  }

  func writeItems() throws {
    let insert = try TableInsert(builder, "ItemEntity")
    let parameters = try ItemParameters(insert)
    let archives = (1...7).map {
      StoreValue.blob(
        PropertyList.archivedDictionary(["font": .string("Body"), "tint": .integer(Int64($0))]))
    }
    for key in 1...counts.items {
      let kind = kind(ofItem: key)
      insert.bind(
        key: key, entity: kind, version: max(version(), 1 + recordedUpdates(ofItem: key)))
      bindCommon(insert.statement, parameters, key)
      if random.below(30) == 0 {
        insert.statement.bind(archives[key % archives.count], at: parameters.extra)
      }
      if kind == ItemKind.note {
        bindNote(insert.statement, parameters)
      } else {
        bindTodo(insert.statement, parameters, key, isRecurring: kind == ItemKind.recurringTodo)
      }
      try insert.statement.run()
    }
  }

  private func bindCommon(
    _ statement: GeneratorStatement, _ parameters: ItemParameters, _ key: Int
  ) {
    statement.bind(random.below(256), at: parameters.flags)
    statement.bind(key * 16 - random.below(8), at: parameters.position)
    statement.bind(
      Int(truncatingIfNeeded: random.next()) >> random.below(60), at: parameters.sequence)
    let created = date()
    statement.bind(created, at: parameters.createdAt)
    if random.below(5) > 0 {
      statement.bind(created + random.unit() * 1e6, at: parameters.modifiedAt)
    }
    unsafe statement.bind(
      lentText: text.take(titleLengths.take(&random), &random), at: parameters.title)
    uuid.makeUUID(&random)
    unsafe statement.bind(lentBlob: uuid.value, at: parameters.uuid)
    if random.below(7) == 0 {
      scratch.begin()
      scratch.append("https://example.org/items/")
      scratch.append(key)
      scratch.append("?q=%F0%9F%8D%95&n=")
      scratch.append(random.below(1_000_000))
      unsafe statement.bind(lentText: scratch.value, at: parameters.link)
    }
  }

  private func bindNote(_ statement: GeneratorStatement, _ parameters: ItemParameters) {
    if random.below(2) == 0 { statement.bind(random.below(12) - 1, at: parameters.colorID) }
    statement.bind(random.below(20) == 0 ? 1 : 0, at: parameters.isLocked)
    if random.below(10) > 0 {
      statement.bind(1 + random.below(counts.people), at: parameters.author)
    }
    unsafe statement.bind(
      lentText: text.take(textLengths.take(&random), &random), at: parameters.noteText)
  }

  private func bindTodo(
    _ statement: GeneratorStatement, _ parameters: ItemParameters, _ key: Int, isRecurring: Bool
  ) {
    let isDone = random.below(2) == 0
    statement.bind(isDone ? 1 : 0, at: parameters.isDone)
    if isDone { statement.bind(date(), at: parameters.completedAt) }
    statement.bind(random.below(6), at: parameters.priority)
    if random.below(3) == 0 { statement.bind(random.below(1 << 24), at: parameters.colorId) }
    if random.below(5) < 3 { statement.bind(date().rounded(), at: parameters.dueDate) }
    if random.below(2) == 0 {
      statement.bind(Double(random.below(11)) / 2, at: parameters.estimate)
      statement.bind(Double(Float(random.unit())), at: parameters.progress)
    }
    if random.below(5) == 0 {
      statement.bind(Double(random.below(100_000)) / 100, at: parameters.cost)
    }
    switch random.below(10) {
    case 0: unsafe statement.bind(lentText: scratchEmpty, at: parameters.todoText)
    case 1...4:
      unsafe statement.bind(
        lentText: text.take(titleLengths.take(&random) * 2, &random), at: parameters.todoText)
    default: break
    }
    bindPlaces(statement, parameters, key)
    if isRecurring {
      statement.bind(1 + random.below(30), at: parameters.interval)
      if random.below(4) > 0 { statement.bind(date(), at: parameters.nextDate) }
    }
  }

  /// The location with the copy of its name, and the to-do above.
  private func bindPlaces(
    _ statement: GeneratorStatement, _ parameters: ItemParameters, _ key: Int
  ) {
    if random.below(4) == 0 {
      let location = 1 + random.below(counts.locations)
      statement.bind(location, at: parameters.location)
      unsafe statement.bind(lentText: name(ofLocation: location), at: parameters.locationName)
      todoCounts[location - 1] += 1
    }
    if key > 1, random.below(8) == 0 {
      let parent = 1 + random.below(key - 1)
      let kind = kind(ofItem: parent)
      if kind != ItemKind.note {
        statement.bind(parent, at: parameters.parent)
        statement.bind(kind, at: parameters.parentEntity)
      }
    }
  }

  /// An empty text with an address, which SQLite wants for texts that are not NULL.
  private var scratchEmpty: UnsafeRawBufferPointer {
    scratch.begin()
    return unsafe scratch.value
  }
}
