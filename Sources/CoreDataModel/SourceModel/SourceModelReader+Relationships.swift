extension SourceModelReader {
  func relationship(_ element: MarkupElement) throws(CofferError) -> RelationshipDescription {
    let name = try Self.name(of: element, "a relationship")
    guard let destination = element.name("destinationEntity"), !destination.isEmpty else {
      throw CofferError(
        .damagedModel, item: name.text, detail: "a relationship without a destination")
    }
    let isToMany = element.isSet("toMany")
    return RelationshipDescription(
      name: name,
      destinationName: destination,
      inverseName: element.name("inverseName"),
      minCount: try Self.count(element, "minCount") ?? 0,
      maxCount: try Self.count(element, "maxCount") ?? (isToMany ? 0 : 1),
      isOrdered: element.isSet("ordered"),
      isOptional: element.isSet("optional"),
      isTransient: element.isSet("transient"),
      deleteRule: try Self.deleteRule(element),
      isIndexedBySpotlight: element.isSet("spotlightIndexingEnabled"),
      isIndexed: element.isSet("indexed"),
      renamingIdentifier: Self.renamingIdentifier(element),
      versionHashModifier: element.name("versionHashModifier"),
      userInfo: Self.userInfo(element))
  }

  private static func count(
    _ element: MarkupElement, _ attribute: String
  ) throws(CofferError) -> Int? {
    guard let text = element[attribute], !text.isEmpty else { return nil }
    guard let count = Int(text) else {
      throw CofferError(
        .damagedModel, path: element["name"] ?? "", detail: "\(attribute) is not a number: \(text)")
    }
    return count
  }

  private static func deleteRule(_ element: MarkupElement) throws(CofferError) -> DeleteRule {
    guard let text = element["deletionRule"] else { return .noAction }
    let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    guard let rule = rules.first(where: { $0.name == text }) else {
      throw CofferError(
        .damagedModel, path: element["name"] ?? "", detail: "unknown delete rule \(text)")
    }
    return rule
  }

  /// Reads a fetched property and its request; a source does not contain the request's order.
  func fetchedProperty(_ element: MarkupElement) throws(CofferError) -> FetchedPropertyDescription {
    let name = try Self.name(of: element, "a fetched property")
    let request = element.all("fetchRequest").first
    return FetchedPropertyDescription(
      name: name,
      fetchedEntityName: request?.name("entity"),
      predicate: try request?["predicateString"].map { text throws(CofferError) in
        try PredicateParser.predicate(text)
      },
      fetchLimit: request?["fetchLimit"].flatMap { Int($0) } ?? 0,
      isOptional: element.isSet("optional"),
      renamingIdentifier: Self.renamingIdentifier(element),
      versionHashModifier: element.name("versionHashModifier"),
      userInfo: Self.userInfo(element))
  }

  /// The fetch indexes of an entity: those that the compiler adds, followed by those that it
  /// declares.
  ///
  /// Every indexed attribute gets an index with its name, and every compound index one named after
  /// its properties, joined by `_`. An index of one element makes its attribute an indexed one,
  /// which therefore gets a second index. Source: store-format, section 4.
  static func indexes(
    declaredBy element: MarkupElement, compoundIndexes: [[Name]],
    attributes: inout [AttributeDescription]
  ) throws(CofferError) -> [FetchIndexDescription] {
    var declared: [FetchIndexDescription] = []
    for index in element.all("fetchIndex") { declared.append(try fetchIndex(index)) }
    return indexes(declared: declared, compoundIndexes: compoundIndexes, attributes: &attributes)
  }

  /// The fetch indexes of an entity that declares some; sets the flags that the compiler gives to
  /// attributes.
  static func indexes(
    declared: [FetchIndexDescription], compoundIndexes: [[Name]],
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

  /// The index that the compiler creates for an indexed attribute or a compound index.
  static func impliedIndex(of properties: [Name]) -> FetchIndexDescription {
    FetchIndexDescription(
      name: Name(properties.joined(separator: "_")),
      elements: properties.map { .init(propertyName: $0) })
  }

  private static func fetchIndex(
    _ element: MarkupElement
  ) throws(CofferError) -> FetchIndexDescription {
    let name = try Self.name(of: element, "a fetch index")
    var elements: [FetchIndexDescription.Element] = []
    for part in element.all("fetchIndexElement") {
      let property = part.name("property")
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

  /// Reads an attribute, including the elements of a composite attribute.
  func attribute(_ element: MarkupElement, depth: Int) throws(CofferError) -> AttributeDescription {
    let name = try Self.name(of: element, "an attribute")
    do throws(CofferError) {
      guard depth <= ModelDecoder.maximumDepth else {
        throw CofferError(
          .modelLimit,
          detail: "composite attributes that are nested too deeply or contain each other")
      }
      let type = try Self.type(element)
      return AttributeDescription(
        name: name,
        type: type,
        isOptional: element.isSet("optional"),
        isTransient: element.isSet("transient"),
        isReadOnly: element.isSet("derived"),
        isIndexed: element.isSet("indexed"),
        isIndexedBySpotlight: element.isSet("spotlightIndexingEnabled"),
        defaultValue: SourceDefault.value(element, type: type),
        valueClassName: element.name("customClassName") ?? Self.valueClasses[type],
        valueTransformerName: element.name("valueTransformerName").flatMap {
          $0.isEmpty ? nil : $0
        },
        allowsExternalBinaryDataStorage: element.isSet("allowsExternalBinaryDataStorage"),
        preservesValueInHistoryOnDeletion: element.isSet("preserveAfterDeletion"),
        allowsCloudEncryption: element.isSet("allowsCloudEncryption"),
        validationPredicates: SourceValidation.rules(element, type: type),
        derivation: try Self.derivation(element),
        elements: try elements(element, depth: depth),
        renamingIdentifier: Self.renamingIdentifier(element),
        versionHashModifier: element.name("versionHashModifier"),
        userInfo: Self.userInfo(element))
    } catch {
      throw error.within(name.text)
    }
  }

  private static func type(_ element: MarkupElement) throws(CofferError) -> AttributeType {
    if element["composite"] != nil { return .composite }
    switch element["attributeType"] {
    case nil: return .undefined
    case "Binary Data": return .binary
    case let name?:
      guard let type = AttributeType(name: name) else {
        throw CofferError(.damagedModel, detail: "unknown attribute type \(name)")
      }
      return type
    }
  }

  /// The classes that the compiler writes for each type; types not listed have none.
  static let valueClasses: [AttributeType: Name] = [
    .integer16: "NSNumber", .integer32: "NSNumber", .integer64: "NSNumber",
    .decimal: "NSDecimalNumber", .double: "NSNumber", .float: "NSNumber", .string: "NSString",
    .boolean: "NSNumber", .date: "NSDate", .binary: "NSData", .uuid: "NSUUID", .uri: "NSURL",
  ]

  private static func derivation(_ element: MarkupElement) throws(CofferError) -> Derivation? {
    guard element.isSet("derived") else { return nil }
    guard let text = element["derivationExpression"] else {
      return Derivation(expression: .constant(nil))
    }
    return Derivation(expression: try PredicateParser.expression(text))
  }

  private func elements(
    _ element: MarkupElement, depth: Int
  ) throws(CofferError) -> [AttributeDescription] {
    guard let composite = element.name("composite") else { return [] }
    guard let elements = composites[composite] else {
      throw CofferError(
        .damagedModel, detail: "the composite attribute \(composite) does not exist")
    }
    var attributes: [AttributeDescription] = []
    for element in elements { attributes.append(try attribute(element, depth: depth + 1)) }
    return attributes
  }
}
