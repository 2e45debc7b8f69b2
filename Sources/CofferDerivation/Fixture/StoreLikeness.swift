internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The statistics of a store, without any of its values.
struct StoreLikeness {
  /// The number of objects by entity.
  private(set) var counts: [Name: Int] = [:]
  /// The look of values, by `Entity.attribute`.
  private(set) var values: [Name: ValueLikeness] = [:]
  /// The share of objects with a destination of a to-one relationship, by `Entity.relationship`.
  private(set) var shares: [Name: Double] = [:]
  /// The number of pairs of a many-to-many relationship, by `Entity.relationship` of one side.
  private(set) var pairCounts: [Name: Int] = [:]

  /// Reads a store or an archive.
  init(of path: String, _ environment: WorkEnvironment, progress: any ProgressReporter) throws {
    var opening = SourceOpening(environment)
    opening.progress = progress
    opening.repeatsIfChanged = true
    self = try opening.open(path, for: Survey())
  }

  private init() {}

  private struct Survey: SourceUse {
    func use(_ source: some RowSource) throws -> StoreLikeness {
      var likeness = StoreLikeness()
      for shape in source.shapes where shape.kind == .entity {
        try likeness.survey(shape, source)
      }
      for shape in source.shapes where shape.kind == .relationship {
        try likeness.surveyPairs(shape, source)
      }
      try source.requireUnchanged()
      return likeness
    }
  }

  private struct Column {
    var index: Int
    var name: String
    var type: AttributeType?
    var isExternal = false
    /// The numbers of the entities whose objects have it.
    var holders: Set<Int64>
    var values = ValueLikeness.Counter()
    var count = 0
    var setCount = 0
  }

  private static func columns(_ shape: TableLayout, _ lineages: [Int64: Set<Name>]) -> [Column] {
    shape.fields.enumerated().compactMap { index, field in
      func holders(_ entity: Name) -> Set<Int64> {
        Set(lineages.filter { $0.value.contains(entity) }.keys)
      }
      switch field.role {
      case .attribute(let path, let type, let isExternal, let entity):
        return Column(
          index: index, name: "\(entity).\(path.joined(separator: "."))", type: type,
          isExternal: isExternal, holders: holders(entity))
      case .toOne(let name, let entity):
        return Column(index: index, name: "\(entity).\(name)", holders: holders(entity))
      case .owner(let entity, let name):
        return Column(index: index, name: "\(entity).\(name)", holders: Set(lineages.keys))
      default: return nil
      }
    }
  }

  private mutating func survey(_ shape: TableLayout, _ source: some RowSource) throws {
    guard let entityColumn = shape.fields.firstIndex(where: { $0.role == .entityNumber }) else {
      return
    }
    var columns = Self.columns(shape, source.entities.lineages(below: shape.entityName))
    let rows = try source.rows(of: shape)
    var rowCount = 0
    while try rows.next() {
      rowCount += 1
      if rowCount & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      guard let number = rows.row.integer(entityColumn), let name = source.entities.names[number]
      else { continue }
      counts[name, default: 0] += 1
      for place in columns.indices where columns[place].holders.contains(number) {
        Self.add(rows.row, to: &columns[place])
      }
    }
    for column in columns {
      if column.type != nil {
        values[Name(column.name)] = column.values.likeness
      } else if column.count > 0 {
        shares[Name(column.name)] = Double(column.setCount) / Double(column.count)
      }
    }
  }

  private static func add(_ row: Row, to column: inout Column) {
    column.count += 1
    if row.isNull(column.index) { return column.values.addEmpty() }
    column.setCount += 1
    guard let type = column.type else { return }
    if let number = row.number(column.index) {
      let sizes =
        type == .date ? ValueLikeness.Sizes(yearOf: number) : ValueLikeness.Sizes(of: number)
      return column.values.add(sizes, hash: number.hashValue)
    }
    if column.isExternal && row.firstByte(column.index) == ExternalValue.fileMarker {
      return column.values.addFile()
    }
    let size = row.size(column.index) - (column.isExternal ? 1 : 0)
    var hasher = Hasher()
    hasher.combine(size)
    if let bytes = unsafe row.bytes(column.index) { unsafe hasher.combine(bytes: bytes) }
    column.values.add(ValueLikeness.Sizes(of: Double(size)), hash: hasher.finalize())
  }

  private mutating func surveyPairs(_ shape: TableLayout, _ source: some RowSource) throws {
    guard let entity = shape.entityName, let name = shape.relationshipName else { return }
    let rows = try source.rows(of: shape)
    var count = 0
    while try rows.advance() { count += 1 }
    pairCounts[Name("\(entity).\(name)")] = count
  }
}
