package import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Compares the rows of two tables.
package final class RowComparison {
  package let first: ComparedTable
  package let second: ComparedTable
  private let isSwapped: Bool
  /// Whether entities have the same numbers on both sides.
  private let hasSameNumbers: Bool
  private var pairings: [Entities: RowPairing] = [:]
  private var last: (entities: Entities, pairing: RowPairing)?
  private lazy var firstText = ValueText(first.entityNames)
  private lazy var secondText = ValueText(second.entityNames)

  /// The entities of two rows by their numbers.
  private struct Entities: Hashable {
    var first: Int64?
    var second: Int64?
  }

  private let comparesVersions: Bool
  /// The contents of external files, if they are compared instead of their names.
  private let contents: ExternalContents?

  /// Whether equal bytes can have different meanings on the two sides.
  var isBoundToSide: Bool { isSwapped || first.refersToNumbers || second.refersToNumbers }

  /// Prepares to compare the rows of two corresponding tables.
  ///
  /// - Parameters:
  ///   - match: the tables.
  ///   - first: the source of the first.
  ///   - second: the source of the second.
  ///   - objects: the matching of the objects.
  ///   - contents: the contents of external files; nil to compare rows literally, including version
  ///     counters, order keys and the names of external files.
  ///   - comparesVersions: whether a literal comparison includes version counters.
  package init(
    _ match: TableMatching.Match, _ first: some RowSource, _ second: some RowSource,
    _ objects: MatchedObjects = .byKey(), contents: ExternalContents? = nil,
    comparesVersions: Bool = true
  ) {
    self.first = ComparedTable(match.first, of: first, .first, objects)
    self.second = ComparedTable(match.second, of: second, .second, objects)
    self.contents = contents
    self.comparesVersions = comparesVersions && contents == nil
    isSwapped = match.isSwapped
    hasSameNumbers = first.entities == second.entities
  }

  // MARK: Pairing

  private func pairing(_ left: Row, _ right: Row) -> RowPairing {
    let entities = Entities(
      first: first.entityNumber(of: left), second: second.entityNumber(of: right))
    if let last, last.entities == entities { return last.pairing }
    let pairing = pairings[entities] ?? makePairing(entities)
    pairings[entities] = pairing
    last = (entities, pairing)
    return pairing
  }

  private func makePairing(_ entities: Entities) -> RowPairing {
    var others: [(RowPairing.Label, RowPairing.Member)] = []
    func add(_ subject: PropertyDifference.Subject, _ left: Int?, _ right: Int?) {
      if left == nil, right == nil { return }
      func place(_ column: Int?) -> RowPairing.Place {
        RowPairing.Place(column: column.map { Int32(clamping: $0) } ?? -1)
      }
      others.append(
        (
          RowPairing.Label(subject: subject, name: ""),
          RowPairing.Member(first: place(left), second: place(right))
        ))
    }
    if comparesVersions { add(.version, first.versionColumn, second.versionColumn) }
    let names = (first.entityName(entities.first), second.entityName(entities.second))
    let hasSameEntity: Bool
    switch names {
    case (let left?, let right?): hasSameEntity = left == right
    case (nil, nil):
      hasSameEntity = true
      add(.entity, first.entityColumn, second.entityColumn)
    default: hasSameEntity = false
    }
    return RowPairing(
      first.plan(for: entities.first), second.plan(for: entities.second), and: others,
      hasSameEntity: hasSameEntity, isSwapped: isSwapped, includesOrder: contents == nil)
  }

  // MARK: Equality

  /// Whether the current, loaded rows of two cursors are equal.
  package func isSame(_ left: some RowCursor, _ right: some RowCursor) throws -> Bool {
    let pairing = pairing(left.row, right.row)
    guard pairing.hasSameEntity else { return false }
    for member in pairing.members where try !isSame(member, left, right) { return false }
    return true
  }

  private func isSame(
    _ member: RowPairing.Member, _ left: some RowCursor, _ right: some RowCursor
  ) throws -> Bool {
    if first.refersToNumbers(member.first.column), second.refersToNumbers(member.second.column),
      let one = try first.identity(member.first.column, of: left.row),
      let other = try second.identity(member.second.column, of: right.row)
    {
      if one != .missing || other != .missing { return one == other && one != .alone }
      // The same key, of an object that neither side has.
    }
    if let contents, member.first.form == .externalBinary, member.second.form == .externalBinary,
      let one = try contents.digest(of: left, Int(member.first.column), on: .first),
      let other = try contents.digest(of: right, Int(member.second.column), on: .second)
    {
      return one == other
    }
    guard try isSame(member.first.column, left, member.second.column, right) else { return false }
    let hasEntity = (member.first.entityColumn >= 0, member.second.entityColumn >= 0)
    if hasEntity == (false, false) { return true }
    if hasEntity != (true, true), member.first.column >= 0, member.second.column >= 0 {
      // Only one of the destinations can be of several entities.
      if left.row.isNull(Int(member.first.column)) { return true }
      let name = first.destinationName(member.first, of: left.row)
      let other = second.destinationName(member.second, of: right.row)
      if let name, let other { return name == other }
    }
    return isSameEntity(
      member.first.entityColumn, left.row, member.second.entityColumn, right.row)
  }

  private func isSame(
    _ leftColumn: Int32, _ left: some RowCursor, _ rightColumn: Int32, _ right: some RowCursor
  ) throws -> Bool {
    if leftColumn < 0 { return right.row.isNull(Int(rightColumn)) }
    if rightColumn < 0 { return left.row.isNull(Int(leftColumn)) }
    return try left.hasSameValue(Int(leftColumn), as: right, Int(rightColumn))
  }

  private func isSameEntity(
    _ leftColumn: Int32, _ left: Row, _ rightColumn: Int32, _ right: Row
  ) -> Bool {
    let numbers = (
      leftColumn < 0 ? nil : left.integer(Int(leftColumn)),
      rightColumn < 0 ? nil : right.integer(Int(rightColumn))
    )
    if !hasSameNumbers, let number = numbers.0, let other = numbers.1 {
      switch (first.entityNames[number], second.entityNames[other]) {
      case (let name?, let other?): return name == other
      case (nil, nil): return number == other
      default: return false
      }
    }
    if leftColumn < 0 { return right.isNull(Int(rightColumn)) }
    if rightColumn < 0 { return left.isNull(Int(leftColumn)) }
    return left.isSame(Int(leftColumn), as: right, Int(rightColumn)) ?? false
  }

  // MARK: Differences

  /// The properties that differ between two rows, sorted by name.
  ///
  /// - Returns: the differences; empty for equal rows.
  package func differences(
    _ left: some RowCursor, _ right: some RowCursor, _ options: ComparisonOptions
  ) throws -> [PropertyDifference] {
    let pairing = pairing(left.row, right.row)
    var found: [PropertyDifference] = []
    if !pairing.hasSameEntity {
      var difference = PropertyDifference(subject: .entity, name: "")
      if options.includesValues {
        difference.oldValue = entityText(of: left.row, first)
        difference.newValue = entityText(of: right.row, second)
      }
      found.append(difference)
    }
    for (member, label) in zip(pairing.members, pairing.labels)
    where try !isSame(member, left, right) {
      var difference = PropertyDifference(subject: label.subject, name: label.name)
      if options.includesValues || (options.includesCounters && label.subject == .version) {
        difference.oldValue = firstText.text(member.first, of: left.row)
        difference.newValue = secondText.text(member.second, of: right.row)
      }
      found.append(difference)
    }
    return found
  }

  /// The values of a row of the second side, as properties whose previous value is unknown.
  package func values(_ right: some RowCursor) -> [PropertyDifference] {
    let pairing = pairing(right.row, right.row)
    return zip(pairing.members, pairing.labels).compactMap { member, label in
      guard let text = secondText.text(member.second, of: right.row) else { return nil }
      return PropertyDifference(subject: label.subject, name: label.name, newValue: text)
    }
  }

  /// The values of a row of the first side, as properties that no longer have a value.
  func values(of left: some RowCursor) -> [PropertyDifference] {
    let pairing = pairing(left.row, left.row)
    return zip(pairing.members, pairing.labels).compactMap { member, label in
      guard let text = firstText.text(member.first, of: left.row) else { return nil }
      return PropertyDifference(subject: label.subject, name: label.name, oldValue: text)
    }
  }

  private func entityText(of row: Row, _ table: ComparedTable) -> String? {
    let number = table.entityNumber(of: row)
    if let name = table.entityName(number) { return ValueText.quoted(name.text) }
    return number.map(String.init)
  }

  // MARK: Content

  /// The columns of a join table, with the ends named as on the first side; nil if there is no
  /// such table.
  func ends(on side: SourceSide) -> PairMerge.Ends? {
    let table = side == .first ? first : second
    guard let source = table.column(.source), let destination = table.column(.destination) else {
      return nil
    }
    return side == .second && isSwapped
      ? PairMerge.Ends(source: destination, destination: source)
      : PairMerge.Ends(source: source, destination: destination)
  }

  /// A row of pairs with its content, with the ends named as on the first side.
  func pair(_ cursor: some RowCursor, isFirst: Bool) throws -> PairContent {
    let table = isFirst ? first : second
    var ends = (table.column(.source), table.column(.destination))
    if !isFirst, isSwapped { ends = (ends.1, ends.0) }
    return PairContent(
      source: KeyValue(cursor.row, ends.0), destination: KeyValue(cursor.row, ends.1),
      rest: try content(cursor, isFirst: isFirst, without: [ends.0, ends.1]))
  }

  /// The content of a row except some columns: equal content gives equal bytes on both sides.
  func content(
    _ cursor: some RowCursor, isFirst: Bool, without columns: [Int?] = []
  ) throws -> [UInt8] {
    let entities = Entities(first: nil, second: nil)
    let pairing = pairings[entities] ?? makePairing(entities)
    pairings[entities] = pairing
    var bytes: [UInt8] = []
    for member in pairing.members {
      let column = Int(isFirst ? member.first.column : member.second.column)
      if column < 0 {
        bytes.append(0)
      } else if !columns.contains(column) {
        try append(cursor, column, to: &bytes)
      }
    }
    return bytes
  }

  private func append(_ cursor: some RowCursor, _ column: Int, to bytes: inout [UInt8]) throws {
    let row = cursor.row
    func append(_ value: UInt64) {
      unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    switch row.storageClass(column) {
    case .null: bytes.append(0)
    case .integer:
      bytes.append(1)
      append(UInt64(bitPattern: row.integer(column) ?? 0))
    case .real:
      bytes.append(2)
      append((row.number(column) ?? 0).bitPattern)
    case let storage:
      bytes.append(storage == .text ? 3 : 4)
      append(UInt64(row.size(column)))
      // A digest represents a larger value, wherever its bytes are stored.
      if row.size(column) < LineLimits.outOfLine {
        try unsafe cursor.readValue(column) { unsafe bytes.append(contentsOf: $0) }
      } else {
        bytes.append(contentsOf: try cursor.digest(of: column, from: 0).hex.utf8)
      }
    }
  }
}
