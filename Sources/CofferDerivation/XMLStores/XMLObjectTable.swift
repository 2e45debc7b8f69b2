internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Names of a model, found without regard to case.
struct FoldedNames {
  private var names: [String: [Name]] = [:]

  init(_ names: [Name]) {
    for name in names { self.names[name.text.lowercased(), default: []].append(name) }
  }

  /// The names that a name in the file can mean.
  ///
  /// Core Data writes entities in capitals and properties in small letters, so only a name in mixed case
  /// distinguishes names that differ in case.
  func names(for name: Name) -> [Name] {
    let all = names[name.text.lowercased()] ?? []
    let (small, capital) = (name.text.lowercased(), name.text.uppercased())
    let isFolded = name.text.hasSameBytes(as: small) || name.text.hasSameBytes(as: capital)
    return all.count > 1 && !isFolded && all.contains(name) ? [name] : all
  }
}

/// The objects of one entity of an XML store, as the records of a table.
final class XMLObjectTable: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "object"

  private enum Step {
    case key
    case attribute(Name, AttributeType)
    case reference(Name)
    case list(Name)
  }

  private var steps: [Step] = []
  private let objects: [XMLStore.Object]
  private let keys: [Name: Int64]
  private let known: FoldedNames
  private let relationships: Set<Name>
  private let rounding: XMLRounding
  /// The object that was read last, with its properties as the model names them.
  private var object: XMLStore.Object?

  init(
    _ objects: [XMLStore.Object], of entity: Name, _ keys: [Name: Int64], _ layout: StoreLayout,
    _ rounding: XMLRounding
  ) {
    self.objects = objects
    self.rounding = rounding
    self.keys = keys
    let model = layout.model
    relationships = Set(model.allRelationships(of: entity).map(\.name))
    known = FoldedNames(model.allAttributes(of: entity).map(\.name) + relationships)
    guard let table = layout.entityTable(of: entity) else { return }
    for column in SheetColumns.all(of: entity, table, model) {
      switch (column.content, table.columns[column.column].role) {
      case (.key, _): add(column.name, .key)
      case (.attribute(_, let type), .attribute(let path, _, _, _)):
        add(column.name, .attribute(Name(path: path), type))
      case (.reference, .toOne(let name, _)): add(column.name, .reference(name))
      default: continue
      }
    }
    for relationship in model.allRelationships(of: entity)
    where relationship.isToMany && !relationship.isTransient {
      add(relationship.name.text, .list(relationship.name))
    }
  }

  var label: String { object?.place() ?? "object \(record.line)" }

  private func add(_ name: String, _ step: Step) {
    columns.append(name)
    steps.append(step)
  }

  func next() throws(CofferError) -> Bool {
    guard record.line < objects.count else { return false }
    let object = try resolved(objects[record.line])
    self.object = object
    record.removeAll()
    buffer.removeAll()
    record.line += 1
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

  /// An object with its properties as the model names them.
  private func resolved(_ object: XMLStore.Object) throws(CofferError) -> XMLStore.Object {
    var found = object
    for index in object.attributes.indices {
      found.attributes[index].name = try name(
        object.attributes[index].name, ofRelationship: false, object)
    }
    for index in object.relationships.indices {
      found.relationships[index].name = try name(
        object.relationships[index].name, ofRelationship: true, object)
    }
    let names = found.attributes.map(\.name) + found.relationships.map(\.name)
    guard Set(names).count == names.count else {
      throw CofferError(
        .damagedStore, item: object.place(), detail: "two properties of the same name")
    }
    return found
  }

  /// The name of an attribute or of a relationship, as the model has it.
  private func name(
    _ name: Name, ofRelationship isRelationship: Bool, _ object: XMLStore.Object
  ) throws(CofferError) -> Name {
    let names = known.names(for: name)
    guard let first = names.first else {
      throw mismatch(object, name, "the model has no such property")
    }
    guard names.count == 1 else {
      throw mismatch(object, name, "it may be \(names[0]) or \(names[1])")
    }
    guard relationships.contains(first) == isRelationship else {
      let kinds = ["an attribute", "a relationship"]
      let (wanted, found) = isRelationship ? (kinds[1], kinds[0]) : (kinds[0], kinds[1])
      throw mismatch(object, first, "the model has \(found) of this name, not \(wanted)")
    }
    return first
  }

  private func mismatch(_ object: XMLStore.Object, _ name: Name, _ detail: String) -> CofferError {
    CofferError(.modelMismatch, item: object.place(name), detail: detail, advice: .giveModel)
  }

  private func damaged(_ object: XMLStore.Object, _ name: Name, _ detail: String) -> CofferError {
    CofferError(.damagedStore, item: object.place(name), detail: detail)
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
      guard !number.isInfinite || !text.contains(where: \.isNumber) else {
        throw damaged(object, name, "a number out of range")
      }
      return number.isNaN ? .none : .real(number)
    case .decimal:
      let text = text.trimmingWhitespace
      if text.lowercased() == "nan" { return .none }
      guard let number = Double(text), number.isFinite, Int64(text) == nil,
        !DecimalDigits(text).isExact(number)
      else { return append(text) }
      rounding.add(object.place(name))
      return .real(number)
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
