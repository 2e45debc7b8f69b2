internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

struct ColumnReplacement {
  private enum Content {
    case text, bytes, uuid, date, number(AttributeType), anything
    /// Keys and numbers of the store, which are kept.
    case structure
  }

  private let content: Content
  private let isExternal: Bool
  private let isOptional: Bool
  private let rule: ReplacementRule?
  private let conditions: TextConditions
  /// Whether a uniqueness constraint consists of this attribute alone.
  private let isUnique: Bool
  /// The attribute, as `Entity.attribute`; nil for another column.
  let attribute: Name?
  /// The attribute, or the column if it belongs to none.
  let label: String
  var numbers: ColumnNumbers
  /// Whether a value was replaced, and whether a value or a part of one was kept.
  private(set) var (hasReplaced, hasKept) = (false, false)

  init(
    _ field: FieldLayout, of table: String, _ model: ManagedObjectModel,
    _ rules: AnonymizationRules,
    isAnonymous: Bool
  ) {
    let usual: ReplacementRule? = isAnonymous ? nil : .keep
    var described: AttributeDescription?
    if case .attribute(let path, _, _, let entity) = field.role, path.count == 1 {
      described = model[entity]?.attribute(path[0])
    }
    conditions = TextConditions(described)
    let name = described?.name ?? ""
    isUnique =
      described != nil
      && model.entities.contains { entity in
        entity.uniquenessConstraints.contains { $0.count == 1 && $0[0] == name }
          && Self.declares(field, for: entity.name, model)
      }
    switch field.role {
    case .attribute(let path, let type, let isExternal, let entity):
      let name: Name = "\(entity).\(Name(path: path))"
      attribute = name
      rule = rules[name] ?? usual
      self.isExternal = isExternal
      isOptional = model[entity]?.attribute(path[0])?.isOptional ?? true
      content = Self.content(type)
      numbers = ColumnNumbers(
        path.last?.text, described, type, component: Self.component(path, of: entity, model))
    case .plain:
      (content, isExternal, isOptional, rule, attribute) = (.anything, false, true, usual, nil)
      numbers = ColumnNumbers(nil, nil, nil, component: nil)
    default:
      // Only numbers are keys: a text in their place is somebody's data.
      (content, isExternal, isOptional, rule, attribute) = (.structure, false, true, usual, nil)
      numbers = ColumnNumbers(nil, nil, nil, component: nil)
    }
    label = attribute?.text ?? "\(table).\(field.storedName)"
  }

  /// The component of a location that the model declares for an attribute; nil for none.
  private static func component(
    _ path: [Name], of entity: Name, _ model: ManagedObjectModel
  ) -> Int? {
    for kind in model.entities where model.isEntity(kind.name, kindOf: entity) {
      for attribute in kind.attributes {
        if let number = attribute.spatialComponents?.firstIndex(of: path) { return number }
      }
    }
    return nil
  }

  private static func declares(
    _ field: FieldLayout, for entity: Name, _ model: ManagedObjectModel
  ) -> Bool {
    guard case .attribute(_, _, _, let declarer) = field.role else { return false }
    return model.isEntity(entity, kindOf: declarer)
  }

  private static func content(_ type: AttributeType) -> Content {
    switch type {
    case .string, .uri: .text
    case .uuid: .uuid
    case .date: .date
    case .binary, .transformable: .bytes
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number(type)
    default: .anything
    }
  }

  /// Whether values were replaced without a rule.
  var isReplacedByDefault: Bool {
    switch content {
    case .text, .number: rule == nil && hasReplaced
    default: false
    }
  }

  /// Whether values were kept without a rule.
  var keepsByDefault: Bool { rule != .keep && hasKept }

  /// Whether every value stays.
  var keepsEverything: Bool { rule == .keep }

  /// Whether values may be texts that are replaced.
  var mayHaveTexts: Bool { !keepsEverything && !isStructure && rule != .null }

  /// Checks that the rule suits the values.
  func requireSuitableRule(_ path: String) throws(CofferError) {
    let problem: String? =
      switch (rule, content) {
      case (.fake, .text), (.fake, .anything): nil
      case (.fake, _): "only texts can be invented"
      case (.shift, .number), (.shift, .date), (.bucket, .number), (.bucket, .date): nil
      case (.shift, _), (.bucket, _): "only numbers and dates can be shifted or rounded"
      case (.constant, _) where isUnique: "its values must be different from each other"
      case (.null, _) where !isOptional: "its values are required, so they cannot be nil"
      default: nil
      }
    guard let problem else { return }
    throw CofferError(.incompatibleChoices, path: path, item: attribute?.text, detail: problem)
  }

  // MARK: Values

  /// The text of a row that a replacement could equal by chance; nil for none.
  func original(_ column: Int, of row: Row) -> [UInt8]? {
    guard case .text = row.storageClass(column) else { return nil }
    return unsafe row.bytes(column).map { unsafe Array($0) }
  }

  /// Examines a value before any is replaced.
  mutating func look(_ column: Int, of row: Row) {
    if let number = row.number(column) { numbers.look(at: number) }
  }

  /// Whether values are examined before any is replaced.
  var looks: Bool { !keepsEverything && !isStructure && numbers.looks }

  private var isStructure: Bool { if case .structure = content { true } else { false } }

  /// The replacement of a value; nil if it is kept.
  mutating func value(
    _ column: Int, of row: Row, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    if row.isNull(column) { return nil }
    values.keptStructure = false
    let result = try replacement(column, of: row, values)
    if keepsEverything || isStructure { return result }
    if hasReplaced, hasKept { return result }
    if let result, result != row.value(column) {
      hasReplaced = true
      hasKept = hasKept || values.keptStructure
    } else if !isNothing(row.value(column)) {
      hasKept = true
    }
    return result
  }

  private func isNothing(_ value: SQLiteValue) -> Bool {
    switch value {
    case .null: true
    case .text(let bytes):
      bytes.allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    case .blob(let bytes): bytes.isEmpty || isExternal && bytes == [ExternalValue.inlineMarker]
    case .integer(let number): isNothing(Double(number))
    case .real(let number): isNothing(number)
    }
  }

  private func isNothing(_ number: Double) -> Bool {
    if case .date = content { return ValueReplacement.isNever(number) }
    return numbers.isNothing(number)
  }

  private func replacement(
    _ column: Int, of row: Row, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    if isStructure, row.number(column) != nil { return nil }
    guard let rule else { return try ordinary(column, row, values) }
    switch rule {
    case .keep: return try kept(column, row, values)
    case .null: return .null
    case .constant(.text(let text)): return .string(text)
    case .constant(.number(let number)): return Self.number(number, like: row.value(column))
    case .hash: return try hash(column, row, values)
    case .fake(let kind):
      guard case .text(let bytes) = row.value(column) else {
        return try ordinary(column, row, values)
      }
      return .text(try values.invented(kind, for: bytes))
    case .shift(let distance): return changed(column, row) { $0 + distance }
    case .bucket(let size): return changed(column, row) { ($0 / size).rounded(.down) * size }
    }
  }

  /// The replacement of values without a rule.
  private func ordinary(
    _ column: Int, _ row: Row, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    switch row.value(column) {
    case .text(let bytes):
      if case .number = content, let number = Double(String(decoding: bytes, as: UTF8.self)) {
        return try digits(bytes, number, values)
      }
      return .text(try values.text(bytes, conditions))
    case .blob(let bytes):
      if isExternal { return try marked(bytes, values) }
      if case .uuid = content { return .blob(try values.uuid(bytes)) }
      return .blob(try values.blob(bytes))
    case .integer, .real:
      if case .date = content { return changed(column, row, values.date) }
      guard let number = row.number(column) else { return nil }
      return try numbers.value(row.value(column), number, values)
    case .null: return nil
    }
  }

  /// The replacement of a number that is stored as text; nil if it is kept.
  private func digits(
    _ bytes: [UInt8], _ number: Double, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    if let whole = Int64(exactly: number), NumberReplacement.stays(whole) { return nil }
    return .text(try values.unique(bytes) { (values.numbers.digits(bytes, attempt: $0), false) })
  }

  private func marked(
    _ bytes: [UInt8], _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue {
    if bytes.first == ExternalValue.inlineMarker {
      return .blob([ExternalValue.inlineMarker] + (try values.blob(Array(bytes.dropFirst()))))
    }
    guard let name = ExternalValue.fileName(.blob(bytes)) else {
      return .blob(try values.blob(bytes))
    }
    try values.ledger.note(file: name, of: label, isKept: false)
    return ExternalValue.inFile(named: values.fileName(name))
  }

  /// A value that is kept, except for the name of its file.
  private func kept(
    _ column: Int, _ row: Row, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    guard isExternal, row.firstByte(column) == ExternalValue.fileMarker,
      let name = ExternalValue.fileName(row.value(column))
    else { return nil }
    try values.ledger.note(file: name, of: label, isKept: true)
    return ExternalValue.inFile(named: values.fileName(name))
  }

  private func hash(
    _ column: Int, _ row: Row, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    switch row.value(column) {
    case .text(let bytes): return .text(values.hash(bytes))
    case .integer(let number):
      let bytes = Array("\(number)".utf8)
      if case .date = content { return changed(column, row, values.date) }
      return .integer(try values.number(bytes, upTo: largest))
    case .real(let number):
      if case .date = content { return changed(column, row, values.date) }
      return .real(Double(try values.number(Array("\(number)".utf8), upTo: largest)))
    default: return try ordinary(column, row, values)
    }
  }

  private var largest: Int64 {
    guard case .number(let type) = content else { return 1 << 53 }
    return switch type {
    case .boolean: 2
    case .integer16: 1 << 15
    case .integer32: 1 << 31
    case .float: 1 << 24
    default: 1 << 53
    }
  }

  private func changed(_ column: Int, _ row: Row, _ change: (Double) -> Double) -> SQLiteValue? {
    row.number(column).map { Self.number(change($0), like: row.value(column)) }
  }

  private static func number(_ number: Double, like value: SQLiteValue) -> SQLiteValue {
    if case .integer = value, let whole = Int64(exactly: number) { return .integer(whole) }
    return .real(number)
  }
}
