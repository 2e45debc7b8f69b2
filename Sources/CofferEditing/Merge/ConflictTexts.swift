internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Writes the values of the sides of a merge that are in conflict.
struct ConflictTexts {
  private let side: MergeSide
  private var comparisons: [Int: RowComparison] = [:]

  init(_ side: MergeSide) { self.side = side }

  /// The value of an attribute as JSON, or the destination of a to-one relationship with its title.
  ///
  /// Without a table that the column leads to, it is an attribute's. Nil is no value.
  mutating func text(
    _ column: Int, of object: StoredObject, leadingTo destination: Int?
  ) throws -> String? {
    guard let row = try side.shownRow(object) else { return nil }
    if let destination, let key = row.row.integer(column) {
      return try name(of: StoredObject(table: destination, key: key))
    }
    let name = side.shape(object.table).propertyName(column)
    return values(of: row, object).first { $0.name == name }?.newValue
  }

  mutating func name(of object: StoredObject) throws -> String {
    let title = try title(of: object).map { " \(ValueText.quoted($0))" } ?? ""
    return try "\(side.id(object))\(title)"
  }

  /// An object with its title; nil if there is none.
  mutating func present(_ object: StoredObject) throws -> String? {
    try side.lookup.contains(object) ? name(of: object) : nil
  }

  private static let longestList = 20

  /// Objects with their titles, up to a number; nil if there are none.
  mutating func names(of objects: [StoredObject]) throws -> String? {
    guard !objects.isEmpty else { return nil }
    let names = try objects.prefix(Self.longestList).map { try name(of: $0) }
    let rest = objects.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Values of an object as a JSON object, with destinations as texts with their titles; nil if there is no
  /// such object.
  mutating func values(
    _ columns: [(column: Int, destination: Int?)], of object: StoredObject
  ) throws -> String? {
    guard try side.lookup.contains(object) else { return nil }
    let members = try columns.map { column, destination in
      let text = try text(column, of: object, leadingTo: destination)
      let value = destination == nil ? text : text.map(ValueText.quoted)
      let name = side.shape(object.table).propertyName(column)
      return "\(ValueText.quoted(name.text)):\(value ?? "null")"
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// A readable name for an object: a name or a title, or else its first text; nil if it has none.
  mutating func title(of object: StoredObject) throws -> String? {
    guard let row = try side.shownRow(object) else { return nil }
    var found: (rank: Int, text: String)?
    for value in values(of: row, object) where value.subject == .attribute {
      guard let json = value.newValue, let text = Self.plain(json), !text.isEmpty else { continue }
      let rank = Self.rank(value.name.text.lowercased())
      if found.map({ rank < $0.rank }) ?? true { found = (rank, text) }
    }
    return found?.text
  }

  /// How well a property identifies its object for people: the lower, the better.
  private static func rank(_ name: String) -> Int {
    if name == "title" || name == "name" { return 0 }
    return name.hasSuffix("title") || name.hasSuffix("name") ? 1 : 2
  }

  private static let longestTitle = 60

  /// The text of a JSON string, up to a length; nil for other values.
  private static func plain(_ json: String) -> String? {
    guard json.utf8.first == UInt8(ascii: "\""),
      case .string(let text)? = try? JSONValue.parse(Array(json.utf8))
    else { return nil }
    return text.count > longestTitle ? text.prefix(longestTitle) + "…" : text
  }

  private mutating func values(of row: StoreRows, _ object: StoredObject) -> [PropertyDifference] {
    let shape = side.shape(object.table)
    let comparison =
      comparisons[object.table]
      ?? RowComparison(TableMatching.Match(first: shape, second: shape), side.source, side.source)
    comparisons[object.table] = comparison
    return comparison.values(row)
  }
}
