extension SourceModelReader {
  /// Reads an attribute, including the elements of a composite attribute.
  func attribute(
    _ element: SourceElement, depth: Int
  ) throws(CofferError) -> AttributeDescription {
    let name = try Self.name(of: element, "an attribute")
    do throws(CofferError) {
      guard depth <= ModelDecoder.maximumDepth else {
        throw CofferError(.modelLimit, detail: "composite attributes in each other, or too deep")
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
        valueClassName: element["customClassName"] ?? Self.valueClasses[type],
        valueTransformerName: element["valueTransformerName"].flatMap { $0.isEmpty ? nil : $0 },
        allowsExternalBinaryDataStorage: element.isSet("allowsExternalBinaryDataStorage"),
        preservesValueInHistoryOnDeletion: element.isSet("preserveAfterDeletion"),
        allowsCloudEncryption: element.isSet("allowsCloudEncryption"),
        validationPredicates: SourceValidation.rules(element, type: type),
        derivation: try Self.derivation(element),
        elements: try elements(element, depth: depth),
        renamingIdentifier: Self.renamingIdentifier(element),
        versionHashModifier: element["versionHashModifier"],
        userInfo: Self.userInfo(element))
    } catch {
      throw error.within(name)
    }
  }

  private static func type(_ element: SourceElement) throws(CofferError) -> AttributeType {
    if element["composite"] != nil { return .composite }
    switch element["attributeType"] {
    case nil: return .undefined
    case "Binary Data": return .binary
    case let name?:
      guard let type = AttributeType(name: name) else {
        throw CofferError(.damagedModel, detail: "the unknown attribute type \(name)")
      }
      return type
    }
  }

  /// The classes that the compiler writes for each type; types not listed have none.
  static let valueClasses: [AttributeType: String] = [
    .integer16: "NSNumber", .integer32: "NSNumber", .integer64: "NSNumber",
    .decimal: "NSDecimalNumber", .double: "NSNumber", .float: "NSNumber", .string: "NSString",
    .boolean: "NSNumber", .date: "NSDate", .binary: "NSData", .uuid: "NSUUID", .uri: "NSURL",
  ]

  private static func derivation(_ element: SourceElement) throws(CofferError) -> Derivation? {
    guard element.isSet("derived") else { return nil }
    guard let text = element["derivationExpression"] else {
      return Derivation(expression: .constant(nil))
    }
    return Derivation(expression: try PredicateParser.expression(text))
  }

  private func elements(
    _ element: SourceElement, depth: Int
  ) throws(CofferError) -> [AttributeDescription] {
    guard let composite = element["composite"] else { return [] }
    guard let elements = composites[composite] else {
      throw CofferError(.damagedModel, detail: "the composite \(composite) is not there")
    }
    var attributes: [AttributeDescription] = []
    for element in elements { attributes.append(try attribute(element, depth: depth + 1)) }
    return attributes
  }
}
