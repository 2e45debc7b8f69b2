extension SourceModelReader {
  /// Reads a relationship.
  func relationship(_ element: SourceElement) throws(CofferError) -> RelationshipDescription {
    let name = try Self.name(of: element, "a relationship")
    guard let destination = element["destinationEntity"], !destination.isEmpty else {
      throw CofferError(.damagedModel, item: name, detail: "a relationship without a destination")
    }
    let isToMany = element.isSet("toMany")
    return RelationshipDescription(
      name: name,
      destinationName: destination,
      inverseName: element["inverseName"],
      minCount: try Self.count(element, "minCount") ?? 0,
      maxCount: try Self.count(element, "maxCount") ?? (isToMany ? 0 : 1),
      isOrdered: element.isSet("ordered"),
      isOptional: element.isSet("optional"),
      isTransient: element.isSet("transient"),
      deleteRule: try Self.deleteRule(element),
      isIndexedBySpotlight: element.isSet("spotlightIndexingEnabled"),
      isIndexed: element.isSet("indexed"),
      renamingIdentifier: Self.renamingIdentifier(element),
      versionHashModifier: element["versionHashModifier"],
      userInfo: Self.userInfo(element))
  }

  private static func count(
    _ element: SourceElement, _ attribute: String
  ) throws(CofferError) -> Int? {
    guard let text = element[attribute], !text.isEmpty else { return nil }
    guard let count = Int(text) else {
      throw CofferError(
        .damagedModel, path: element["name"] ?? "", detail: "\(attribute) is no number: \(text)")
    }
    return count
  }

  private static func deleteRule(_ element: SourceElement) throws(CofferError) -> DeleteRule {
    guard let text = element["deletionRule"] else { return .noAction }
    let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    guard let rule = rules.first(where: { $0.name == text }) else {
      throw CofferError(
        .damagedModel, path: element["name"] ?? "", detail: "the unknown delete rule \(text)")
    }
    return rule
  }

  /// Reads a fetched property and its request; a source does not contain the request's order.
  func fetchedProperty(
    _ element: SourceElement
  ) throws(CofferError) -> FetchedPropertyDescription {
    let name = try Self.name(of: element, "a fetched property")
    let request = element.all("fetchRequest").first
    return FetchedPropertyDescription(
      name: name,
      fetchedEntityName: request?["entity"],
      predicate: try request?["predicateString"].map { text throws(CofferError) in
        try PredicateParser.predicate(text)
      },
      fetchLimit: request?["fetchLimit"].flatMap { Int($0) } ?? 0,
      isOptional: element.isSet("optional"),
      renamingIdentifier: Self.renamingIdentifier(element),
      versionHashModifier: element["versionHashModifier"],
      userInfo: Self.userInfo(element))
  }
}
