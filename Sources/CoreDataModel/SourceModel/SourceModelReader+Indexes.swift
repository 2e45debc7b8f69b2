extension SourceModelReader {
  /// The fetch indexes of an entity: those that it declares, behind those that the compiler adds.
  ///
  /// Every indexed attribute gets an index of its name, and every compound index one named with its
  /// properties joined by `_`. An index of one element makes its attribute an indexed one, which so
  /// gets a second index. Source: store-format, section 4.
  static func indexes(
    declaredBy element: SourceElement, compoundIndexes: [[String]],
    attributes: inout [AttributeDescription]
  ) throws(CofferError) -> [FetchIndexDescription] {
    var declared: [FetchIndexDescription] = []
    for index in element.all("fetchIndex") { declared.append(try fetchIndex(index)) }
    return indexes(declared: declared, compoundIndexes: compoundIndexes, attributes: &attributes)
  }

  /// The fetch indexes of an entity that declares some of them; attributes get the flag that the
  /// compiler gives them.
  static func indexes(
    declared: [FetchIndexDescription], compoundIndexes: [[String]],
    attributes: inout [AttributeDescription]
  ) -> [FetchIndexDescription] {
    for index in declared where index.elements.count == 1 {
      guard let name = index.elements[0].propertyName,
        let position = attributes.firstIndex(where: { $0.name == name })
      else { continue }
      attributes[position].isIndexed = true
    }
    var added = attributes.filter(\.isIndexed).map { impliedIndex(of: [$0.name]) }
    added += compoundIndexes.map(impliedIndex)
    let names = Set(declared.map(\.name))
    return added.filter { !names.contains($0.name) } + declared
  }

  /// The index that the compiler makes of an indexed attribute, or of a compound index.
  static func impliedIndex(of properties: [String]) -> FetchIndexDescription {
    FetchIndexDescription(
      name: properties.joined(separator: "_"),
      elements: properties.map { .init(propertyName: $0) })
  }

  private static func fetchIndex(
    _ element: SourceElement
  ) throws(CofferError) -> FetchIndexDescription {
    let name = try Self.name(of: element, "a fetch index")
    var elements: [FetchIndexDescription.Element] = []
    for part in element.all("fetchIndexElement") {
      let property = part["property"]
      elements.append(
        .init(
          propertyName: property,
          expression: try part["expression"].map { text throws(CofferError) in
            try PredicateParser.expression(text)
          },
          isAscending: part["order"] != "descending",
          kind: part["type"] == "RTree" ? 1 : 0))
    }
    return FetchIndexDescription(
      name: name, elements: elements,
      partialIndexPredicate: try (element["predicate"] ?? element["partialIndexPredicate"]).map {
        text throws(CofferError) in try PredicateParser.predicate(text)
      })
  }
}
