/// Writes the source of a model: the XML in Xcode's file `contents`.
///
/// Writes everything that ``SourceModelReader`` reads, in Xcode's order, so that a model saved by
/// Xcode afterwards shows the smallest difference. Source: store-format, section 4. Settings that
/// only the editor and the code generator use get the defaults of a new model, because the compiled
/// model does not contain them.
struct SourceModelWriter {
  let model: ManagedObjectModel
  private var composites: SourceComposites

  private init(_ model: ManagedObjectModel) {
    self.model = model
    composites = SourceComposites(model)
  }

  /// The bytes of the file.
  static func contents(of model: ManagedObjectModel) -> [UInt8] {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    SourceModelWriter(model).root().write(to: &text)
    // Xcode ends the file without a line feed.
    return Array(text.utf8.dropLast())
  }

  private func root() -> WrittenElement {
    var root = WrittenElement("model")
    root.add("type", "com.apple.IDECoreDataModeler.DataModel")
    root.add("documentVersion", "1.0")
    root.add("lastSavedToolsVersion", "22758")
    root.add("systemVersion", "23G93")
    root.add("minimumToolsVersion", "Automatic")
    root.add("sourceLanguage", "Swift")
    root.add("userDefinedModelVersionIdentifier", model.versionIdentifiers.first?.text ?? "")
    root.children = model.entities.map(entity)
    for (name, elements) in composites.all {
      var composite = WrittenElement("composite")
      composite.add("name", name.text)
      composite.children = elements.map(attribute)
      root.children.append(composite)
    }
    for name in model.configurations.keys.sorted() {
      var configuration = WrittenElement("configuration")
      configuration.add("name", name.text)
      configuration.children = (model.configurations[name] ?? []).map { member in
        var element = WrittenElement("memberEntity")
        element.add("name", member.text)
        return element
      }
      root.children.append(configuration)
    }
    for name in model.fetchRequestTemplateNames {
      var request = WrittenElement("fetchRequest")
      request.add("name", name.text)
      root.children.append(request)
    }
    return root
  }

  private func entity(_ entity: EntityDescription) -> WrittenElement {
    var element = WrittenElement("entity")
    element.add("name", entity.name.text)
    element.add("representedClassName", entity.className?.text)
    element.add("isAbstract", when: entity.isAbstract)
    element.add("parentEntity", entity.superentityName?.text)
    element.add("elementID", entity.renamingIdentifier?.text)
    element.add("versionHashModifier", entity.versionHashModifier?.text)
    element.add("syncable", "YES")
    element.children += entity.attributes.map(attribute)
    element.children += entity.relationships.map(relationship)
    element.children += entity.fetchedProperties.map(fetchedProperty)
    let superentity = entity.superentityName.flatMap { model[$0] }
    element.children += SourceIndexes.declared(by: entity, below: superentity).map(fetchIndex)
    let compounds = SourceIndexes.compounds(of: entity, below: superentity)
    element.children += Self.lists(compounds, "compoundIndexes", "compoundIndex", "index")
    let constraints = Self.own(entity.uniquenessConstraints, superentity?.uniquenessConstraints)
    element.children += Self.lists(
      constraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
    element.children += Self.userInfo(entity.userInfo)
    return element
  }

  func attribute(_ attribute: AttributeDescription) -> WrittenElement {
    var element = WrittenElement("attribute")
    element.add("name", attribute.name.text)
    element.add("optional", when: attribute.isOptional)
    element.add("transient", when: attribute.isTransient)
    if attribute.type == .composite {
      element.add("attributeType", "Composite")
      element.add("composite", composites.name(of: attribute)?.text)
    } else if attribute.type != .undefined {
      element.add("attributeType", attribute.type.name)
    }
    if let derivation = attribute.derivation {
      element.add("derived", when: true)
      if derivation.expression != .constant(nil) {
        element.add("derivationExpression", Self.text(derivation.expression))
      }
    }
    for (name, value) in SourceValidation.attributes(
      attribute.validationPredicates, type: attribute.type)
    { element.add(name, value) }
    if let (name, value) = SourceDefault.attribute(attribute.defaultValue, type: attribute.type) {
      element.add(name, value)
    }
    if attribute.valueClassName != SourceModelReader.valueClasses[attribute.type] {
      element.add("customClassName", attribute.valueClassName?.text)
    }
    element.add("valueTransformerName", attribute.valueTransformerName?.text)
    element.add("indexed", when: attribute.isIndexed)
    element.add("allowsExternalBinaryDataStorage", when: attribute.allowsExternalBinaryDataStorage)
    element.add("allowsCloudEncryption", when: attribute.allowsCloudEncryption)
    element.add("preserveAfterDeletion", when: attribute.preservesValueInHistoryOnDeletion)
    element.add("spotlightIndexingEnabled", when: attribute.isIndexedBySpotlight)
    element.add("elementID", attribute.renamingIdentifier?.text)
    element.add("versionHashModifier", attribute.versionHashModifier?.text)
    element.children = Self.userInfo(attribute.userInfo)
    return element
  }

  // MARK: What all kinds have

  /// The entries that the superentity lacks: a source declares inherited entries once.
  static func own<Value: Equatable>(_ values: [Value], _ inherited: [Value]?) -> [Value] {
    guard let inherited, !inherited.isEmpty else { return values }
    return values.filter { !inherited.contains($0) }
  }

  static func userInfo(_ entries: [Name: ModelValue]) -> [WrittenElement] {
    guard !entries.isEmpty else { return [] }
    var info = WrittenElement("userInfo")
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      var entry = WrittenElement("entry")
      entry.add("key", key.text)
      entry.add("value", Self.text(value))
      info.children.append(entry)
    }
    return [info]
  }

  /// An entry of a user info as a text.
  ///
  /// A list of names gets the form that Core Data takes for one too, as in
  /// `_NSLocationAttributeDerivedComponents`.
  private static func text(_ value: ModelValue) -> String {
    if case .string(let text) = value { return text }
    guard case .array(let elements) = value, !elements.isEmpty else {
      return value.formatDescription
    }
    var names: [String] = []
    for element in elements {
      guard case .string(let name) = element, !name.contains(",") else {
        return value.formatDescription
      }
      names.append(name)
    }
    return names.joined(separator: ", ")
  }

  private static func lists(
    _ lists: [[Name]], _ outer: String, _ middle: String, _ inner: String
  ) -> [WrittenElement] {
    guard !lists.isEmpty else { return [] }
    var element = WrittenElement(outer)
    element.children = lists.map { names in
      var list = WrittenElement(middle)
      list.children = names.map { name in
        var part = WrittenElement(inner)
        part.add("value", name.text)
        return part
      }
      return list
    }
    return [element]
  }
}

/// The composites of a model, which a source names and defines once.
///
/// A compiled model has the elements at each attribute and no name, so composites are named after
/// the first attribute with the same elements.
struct SourceComposites {
  /// The composites in the order of their names, each with its elements.
  private(set) var all: [(name: Name, elements: [AttributeDescription])] = []

  init(_ model: ManagedObjectModel) {
    for entity in model.entities {
      for attribute in entity.attributes { add(attribute) }
    }
    all.sort { $0.name < $1.name }
  }

  /// The name of an attribute's composite; nil if the attribute is not composite.
  func name(of attribute: AttributeDescription) -> Name? {
    all.first { $0.elements == attribute.elements }?.name
  }

  private mutating func add(_ attribute: AttributeDescription) {
    guard attribute.type == .composite, name(of: attribute) == nil else { return }
    let text = attribute.name.text
    let name = Name(text.prefix(1).uppercased() + text.dropFirst())
    var unique = name
    var number = 2
    while all.contains(where: { $0.name == unique }) {
      unique = "\(name)\(number)"
      number += 1
    }
    all.append((unique, attribute.elements))
    for element in attribute.elements { add(element) }
  }
}

/// The fetch indexes that a source must declare so that the compiler creates the indexes of a model.
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
  /// index that exists only for that reason, and would add another index, is left out.
  static func compounds(
    of entity: EntityDescription, below superentity: EntityDescription?
  ) -> [[Name]] {
    let own = SourceModelWriter.own(entity.compoundIndexes, superentity?.compoundIndexes)
    return own.filter { names in
      let same = entity.fetchIndexes.filter { $0.elements.map(\.propertyName) == names }
      return same.isEmpty || same.contains(SourceModelReader.impliedIndex(of: names))
    }
  }
}
