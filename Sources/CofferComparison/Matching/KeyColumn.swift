internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// A property of a natural key with its columns in one source.
package struct KeyColumn {
  /// A to-one relationship on the way to the property.
  package struct Hop {
    /// The column with the key of the destination, in the table before.
    var column: Int
    /// The index of the destination's table.
    var table: Int
  }

  /// The relationships that lead from the object to the owner of the property; usually none.
  package var hops: [Hop] = []
  /// The column of the property in the last table.
  package var column: Int
}

/// Why a key path cannot identify objects.
enum KeyPathProblem: Error, Equatable {
  /// The entity has no such property.
  case unknown(entity: Name, name: Name, candidates: [Name])
  /// A relationship on the way leads to many objects.
  case toMany(entity: Name, name: Name)
  /// The values may be in external files, or the property has no column.
  case unusable(entity: Name, name: Name)
  /// The key of the destination leads back to the object.
  case cyclic(entity: Name, name: Name)
  /// The source has no table for the entity.
  case tableless(entity: Name)
}

/// Finds the columns of key paths in a source.
struct KeyPathFinder<Source: RowSource> {
  let source: Source
  /// The key paths that identify the objects of an entity; empty if their primary keys do.
  let keyPaths: (_ entity: Name) -> [Name]

  /// Finds the columns of a key.
  ///
  /// - Returns: the columns; more than one for a relationship whose destination has several.
  func find(
    _ paths: [Name], of entity: Name, within outer: Set<Name> = []
  ) throws(KeyPathProblem) -> [KeyColumn] {
    var found: [KeyColumn] = []
    for path in paths {
      let names = Name.path(path.text, omittingEmptyNames: false)
      found += try find(names[...], of: entity, within: outer.union([entity]))
    }
    return found
  }

  private func find(
    _ names: ArraySlice<Name>, of entity: Name, within outer: Set<Name>
  ) throws(KeyPathProblem) -> [KeyColumn] {
    guard let table = source.tableIndex(ofEntity: entity) else { throw .tableless(entity: entity) }
    guard let name = names.first else {
      throw .unknown(entity: entity, name: Name(path: names), candidates: [])
    }
    if let column = try attribute(Array(names), of: entity, in: table) {
      return [KeyColumn(column: column)]
    }
    guard let (declarer, relationship) = source.model.relationship(name, of: entity) else {
      throw unknown(names, entity)
    }
    if relationship.isToMany { throw .toMany(entity: entity, name: name) }
    let role = FieldRole.toOne(name: name, entity: declarer)
    let destination = relationship.destinationName
    guard let column = source.shapes[table].fields.firstIndex(where: { $0.role == role }),
      let other = source.tableIndex(ofEntity: destination)
    else { throw .unusable(entity: entity, name: name) }
    let rest = names.dropFirst()
    let below: [KeyColumn]
    if !rest.isEmpty {
      below = try find(rest, of: destination, within: [])
    } else {
      let paths = keyPaths(destination)
      if paths.isEmpty { return [KeyColumn(column: column)] }
      guard !outer.contains(destination) else {
        throw .cyclic(entity: entity, name: name)
      }
      below = try find(paths, of: destination, within: outer)
    }
    return below.map { path in
      KeyColumn(
        hops: [KeyColumn.Hop(column: column, table: other)] + path.hops, column: path.column)
    }
  }

  /// The column of an attribute or of an element of a composite one; nil if there is none.
  private func attribute(
    _ path: [Name], of entity: Name, in table: Int
  ) throws(KeyPathProblem) -> Int? {
    let lineage = Set(source.model.lineage(of: entity).map(\.name))
    for (column, field) in source.shapes[table].fields.enumerated() {
      guard case .attribute(let names, _, let isExternal, let declarer) = field.role,
        lineage.contains(declarer), names == path
      else { continue }
      if isExternal { throw .unusable(entity: entity, name: Name(path: path)) }
      return column
    }
    return nil
  }

  private func unknown(_ names: ArraySlice<Name>, _ entity: Name) -> KeyPathProblem {
    let model = source.model
    let attributes = source.tableIndex(ofEntity: entity).map { table in
      let lineage = Set(model.lineage(of: entity).map(\.name))
      return source.shapes[table].fields.compactMap { field -> Name? in
        guard case .attribute(let path, _, _, let declarer) = field.role,
          lineage.contains(declarer)
        else { return nil }
        return Name(path: path)
      }
    }
    let relationships = model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    return .unknown(
      entity: entity, name: Name(path: names),
      candidates: ((attributes ?? []) + relationships).sorted())
  }
}

extension CofferError {
  init(_ problem: KeyPathProblem, path: String) {
    switch problem {
    case .unknown(let entity, let name, let candidates):
      let guess = SimilarName.nearest(to: name.text, among: candidates.map(\.text)).map {
        "Did you mean '\($0)'? "
      }
      let list = candidates.joined(separator: ", ")
      self.init(
        .noSuchProperty, path: path, detail: "\(entity) has no property \(name)",
        advice: candidates.isEmpty ? nil : "\(guess ?? "")Available: \(list)")
    case .tableless(let entity):
      self.init(
        .noSuchEntity, path: path, detail: "the store has no table for \(entity)",
        advice: "A configuration of the model may leave it out.")
    case .toMany(let entity, let name):
      self.init(
        .noSuchProperty, path: path,
        detail: "\(entity).\(name) leads to many objects and cannot identify an object",
        advice: "Choose attributes, also through to-one relationships, such as address.city.")
    case .unusable(let entity, let name):
      self.init(
        .noSuchProperty, path: path,
        detail: "\(entity).\(name) has no column whose values could be compared",
        advice: "Choose another property.")
    case .cyclic(let entity, let name):
      self.init(
        .noSuchProperty, path: path,
        detail: "the key of the destination of \(entity).\(name) leads back to \(entity)",
        advice: "Name an attribute of the destination instead, such as \(name).name.")
    }
  }
}
