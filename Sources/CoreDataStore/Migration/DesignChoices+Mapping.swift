package import CoreDataModel

extension DesignChoices {
  /// The same choices for the new model of a mapping, as far as the relationships are still there.
  ///
  /// Source: store-format, section 10: in a migration the old store's choice is kept.
  package func carried(over mapping: ModelMapping) -> DesignChoices {
    var places: [PropertyReference: Set<PropertyReference>] = [:]
    for property in mapping.entities.flatMap(\.properties) {
      guard property.kind == .relationship, let old = property.source,
        let new = property.destination
      else { continue }
      places[PropertyReference(old), default: []].insert(PropertyReference(new))
    }
    var carried = DesignChoices()
    carried.includesHistory = includesHistory
    carried.namingSides = Set(namingSides.flatMap { places[$0] ?? [] })
    for (place, suffix) in columnSuffixes {
      for new in places[place] ?? [] { carried.columnSuffixes[new] = suffix }
    }
    for (place, position) in columnOrder {
      for new in places[place] ?? [] { carried.columnOrder[new] = position }
    }
    return carried
  }
}
