/// The fetch indexes that a source must declare so that the compiler creates those of a model.
enum SourceIndexes {
  /// The indexes to declare: the smallest set that gives the same indexes again, or else all of the
  /// entity's own.
  static func declared(
    by entity: EntityDescription, below superentity: EntityDescription?
  ) -> [FetchIndexDescription] {
    let own = SourceModelWriter.own(entity.fetchIndexes, superentity?.fetchIndexes)
    let compounds = compounds(of: entity, below: superentity)
    let flagged = entity.attributes.filter(\.isIndexed).map { [$0.name] }
    let implied = (flagged + compounds).map(SourceModelReader.impliedIndex)
    let fewest = own.filter { !implied.contains($0) }
    // An index of one element sets the flag of its attribute, and so does without the other index.
    var attributes = entity.attributes
    let made = SourceModelReader.indexes(
      declared: fewest, compoundIndexes: compounds, attributes: &attributes)
    if made == own, attributes == entity.attributes { return fewest }
    var all = entity.attributes
    let exact = SourceModelReader.indexes(
      declared: own, compoundIndexes: compounds, attributes: &all)
    return exact == own ? own : fewest
  }

  /// The compound indexes to declare.
  ///
  /// The framework repeats a fetch index of several properties as a compound index. A compound
  /// index that exists only for that reason, and would add an index of its own, is left out.
  static func compounds(
    of entity: EntityDescription, below superentity: EntityDescription?
  ) -> [[String]] {
    let own = SourceModelWriter.own(entity.compoundIndexes, superentity?.compoundIndexes)
    return own.filter { names in
      let same = entity.fetchIndexes.filter { $0.elements.map(\.propertyName) == names }
      return same.isEmpty || same.contains(SourceModelReader.impliedIndex(of: names))
    }
  }
}
