internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

extension TransferPlanner {
  /// The value of an attribute, or of an element of a composite one.
  mutating func attribute(
    _ path: [Name], declaredBy declarer: Name, isExternal: Bool, from old: EntityTable,
    _ members: [Member], _ builder: inout SelectionBuilder
  ) -> SelectionBuilder.Value {
    let place = PropertyReference(entity: declarer, property: path.first ?? "")
    var sources: [(numbers: [Int64], expression: String)] = []
    var columns: Set<Name> = []
    var markers: Set<Bool> = []
    var isPlain = true
    for member in members {
      guard let property = property(place, of: member) else { continue }
      var expression: String?
      if let origin = property.source {
        guard let column = Self.column(of: origin, path: path, in: old) else {
          note(
            .unexplainedRows, place, "the old store has no column for it",
            remedy: "Verify the store; it can be migrated only if it matches its model.")
          continue
        }
        columns.insert(Name(column.name))
        markers.insert(column.isExternal)
        expression = "t.\(quotedIdentifier(column.name))"
        if property.changes.contains(.madeRequired),
          let value = defaultValue(path, declaredBy: declarer)
        {
          isPlain = false
          expression = "coalesce(\(expression ?? "NULL"), \(builder.parameter(value)))"
        }
      } else if let value = defaultValue(path, declaredBy: declarer) {
        isPlain = false
        expression = builder.parameter(value)
      }
      guard let expression else { continue }
      add(member.oldNumber, expression, to: &sources)
    }
    let marker = marker(was: markers, isExternal: isExternal, place)
    if isPlain, columns.count == 1, let column = columns.first?.text, let covered = sources.first,
      holdsNothingElse(column, covered.numbers, in: old)
    {
      return .column(column, marker: marker, mayBeLarge: true, mayBeExternal: markers == [true])
    }
    guard marker == .unchanged || columns.isEmpty else {
      note(
        .notSupported, place,
        "external storage changes together with its entity or its default value")
      return .sql("NULL")
    }
    if isExternal, !isPlain {
      note(.notSupported, place, "it has a default value and allows external storage")
    }
    return .sql(Self.choice(sources, of: members))
  }

  private func marker(
    was markers: Set<Bool>, isExternal: Bool, _ place: PropertyReference
  ) -> TransferStatement.Marker {
    if markers.isEmpty || markers == [isExternal] { return .unchanged }
    return isExternal ? .added : .removed
  }

  /// The column of an attribute, or of an element of it, and whether it may be kept in files.
  private static func column(
    of origin: PropertyReference, path: [Name], in table: EntityTable
  ) -> (name: String, isExternal: Bool)? {
    let wanted = [origin.property] + path.dropFirst()
    for column in table.columns {
      if case .attribute(let path, _, let isExternal, let entity) = column.role,
        entity == origin.entity, path == wanted
      {
        return (column.storedName, isExternal)
      }
    }
    return nil
  }

  /// Whether a column of the old store has values of only these objects.
  private func holdsNothingElse(
    _ column: String, _ numbers: [Int64], in table: EntityTable
  ) -> Bool {
    guard let role = table.columns.first(where: { $0.storedName.hasSameBytes(as: column) })?.role,
      case .attribute(_, _, _, let declarer) = role
    else { return false }
    return self.numbers(below: declarer).intersection(carriedNumbers) == Set(numbers)
  }

  /// The default of an attribute, or of an element of it, as the new store keeps it.
  private func defaultValue(_ path: [Name], declaredBy declarer: Name) -> SQLiteValue? {
    mapping.destination[declarer]?.attribute(at: path).flatMap { AttributeDefault($0) }
      .map { SQLiteValue($0) }
  }

  // MARK: Expressions for some entities

  func add(
    _ number: Int64, _ expression: String,
    to sources: inout [(numbers: [Int64], expression: String)]
  ) {
    if let index = sources.firstIndex(where: { $0.expression == expression }) {
      sources[index].numbers.append(number)
    } else {
      sources.append(([number], expression))
    }
  }

  /// The expression for the entity of a row; NULL for entities that have none.
  static func choice(
    _ sources: [(numbers: [Int64], expression: String)], of members: [Member]
  ) -> String {
    guard let first = sources.first else { return "NULL" }
    if sources.count == 1, Set(first.numbers) == Set(members.map(\.oldNumber)) {
      return first.expression
    }
    let cases = sources.map { source in
      "WHEN t.\(entityNumber) IN (\(list(source.numbers))) THEN \(source.expression)"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }
}

extension SQLiteValue {
  /// The default of an attribute.
  package init(_ value: AttributeDefault) {
    self =
      switch value {
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .string(text)
      case .bytes(let bytes): .blob(bytes)
      }
  }
}
