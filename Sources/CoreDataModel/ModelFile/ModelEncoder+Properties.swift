extension ModelEncoder {
  /// The bits of the flag word `_P` (store-format, section 3).
  ///
  /// The last two were measured on 62 stores: 16 and 32 are missing if and only if there are
  /// validation predicates; 256 is set if and only if the attribute is indexed by Spotlight.
  private enum PropertyFlags {
    static let always: Int64 = 1
    static let isOptional: Int64 = 2
    static let isReadOnly: Int64 = 4
    static let isTransient: Int64 = 8
    static let hasNoValidation: Int64 = 16 | 32
    static let hasNoUserInfo: Int64 = 64
    static let hasNoVersionHashModifier: Int64 = 128
    static let isIndexedBySpotlight: Int64 = 256
    static let isOrdered: Int64 = 1024
  }

  /// The fields that all kinds of properties have.
  private struct Common {
    var name: Name
    var isOptional: Bool
    var isReadOnly = false
    var isTransient = false
    var isIndexed = false
    var isIndexedBySpotlight = false
    var isOrdered = false
    var validationPredicates: [ValidationPredicate] = []
    var renamingIdentifier: Name?
    var versionHashModifier: Name?
    var userInfo: [Name: ModelValue]

    var flags: Int64 {
      var flags = PropertyFlags.always
      if isOptional { flags |= PropertyFlags.isOptional }
      if isReadOnly { flags |= PropertyFlags.isReadOnly }
      if isTransient { flags |= PropertyFlags.isTransient }
      if validationPredicates.isEmpty { flags |= PropertyFlags.hasNoValidation }
      if userInfo.isEmpty { flags |= PropertyFlags.hasNoUserInfo }
      if versionHashModifier == nil { flags |= PropertyFlags.hasNoVersionHashModifier }
      if isIndexedBySpotlight { flags |= PropertyFlags.isIndexedBySpotlight }
      if isOrdered { flags |= PropertyFlags.isOrdered }
      return flags
    }
  }

  private mutating func fields(_ common: Common, entity: Name?) -> Fields {
    var fields: Fields = [
      ("NSPropertyName", builder.string(common.name.text)),
      ("NSEntity", entity.map { reference(toEntity: $0) } ?? Self.null),
      ("_P", .integer(common.flags)),
      ("NSRenamingIdentifier", builder.string(common.renamingIdentifier?.text ?? common.name.text)),
    ]
    let booleans = [
      ("NSIsOptional", common.isOptional), ("NSIsReadOnly", common.isReadOnly),
      ("NSIsTransient", common.isTransient), ("NSIsIndexed", common.isIndexed),
      ("NSIndexedBySpotlight", common.isIndexedBySpotlight), ("NSIsOrdered", common.isOrdered),
    ]
    for (field, value) in booleans where value { fields.append((field, .bool(true))) }
    if let modifier = common.versionHashModifier {
      fields.append(("NSVersionHashModifier", builder.string(modifier.text)))
    }
    if !common.userInfo.isEmpty {
      fields.append(("NSUserInfo", builder.value(.dictionary(common.userInfo))))
    }
    if !common.validationPredicates.isEmpty {
      let rules = common.validationPredicates
      let predicates = rules.map { predicate($0.predicate) }
      let warnings = builder.value(.array(rules.map { $0.warning ?? .null }))
      fields.append(("NSValidationPredicates", builder.array(predicates)))
      fields.append(("NSValidationWarnings", warnings))
    }
    return fields
  }

  mutating func fill(
    _ reference: KeyedArchiveBuilder.Reference, with attribute: AttributeDescription,
    entity: Name
  ) {
    let (className, fields) = describe(attribute, entity: entity)
    builder.fill(reference, className, fields)
  }

  private mutating func describe(
    _ attribute: AttributeDescription, entity: Name
  ) -> (className: String, fields: Fields) {
    var fields = fields(
      Common(
        name: attribute.name, isOptional: attribute.isOptional,
        isReadOnly: attribute.isReadOnly, isTransient: attribute.isTransient,
        isIndexed: attribute.isIndexed, isIndexedBySpotlight: attribute.isIndexedBySpotlight,
        validationPredicates: attribute.validationPredicates,
        renamingIdentifier: attribute.renamingIdentifier,
        versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo),
      entity: entity)
    var flags = 0
    if attribute.allowsExternalBinaryDataStorage {
      flags |= ModelDecoder.AttributeFlags.allowsExternalBinaryDataStorage
    }
    if attribute.preservesValueInHistoryOnDeletion {
      flags |= ModelDecoder.AttributeFlags.preservesValueInHistoryOnDeletion
    }
    fields += [
      ("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
      ("NSAttributeValueClassName", builder.string(attribute.valueClassName?.text)),
      ("NSDefaultValue", builder.value(attribute.defaultValue)),
      ("NSValueTransformerName", builder.string(attribute.valueTransformerName?.text)),
      ("NSFlagsKey", .integer(Int64(flags))),
    ]
    if attribute.allowsCloudEncryption { fields.append(("NSAllowsCloudEncryption", .bool(true))) }
    if let derivation = attribute.derivation {
      fields.append(("NSDerivationExpression", expression(derivation.expression)))
      fields.append(
        ("NSFilteringPredicate", derivation.filteringPredicate.map { predicate($0) } ?? Self.null))
      return ("NSDerivedAttributeDescription", fields)
    }
    guard attribute.isComposite || !attribute.elements.isEmpty else {
      return ("NSAttributeDescription", fields)
    }
    var elements: [PropertyListValue] = []
    for element in attribute.elements {
      let (className, fields) = describe(element, entity: entity)
      elements.append(builder.object(className, fields))
    }
    fields.append(("NSCompositeElements", builder.array(elements)))
    return ("NSCompositeAttributeDescription", fields)
  }

  mutating func fill(
    _ reference: KeyedArchiveBuilder.Reference, with relationship: RelationshipDescription,
    entity: Name
  ) {
    var fields = fields(
      Common(
        name: relationship.name, isOptional: relationship.isOptional,
        isReadOnly: relationship.isReadOnly, isTransient: relationship.isTransient,
        isIndexed: relationship.isIndexed,
        isIndexedBySpotlight: relationship.isIndexedBySpotlight,
        isOrdered: relationship.isOrdered,
        validationPredicates: relationship.validationPredicates,
        renamingIdentifier: relationship.renamingIdentifier,
        versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo),
      entity: entity)
    let inverse = relationship.inverseName.flatMap {
      self.reference(to: $0, of: relationship.destinationName)
    }
    fields += [
      ("_NSDestinationEntityName", builder.string(relationship.destinationName.text)),
      ("NSDestinationEntity", self.reference(toEntity: relationship.destinationName)),
      ("_NSInverseRelationshipName", builder.string(relationship.inverseName?.text)),
      ("NSInverseRelationship", inverse?.value ?? Self.null),
      ("NSMinCount", .integer(Int64(relationship.minCount))),
      ("NSMaxCount", .integer(Int64(relationship.maxCount))),
      ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    builder.fill(reference, "NSRelationshipDescription", fields)
  }

  mutating func fill(
    _ reference: KeyedArchiveBuilder.Reference, with property: FetchedPropertyDescription,
    entity: Name
  ) {
    var fields = fields(
      Common(
        name: property.name, isOptional: property.isOptional, isReadOnly: true,
        isTransient: true, renamingIdentifier: property.renamingIdentifier,
        versionHashModifier: property.versionHashModifier, userInfo: property.userInfo),
      entity: entity)
    fields.append(("_NSFetchRequestEntityName", builder.string(property.fetchedEntityName?.text)))
    fields.append(("NSFetchRequest", fetchRequest(of: property)))
    builder.fill(reference, "NSFetchedPropertyDescription", fields)
  }

  private mutating func fetchRequest(of property: FetchedPropertyDescription) -> PropertyListValue {
    var descriptors: [PropertyListValue] = []
    for descriptor in property.sortDescriptors {
      descriptors.append(
        builder.object(
          "NSSortDescriptor",
          [
            ("NSKey", builder.string(descriptor.key?.text)),
            ("NSAscending", .bool(descriptor.isAscending)),
            ("NSSelector", builder.string(descriptor.selectorName?.text)),
            ("NSReverseNullOrder", .bool(false)),
          ]))
    }
    var fields: Fields = [
      ("NSEntity", property.fetchedEntityName.map { reference(toEntity: $0) } ?? Self.null),
      ("NSPredicate", property.predicate.map { predicate($0) } ?? Self.null),
      ("NSSortDescriptors", descriptors.isEmpty ? Self.null : builder.array(descriptors)),
      ("NSFetchLimit", .integer(Int64(property.fetchLimit))),
      ("NSHasFetchRequestFlags", .bool(true)),
      ("NSFetchRequestFlags", .integer(30)),
    ]
    for field in ["NSAllocationType", "NSBatchSize", "NSFetchOffset", "NSResultType"] {
      fields.append((field, .integer(0)))
    }
    for field in [
      "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching", "NSValuesToFetch",
      "NSValuesToGroupBy",
    ] { fields.append((field, Self.null)) }
    return builder.object("NSFetchRequest", fields)
  }
}
