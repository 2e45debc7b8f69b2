internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks that each value is possible for its attribute's type.
final class ValueCheck: RunCheck, Check {
  static let name = CheckName.values
  static let modelNeed = ModelNeed.whole

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity else { return nil }
    let attributes = AttributeColumn.all(of: table, context.subject.model)
    let plans = EntityPlans(
      context,
      attributes.compactMap { attribute in
        StoredForm(attribute.type).map {
          (attribute.entityName, Step(column: attribute.column, form: $0))
        }
      })
    if plans.isEmpty { return nil }
    let names = Dictionary(attributes.map { ($0.column, $0.name) }) { first, _ in first }
    return RowVisitor { [context] row in
      for index in plans.indices(for: row) {
        let step = plans[index]
        guard let defect = step.form.defect(of: row, step.column) else { continue }
        try context.report(
          defect.code, objectID: context.objectID(row, in: table), propertyName: names[step.column],
          detail: step.form.detail(of: defect, row, step.column))
      }
    }
  }

  /// A column and the required form of its values.
  private struct Step {
    let column: Int
    let form: StoredForm
  }
}

/// The stored form of an attribute type's values (store-format, section 6).
enum StoredForm: Equatable {
  /// An integer within a range, as the width of the type allows.
  case integer(ClosedRange<Int64>)
  /// 0 or 1.
  case boolean
  /// A floating point number, or an integer that SQLite converted from one.
  case real
  /// A decimal. SQLite stores whole numbers as integers.
  case number
  /// A date: a number of seconds that is not infinite.
  case date
  case text
  /// The 16 bytes of a UUID.
  case uuid
  case binary

  /// The form of an attribute type; nil for types without a known form.
  init?(_ type: AttributeType) {
    switch type {
    case .integer16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = .integer(.min ... .max)
    case .boolean: self = .boolean
    case .double, .float: self = .real
    case .decimal: self = .number
    case .date: self = .date
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .binary, .transformable: self = .binary
    default: return nil
    }
  }

  /// A defect of a value.
  enum Defect {
    case storageClass
    case range
    case infinity
    case boolean
    case uuid
    case text

    var code: FindingCode {
      switch self {
      case .storageClass: .wrongStorageClass
      case .range: .integerOutOfRange
      case .infinity: .infiniteDate
      case .boolean: .invalidBoolean
      case .uuid: .invalidUUID
      case .text: .invalidText
      }
    }
  }

  /// The defect of a value; nil if it is valid or missing.
  ///
  /// A text that is too large to borrow passes.
  func defect(of row: Row, _ column: Int) -> Defect? {
    let storageClass = row.storageClass(column)
    if case .null = storageClass { return nil }
    switch self {
    case .integer(let range):
      guard let value = row.integer(column) else { return .storageClass }
      return range.contains(value) ? nil : .range
    case .boolean:
      guard let value = row.integer(column) else { return .storageClass }
      return value == 0 || value == 1 ? nil : .boolean
    case .real, .number:
      return switch storageClass {
      case .real, .integer: nil
      default: .storageClass
      }
    case .date:
      guard let seconds = row.number(column) else { return .storageClass }
      return seconds.isFinite ? nil : .infinity
    case .text:
      guard case .text = storageClass else { return .storageClass }
      guard !row.areTextsValid, let bytes = unsafe row.bytes(column) else { return nil }
      return unsafe UTF8Text.isValid(bytes) ? nil : .text
    case .uuid:
      guard case .blob = storageClass else { return .storageClass }
      return row.size(column) == 16 ? nil : .uuid
    case .binary:
      guard case .blob = storageClass else { return .storageClass }
      return nil
    }
  }

  /// The detail of a defect, which never contains the value.
  func detail(of defect: Defect, _ row: Row, _ column: Int) -> String {
    switch defect {
    case .storageClass: "\(Self.name(row.storageClass(column))) instead of \(expectedName)"
    case .range: "the type has \(widthName)"
    case .uuid: "\(row.size(column)) bytes"
    case .infinity, .boolean, .text: ""
    }
  }

  private var expectedName: String {
    switch self {
    case .integer, .boolean: Self.name(.integer)
    case .real, .number, .date: "a number"
    case .text: Self.name(.text)
    case .uuid, .binary: Self.name(.blob)
    }
  }

  private var widthName: String {
    guard case .integer(let range) = self else { return "" }
    return range.upperBound == Int64(Int16.max) ? "16 bits" : "32 bits"
  }

  private static func name(_ storageClass: StorageClass) -> String {
    switch storageClass {
    case .integer: "an integer"
    case .real: "a floating point number"
    case .text: "a text"
    case .blob: "bytes"
    case .null: "nothing"
    }
  }
}
