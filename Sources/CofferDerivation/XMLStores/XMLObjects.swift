internal import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The objects of an XML store, by entity, with their keys.
struct XMLObjects {
  /// The objects of one entity.
  private var groups: [(entity: Name, objects: [XMLStore.Object])] = []
  private let layout: StoreLayout
  private let keys: [Name: Int64]

  /// Finds the entities of objects, whose names are in capitals in the file.
  ///
  /// An object keeps the number of its ID as its key: `z102` has key 102. Others get the numbers that follow.
  ///
  /// - Parameters:
  ///   - store: the XML store.
  ///   - layout: the meaning of the tables of the SQLite store.
  /// - Throws: ``CofferError`` with `model-mismatch` for an object of no entity, or of two whose names differ
  ///   only in case.
  init(_ store: XMLStore, _ layout: StoreLayout) throws(CofferError) {
    self.layout = layout
    var entities: [Name: [Name]] = [:]
    for entity in layout.model.entities {
      entities[Name(entity.name.text.uppercased()), default: []].append(entity.name)
    }
    var positions: [Name: Int] = [:]
    var keys: [Name: Int64] = [:]
    var free: Int64 = 1
    for object in store.objects {
      if let key = Self.key(object.id) { free = max(free, key + 1) }
    }
    for object in store.objects {
      let names = entities[object.type] ?? []
      guard let name = names.first, names.count == 1 else {
        throw CofferError(
          .modelMismatch, item: "\(object.id)",
          detail: names.isEmpty
            ? "the model has no entity \(object.type)"
            : "\(object.type) may be \(names[0]) or \(names[1])", advice: .giveModel)
      }
      if positions[name] == nil {
        positions[name] = groups.count
        groups.append((name, []))
      }
      if let position = positions[name] { groups[position].objects.append(object) }
      if let key = Self.key(object.id) {
        keys[object.id] = key
      } else {
        keys[object.id] = free
        free += 1
      }
    }
    self.keys = keys
  }

  /// The number of an ID; nil for one that Core Data would not write.
  private static func key(_ id: Name) -> Int64? {
    guard id.text.first == "z", let number = Int64(id.text.dropFirst()), number > 0,
      number <= 1 << 40, "z\(number)" == id.text
    else { return nil }
    return number
  }

  /// The tables of the objects.
  var tables: [SheetFile] {
    groups.map { group in
      SheetFile(
        path: group.entity.text, place: group.entity.text,
        format: .made { XMLObjectTable(group.objects, of: group.entity, keys, layout) },
        subject: .objects(group.entity))
    }
  }
}

/// The objects of one entity of an XML store, as the records of a table.
private final class XMLObjectTable: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "object"

  /// What a column has.
  private enum Step {
    case key
    case attribute(Name, AttributeType)
    case reference(Name)
    case list(Name)
  }

  private var steps: [Step] = []
  private let objects: [XMLStore.Object]
  private let keys: [Name: Int64]
  private let known: Set<Name>

  /// Plans the columns.
  init(
    _ objects: [XMLStore.Object], of entity: Name, _ keys: [Name: Int64], _ layout: StoreLayout
  ) {
    self.objects = objects
    self.keys = keys
    let model = layout.model
    let properties =
      model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
    known = Set(properties.map(Self.written))
    guard let table = layout.entityTable(of: entity) else { return }
    for column in SheetColumns.all(of: entity, table, model) {
      switch (column.content, table.columns[column.column].role) {
      case (.key, _): add(column.name, .key)
      case (.attribute(_, let type), .attribute(let path, _, _, _)):
        add(column.name, .attribute(Self.written(Name(path: path)), type))
      case (.reference, .toOne(let name, _)): add(column.name, .reference(Self.written(name)))
      default: continue
      }
    }
    for relationship in model.allRelationships(of: entity)
    where relationship.isToMany && !relationship.isTransient {
      add(relationship.name.text, .list(Self.written(relationship.name)))
    }
  }

  /// A name of a property as the file has it: in small letters.
  private static func written(_ name: Name) -> Name { Name(name.text.lowercased()) }

  private func add(_ name: String, _ step: Step) {
    columns.append(name)
    steps.append(step)
  }

  func next() throws(CofferError) -> Bool {
    guard record.line < objects.count else { return false }
    let object = objects[record.line]
    record.removeAll()
    buffer.removeAll()
    record.line += 1
    try requireKnown(object)
    for (column, step) in steps.enumerated() {
      let value: SheetValue
      switch step {
      case .key: value = keys[object.id].map { .integer($0) } ?? .none
      case .attribute(let name, let type):
        value =
          try object.text(name).map { text throws(CofferError) in
            try self.value(text, type, object, name)
          } ?? .none
      case .reference(let name):
        let ids = object.ids(name)
        guard ids.count < 2 else {
          throw damaged(object, name, "a to-one relationship with \(ids.count) destinations")
        }
        value = ids.first.flatMap { keys[$0] }.map { .integer($0) } ?? .none
      case .list(let name):
        let first = record.elements.count
        for id in object.ids(name) { record.elements.append(.integer(keys[id] ?? 0)) }
        value = .list(first..<record.elements.count)
      }
      record.fields.append(SheetRecord.Field(column: column, value: value))
    }
    return true
  }

  private func requireKnown(_ object: XMLStore.Object) throws(CofferError) {
    let names = object.attributes.map(\.name) + object.relationships.map(\.name)
    guard let name = names.first(where: { !known.contains($0) }) else { return }
    throw CofferError(
      .modelMismatch, item: "\(object.id).\(name)", detail: "the model has no such property",
      advice: .giveModel)
  }

  private func damaged(_ object: XMLStore.Object, _ name: Name, _ detail: String) -> CofferError {
    CofferError(.damagedStore, item: "\(object.id).\(name)", detail: detail)
  }

  /// A value of an attribute; none for a number that is not one, as an SQLite store has it.
  private func value(
    _ text: String, _ type: AttributeType, _ object: XMLStore.Object, _ name: Name
  ) throws(CofferError) -> SheetValue {
    switch type {
    case .double, .float, .date:
      guard let number = Double(text.trimmingWhitespace) else {
        throw damaged(object, name, "a value that is not a number")
      }
      return number.isNaN ? .none : .real(number)
    case .decimal where text.trimmingWhitespace.lowercased() == "nan": return .none
    case .binary, .transformable:
      guard let bytes = XMLStore.Object.bytes(ofBase64: text) else {
        throw damaged(object, name, "a value that is not base64")
      }
      return unsafe bytes.withUnsafeBytes { unsafe .blob(buffer.append($0)) }
    case .string, .uri: return append(text)
    default: return append(text.trimmingWhitespace)
    }
  }

  private func append(_ text: String) -> SheetValue {
    var text = text
    return text.withUTF8 { unsafe .text(buffer.append(UnsafeRawBufferPointer($0))) }
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
