/// Reads the source of a model: the XML file `contents` in an `.xcdatamodel` folder.
///
/// The result is the compiled model, with everything that the compiler adds. Source: store-format,
/// section 4. A source has no version hashes.
package struct SourceModelReader {
  /// The elements of composite attributes, by the name of the composite.
  let composites: [Name: [MarkupElement]]

  /// Reads a model from the bytes of a source.
  ///
  /// - Returns: the model; its source is ``ModelSource/file``.
  /// - Throws: ``CofferError``: `not-a-model` for something else, `damaged-model` for a source that
  ///   contradicts itself, `model-limit` for a source beyond a limit.
  package static func read(contents: [UInt8]) throws(CofferError) -> ManagedObjectModel {
    let root = try MarkupElement.parse(contents)
    guard root.name == "model" else {
      throw CofferError(.notAModel, detail: "its root element is \(root.name), not model")
    }
    var composites: [Name: [MarkupElement]] = [:]
    for composite in root.all("composite") {
      composites[composite.name("name") ?? ""] = composite.all("attribute")
    }
    return try SourceModelReader(composites: composites).model(root)
  }

  private func model(_ root: MarkupElement) throws(CofferError) -> ManagedObjectModel {
    let elements = root.all("entity")
    guard elements.count < ManagedObjectModel.entityLimit else {
      throw CofferError(.modelLimit, detail: "a model of \(elements.count) entities")
    }
    var entities: [EntityDescription] = []
    var names: Set<Name> = []
    for element in elements {
      let entity = try entity(element)
      guard names.insert(entity.name).inserted else {
        throw CofferError(
          .damagedModel, item: entity.name.text, detail: "two entities with the same name")
      }
      entities.append(entity)
    }
    var configurations: [Name: [Name]] = [:]
    for configuration in root.all("configuration") {
      guard let name = configuration.name("name") else { continue }
      configurations[name] = configuration.all("memberEntity").compactMap { $0.name("name") }
    }
    let model = ManagedObjectModel(
      entities: entities,
      versionIdentifiers: [root.name("userDefinedModelVersionIdentifier") ?? ""],
      configurations: configurations,
      fetchRequestTemplateNames: root.all("fetchRequest").compactMap { $0.name("name") }
        .sorted(),
      source: .file)
    try model.checkInheritance()
    return model
  }

  private func entity(_ element: MarkupElement) throws(CofferError) -> EntityDescription {
    let name = try Self.name(of: element, "an entity")
    do throws(CofferError) {
      var attributes: [AttributeDescription] = []
      for child in element.all("attribute") { attributes.append(try attribute(child, depth: 0)) }
      var relationships: [RelationshipDescription] = []
      for child in element.all("relationship") { relationships.append(try relationship(child)) }
      var fetched: [FetchedPropertyDescription] = []
      for child in element.all("fetchedProperty") { fetched.append(try fetchedProperty(child)) }
      try checkNames(attributes.map(\.name) + relationships.map(\.name) + fetched.map(\.name))
      let compoundIndexes = Self.lists(element, "compoundIndexes", "compoundIndex", "index")
      let indexes = try Self.indexes(
        declaredBy: element, compoundIndexes: compoundIndexes, attributes: &attributes)
      return EntityDescription(
        name: name,
        className: element.name("representedClassName"),
        isAbstract: element.isSet("isAbstract"),
        superentityName: element.name("parentEntity"),
        attributes: attributes,
        relationships: relationships,
        fetchedProperties: fetched,
        uniquenessConstraints: Self.lists(
          element, "uniquenessConstraints", "uniquenessConstraint", "constraint"),
        compoundIndexes: compoundIndexes,
        fetchIndexes: indexes,
        renamingIdentifier: Self.renamingIdentifier(element),
        versionHashModifier: element.name("versionHashModifier"),
        userInfo: Self.userInfo(element))
    } catch {
      throw error.within(name.text)
    }
  }

  private func checkNames(_ names: [Name]) throws(CofferError) {
    var seen: Set<Name> = []
    for name in names where !seen.insert(name).inserted {
      throw CofferError(.damagedModel, item: name.text, detail: "two properties with the same name")
    }
  }

  // MARK: What all kinds have

  /// The name of an element, which all kinds require.
  static func name(of element: MarkupElement, _ what: String) throws(CofferError) -> Name {
    guard let name = element.name("name"), !name.isEmpty else {
      throw CofferError(.damagedModel, detail: "\(what) without a name")
    }
    return name
  }

  /// The name of an element in an older model; nil if it is the current name.
  static func renamingIdentifier(_ element: MarkupElement) -> Name? {
    guard let identifier = element.name("elementID"), identifier != element.name("name") else {
      return nil
    }
    return identifier
  }

  /// The entries of the user info; if a key is repeated, the last one counts.
  static func userInfo(_ element: MarkupElement) -> [Name: ModelValue] {
    var values: [Name: ModelValue] = [:]
    for entry in element.all("userInfo").flatMap({ $0.all("entry") }) {
      guard let key = entry.name("key") else { continue }
      values[key] = .string(entry["value"] ?? "")
    }
    return values
  }

  /// Lists of names, as in uniqueness constraints and compound indexes.
  private static func lists(
    _ element: MarkupElement, _ outer: String, _ middle: String, _ inner: String
  ) -> [[Name]] {
    element.all(outer).flatMap { $0.all(middle) }
      .map { $0.all(inner).compactMap { $0.name("value") } }
  }
}

/// The source of a model: the content of the file `contents` in an `.xcdatamodel` folder.
///
/// ```swift
/// let source = try SourceModel(model)
/// for departure in source.departures where departure.isLoss { … }
/// ```
package struct SourceModel: Sendable, Equatable {
  /// The bytes of the file `contents`, in UTF-8.
  package let contents: [UInt8]
  /// The differences between the model compiled from this source and the original, in the order of the
  /// entities; empty if the two are equal.
  package let departures: [SourceModelDeparture]

  /// Writes the source of a model.
  ///
  /// The source is read again at once and compared with the model. Whatever a source cannot
  /// express, and whatever the compiler adds, is among the departures. For a model read from a
  /// source there are none, except for fetch requests.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for a model with names that XML cannot contain, or
  ///   that contradicts itself; `model-limit` for a model beyond a limit of sources.
  package init(_ model: ManagedObjectModel) throws(CofferError) {
    contents = SourceModelWriter.contents(of: model)
    let found = try SourceModelReader.read(contents: contents)
    departures = SourceModelComparison.departures(of: found, from: model)
  }
}
