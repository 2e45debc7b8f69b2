internal import CoreDataLayout
internal import CoreDataModel

/// The tables whose lines are read as any bytes: every form that a column can have.
enum FuzzLines {
  /// The entities: `B` and `C` below `A`.
  static let entities = NumberedEntities([
    .init(name: "A", number: 1, superentityName: nil),
    .init(name: "B", number: 2, superentityName: "A"),
    .init(name: "C", number: 3, superentityName: "A"),
  ])

  /// The values out of line that lines can refer to.
  static let blobs: [UInt8] = Array("0123456789abcdef".utf8)

  /// A table of objects, one of pairs, and one that is carried as it is.
  static let tables = [
    TableLayout(
      folder: "entities/A", storedName: "ZA", kind: .entity, entityName: "A", fields: objectFields),
    TableLayout(
      folder: "relationships/A.bs", storedName: "Z_1BS", kind: .relationship, entityName: "A",
      relationshipName: "bs", hasRowNumbers: true,
      fields: [
        FieldLayout(storedName: "Z_1BS", role: .source),
        FieldLayout(storedName: "Z_2BS", role: .destination),
        FieldLayout(storedName: "Z_FOK", role: .destinationOrder),
        FieldLayout(storedName: "OTHER", role: .plain),
      ]),
    TableLayout(
      folder: "system/X", storedName: "X", kind: .system,
      fields: [
        FieldLayout(storedName: "a", role: .plain), FieldLayout(storedName: "$b", role: .plain),
      ]),
  ]

  private static let objectFields: [FieldLayout] = {
    var fields = [
      FieldLayout(storedName: "Z_PK", role: .primaryKey),
      FieldLayout(storedName: "Z_ENT", role: .entityNumber),
      FieldLayout(storedName: "Z_OPT", role: .version),
      FieldLayout(storedName: "ZONE", role: .toOne(name: "one", entity: "A")),
      FieldLayout(storedName: "ZMANY", role: .toOne(name: "many", entity: "A")),
      FieldLayout(storedName: "Z2_MANY", role: .toOneEntity(name: "many", entity: "A")),
      FieldLayout(storedName: "Z_FOK_ONE", role: .order(name: "one", entity: "A")),
      FieldLayout(storedName: "ZOWNER", role: .owner(entity: "B", relationship: "as")),
      FieldLayout(storedName: "Z_FOK_OWNER", role: .ownerOrder(entity: "B", relationship: "as")),
      FieldLayout(storedName: "ZREST", role: .plain),
    ]
    let types: [(String, AttributeType)] = [
      ("integer", .integer64), ("flag", .boolean), ("real", .double), ("number", .decimal),
      ("date", .date), ("text", .string), ("uuid", .uuid), ("binary", .binary),
    ]
    for (name, type) in types {
      fields.append(attribute([name], type))
    }
    fields.append(attribute(["large"], .binary, isExternal: true))
    fields.append(attribute(["place", "latitude"], .double))
    fields.append(attribute(["place", "address", "city"], .string))
    fields.append(attribute(["only"], .string, entity: "B"))
    return fields
  }()

  private static func attribute(
    _ path: [String], _ type: AttributeType, isExternal: Bool = false, entity: Name = "A"
  ) -> FieldLayout {
    FieldLayout(
      storedName: "Z" + path.joined().uppercased(),
      role: .attribute(
        path: path.map { Name($0) }, type: type, isExternal: isExternal, entity: entity))
  }

  /// Lines of all three tables; the first byte is the number of the table.
  static let seeds: [[UInt8]] = [
    #"0{"$pk":7,"$opt":2,"$entity":"B","binary":"AAEC","date":"2024-05-01T12:30:00.25Z","flag":true,"#
      + #""integer":-5,"large":"AAEC","many":{"$pk":4,"$entity":"C"},"number":1.5,"one":3,"only":"x","#
      + #""place":{"address":{"city":"B"},"latitude":52.5},"real":0.1,"text":"a\nb \u00e9","#
      + #""uuid":"0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1","$order":{"one":1024},"#
      + #""$owner":{"B.as":3},"$columns":{"ZREST":null}}"#,
    #"0{"$pk":1,"$opt":1,"large":{"$external":"0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"},"#
      + #""text":{"$bytes":[2,5]},"binary":{"$bytes":["0/1.bin",300]},"real":{"$real":"NaN"},"#
      + #""date":{"$integer":5},"uuid":{"$blob":"AA=="},"flag":{"$text64":"gA=="},"future":[{}]}"#,
    #"0{"$pk":9,"$number":77,"$columns":{"ZTEXT":{"$text":[0,3]},"ZLARGE":{"$blob":[4,4]}}}"#,
    #"0{"large":{"$bytes":[0,16]},"$pk":{"$real":1.0}}"#,
    #"1{"$row":4,"source":1,"destination":2,"order":1024,"$columns":{"OTHER":"x"}}"#,
    ##"2{"a":{"$blob":"AAEC"},"$$b":1e5}"##,
  ].map { Array($0.utf8) }
}

/// What a line binds, in its order, with the bytes copied.
final class BoundValues: Equatable {
  /// A value, as it was bound.
  enum Value: Equatable {
    case null, integer(Int64), real(UInt64), text([UInt8]), blob([UInt8]), marked([UInt8])
    case pending(String, Int)
  }

  var values: [(parameter: Int32, value: Value)] = []
  /// The memory in which lent bytes may be.
  var lenders: [Range<UInt>] = []
  /// Whether bytes were lent from elsewhere.
  var isOutside = false

  static func == (left: BoundValues, right: BoundValues) -> Bool {
    left.values.elementsEqual(right.values) { $0 == $1 }
  }
}
