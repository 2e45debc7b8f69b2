internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The description of exported files for programs that read them: a Data Package with a Table Schema for
/// each file (<https://datapackage.org>).
struct DataPackage {
  static let fileName = "datapackage.json"

  let plan: DataExportPlan
  let format: DataFormat
  let files: [DataFile]

  /// Writes the description next to the files.
  func write(to folder: OutputFolder) throws(CofferError) {
    let file = LineFile(Self.fileName, in: folder)
    let package = JSONValue.object(["resources": .array(resources)])
    try file.append { text in
      package.write(into: &text, layout: .indented)
      text.append(0x0A)
    }
    try file.flush()
  }

  private var resources: [JSONValue] {
    plan.tables.flatMap { table in
      table.parts.compactMap { part in
        file(of: part).map { .object(resource($0, part)) }
      }
    }
  }

  private func file(of part: DataPart) -> DataFile? {
    files.first {
      $0.entityName == part.entityName
        && ($0.relationshipName ?? "") == (part.relationshipName ?? "")
        && ($0.relationshipName == nil) == (part.relationshipName == nil)
    }
  }

  private func resource(_ file: DataFile, _ part: DataPart) -> JSONObject {
    var schema: JSONObject = ["fields": .array(part.columns.map { .object(field($0)) })]
    if let key = part.columns.first(where: { $0.content == .key }) {
      schema.append("primaryKey", .array([.string(key.name)]))
    }
    schema.append("foreignKeys", part.columns.compactMap(foreignKey)) { $0 }
    return [
      "name": .string(file.fileName), "path": .string(file.fileName),
      "format": .string(format.rawValue),
      "mediatype": .string(format == .csv ? "text/csv" : "application/x-ndjson"),
      "encoding": .string("utf-8"), "schema": .object(schema),
    ]
  }

  private func field(_ column: DataColumn) -> JSONObject {
    let (type, format) = Self.type(of: column.content)
    var field: JSONObject = [
      "name": .string(column.name), "type": .string(type), "format": format.map { .string($0) },
    ]
    if column.content == .key {
      field.append("constraints", .object(["required": .bool(true), "unique": .bool(true)]))
    }
    return field
  }

  /// The name of a type, with its details.
  private static func type(of content: DataColumn.Content) -> (String, String?) {
    switch content {
    case .key, .reference, .position: return ("integer", nil)
    case .destinationEntity, .file: return ("string", nil)
    case .attribute(let form, let type):
      switch form {
      case .integer: return ("integer", nil)
      case .boolean: return ("boolean", nil)
      case .real, .number: return ("number", nil)
      case .date: return ("datetime", nil)
      case .uuid: return ("string", "uuid")
      case .binary, .externalBinary: return ("string", "binary")
      case .text: return ("string", type == .uri ? "uri" : nil)
      default: return ("any", nil)
      }
    }
  }

  /// The file with the destinations of a column; nil for a column without destinations, or with
  /// destinations in several files.
  private func foreignKey(_ column: DataColumn) -> JSONValue? {
    guard column.content == .reference, let root = column.destinationRoot,
      let table = plan.tables.first(where: { !$0.isPairs && $0.entityName == root })
    else { return nil }
    let destinations = table.parts.compactMap(file(of:))
    guard destinations.count == 1, table.parts.count(where: { !$0.isAbstract }) == 1,
      let destination = destinations.first
    else { return nil }
    return .object([
      "fields": .array([.string(column.name)]),
      "reference": .object([
        "resource": .string(destination.fileName), "fields": .array([.string(plan.keyName)]),
      ]),
    ])
  }
}
