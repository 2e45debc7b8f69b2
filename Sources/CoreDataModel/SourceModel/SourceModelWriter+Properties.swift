extension SourceModelWriter {
  func relationship(_ relationship: RelationshipDescription) -> WrittenElement {
    var element = WrittenElement("relationship")
    element.add("name", relationship.name.text)
    element.add("optional", when: relationship.isOptional)
    element.add("transient", when: relationship.isTransient)
    element.add("toMany", when: relationship.isToMany)
    if relationship.minCount != 0 { element.add("minCount", String(relationship.minCount)) }
    if relationship.maxCount != 0 { element.add("maxCount", String(relationship.maxCount)) }
    element.add("deletionRule", relationship.deleteRule.name)
    element.add("ordered", when: relationship.isOrdered)
    element.add("destinationEntity", relationship.destinationName.text)
    if let inverse = relationship.inverseName {
      element.add("inverseName", inverse.text)
      let declarer = model.inverse(of: relationship)?.declaredBy
      element.add("inverseEntity", (declarer ?? relationship.destinationName).text)
    }
    element.add("indexed", when: relationship.isIndexed)
    element.add("spotlightIndexingEnabled", when: relationship.isIndexedBySpotlight)
    element.add("elementID", relationship.renamingIdentifier?.text)
    element.add("versionHashModifier", relationship.versionHashModifier?.text)
    element.children = Self.userInfo(relationship.userInfo)
    return element
  }

  func fetchedProperty(_ property: FetchedPropertyDescription) -> WrittenElement {
    var element = WrittenElement("fetchedProperty")
    element.add("name", property.name.text)
    element.add("optional", when: property.isOptional)
    element.add("elementID", property.renamingIdentifier?.text)
    element.add("versionHashModifier", property.versionHashModifier?.text)
    var request = WrittenElement("fetchRequest")
    request.add("name", "fetchedPropertyFetchRequest")
    request.add("entity", property.fetchedEntityName?.text)
    request.add("predicateString", property.predicate.flatMap(Self.text))
    if property.fetchLimit != 0 { request.add("fetchLimit", String(property.fetchLimit)) }
    element.children = [request] + Self.userInfo(property.userInfo)
    return element
  }

  func fetchIndex(_ index: FetchIndexDescription) -> WrittenElement {
    var element = WrittenElement("fetchIndex")
    element.add("name", index.name.text)
    element.add("predicate", index.partialIndexPredicate.flatMap(Self.text))
    element.children = index.elements.map { part in
      var element = WrittenElement("fetchIndexElement")
      element.add("property", part.propertyName?.text)
      element.add("expression", part.expression.flatMap(Self.text))
      element.add("type", part.kind == 1 ? "RTree" : "Binary")
      element.add("order", part.isAscending ? "ascending" : "descending")
      return element
    }
    return element
  }

  /// The text of an expression; nil if it has no text form.
  static func text(_ expression: ModelExpression) -> String? {
    let text = expression.formatDescription
    guard expression.hasFormat, (try? PredicateParser.expression(text)) != nil else { return nil }
    return text
  }

  /// The text of a condition; nil if it has no text form.
  private static func text(_ predicate: ModelPredicate) -> String? {
    let text = predicate.formatDescription
    guard predicate.hasFormat, (try? PredicateParser.predicate(text)) != nil else { return nil }
    return text
  }
}

extension ModelExpression {
  /// Whether every constant has a form in predicates.
  ///
  /// Of others a part of the text may look like something else: a UUID like a subtraction.
  fileprivate var hasFormat: Bool {
    switch self {
    case .evaluatedObject, .variable: true
    case .constant(let value): value?.hasPredicateFormat ?? true
    case .keyPath(let operand, _): operand?.hasFormat ?? true
    case .function(_, _, let parts), .aggregate(let parts): parts.allSatisfy(\.hasFormat)
    case .other: false
    }
  }
}

extension ModelPredicate {
  fileprivate var hasFormat: Bool {
    switch self {
    case .comparison(let left, _, let right): left.hasFormat && right.hasFormat
    case .not(let part): part.hasFormat
    case .and(let parts), .or(let parts): parts.allSatisfy(\.hasFormat)
    case .other: false
    }
  }
}
