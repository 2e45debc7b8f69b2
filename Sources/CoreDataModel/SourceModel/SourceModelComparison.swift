/// Compares the model that a source gives with the model that the source was written from.
struct SourceModelComparison {
  private let found: ManagedObjectModel
  private let model: ManagedObjectModel
  private var departures: [SourceModelDeparture] = []

  /// The differences, in the order of the entities; each kind once per place.
  static func departures(
    of found: ManagedObjectModel, from model: ManagedObjectModel
  ) -> [SourceModelDeparture] {
    var comparison = SourceModelComparison(found: found, model: model)
    comparison.run()
    return comparison.departures
  }

  private init(found: ManagedObjectModel, model: ManagedObjectModel) {
    self.found = found
    self.model = model
  }

  private mutating func run() {
    let changes = ModelDifference(of: model, and: found, scope: .everything).changes
    for change in changes where change.entityName.isEmpty { note(change) }
    if !model.fetchRequestTemplateNames.isEmpty { note(.fetchRequests) }
    for entity in model.entities {
      for change in changes
      where change.entityName == entity.name && change.propertyName == nil {
        note(change)
      }
      if let other = found[entity.name] { compareInherited(other, entity) }
      for change in changes
      where change.entityName == entity.name && change.propertyName != nil {
        note(change)
      }
      if let other = found[entity.name] { compareForms(other, entity) }
    }
    // Such as the order of what has one name after the other.
    if found != model, departures.allSatisfy({ $0.kind == .fetchRequests }) { note(.other) }
  }

  private mutating func note(
    _ kind: SourceModelDeparture.Kind, _ entity: Name? = nil, _ property: Name? = nil
  ) {
    let departure = SourceModelDeparture(kind, entityName: entity, propertyName: property)
    if !departures.contains(departure) { departures.append(departure) }
  }

  private mutating func note(_ change: ModelDifference.Change) {
    let entity = change.entityName.isEmpty ? nil : change.entityName
    // A difference in an element is a departure of its attribute.
    let property = change.propertyName.flatMap { Name.path($0.text).first }
    switch change.aspect {
    case .uniqueness, .compoundIndex, .fetchIndex: break
    case .versionIdentifiers:
      note(model.versionIdentifiers.isEmpty ? .addedIdentifier : .versionIdentifiers)
    case .userInfo: note(.userInfo, entity, property)
    case .defaultValue: note(.defaultValue, entity, property)
    case .validation: note(.validation, entity, property)
    case .valueClass: note(.valueClass, entity, property)
    case .readOnly: note(.readOnly, entity, property)
    case .derivation: note(.derivation, entity, property)
    case .indexed: note(.addedIndex, entity, property)
    case .request: noteRequest(change.entityName, property ?? "")
    default: note(.other, entity, property)
    }
  }

  private mutating func noteRequest(_ entity: Name, _ name: Name) {
    func request(_ model: ManagedObjectModel) -> FetchedPropertyDescription? {
      model[entity]?.fetchedProperties.first { $0.name == name }
    }
    guard let other = request(found), let property = request(model) else { return }
    if other.predicate != property.predicate { note(.predicate, entity, name) }
    if other.sortDescriptors != property.sortDescriptors { note(.sortOrder, entity, name) }
    if other.fetchedEntityName != property.fetchedEntityName
      || other.fetchLimit != property.fetchLimit
    {
      note(.other, entity, name)
    }
  }

  /// Notes default values that are the same for a store and written differently: a truth value that was a
  /// number, a decimal number with a zero more.
  private mutating func compareForms(_ found: EntityDescription, _ entity: EntityDescription) {
    for attribute in entity.attributes {
      let other = found.attributes.first { $0.name == attribute.name }
      let departs = departures.contains {
        $0.kind == .defaultValue && $0.entityName == entity.name
          && $0.propertyName == attribute.name
      }
      if let other, !departs, !Self.haveSameForm(other, attribute) {
        note(.defaultForm, entity.name, attribute.name)
      }
    }
  }

  private static func haveSameForm(
    _ one: AttributeDescription, _ other: AttributeDescription
  ) -> Bool {
    one.defaultValue == other.defaultValue && one.elements.count == other.elements.count
      && zip(one.elements, other.elements).allSatisfy { haveSameForm($0, $1) }
  }

  /// Compares constraints and indexes, whose order counts, and which the source states at the superentity.
  private mutating func compareInherited(_ found: EntityDescription, _ entity: EntityDescription) {
    if found.uniquenessConstraints != entity.uniquenessConstraints { note(.inherited, entity.name) }
    let superentity = entity.superentityName.flatMap { model[$0] }
    if found.compoundIndexes != entity.compoundIndexes {
      let own = SourceModelWriter.own(entity.compoundIndexes, superentity?.compoundIndexes)
      note(own == found.compoundIndexes ? .inherited : .addedIndex, entity.name)
    }
    guard found.fetchIndexes != entity.fetchIndexes else { return }
    let own = SourceModelWriter.own(entity.fetchIndexes, superentity?.fetchIndexes)
    if own != entity.fetchIndexes { note(.inherited, entity.name) }
    guard found.fetchIndexes != own else { return }
    let isWhole = own.allSatisfy { found.fetchIndexes.contains($0) }
    note(isWhole ? .addedIndex : .predicate, entity.name)
  }
}

/// Something in a model that its source does not express, or expresses differently.
package struct SourceModelDeparture: Sendable, Equatable {
  /// The kinds of departures.
  package enum Kind: String, Sendable, CaseIterable {
    /// A default value that is not a number, string, date, UUID or URI.
    case defaultValue = "default-value"
    /// A validation rule that is not a bound, a length or a pattern.
    case validation
    /// The class of a value, if it is not the usual one.
    case valueClass = "value-class"
    /// A read-only property that is not derived.
    case readOnly = "read-only"
    /// A derivation with a filter, or of a form without a text.
    case derivation
    /// A condition of a form without a text.
    case predicate
    case sortOrder = "sort-order"
    /// A user info entry that is not a string.
    case userInfo = "user-info"
    /// The version identifiers; a source has exactly one.
    case versionIdentifiers = "version-identifiers"
    /// The version identifier of a model without one; in its source it is empty.
    case addedIdentifier = "added-identifier"
    /// The content of fetch requests; only their names are known.
    case fetchRequests = "fetch-requests"
    /// An index that the compiler adds, or orders differently.
    case addedIndex = "added-index"
    /// Constraints and indexes that the entity inherits; the source declares them at the
    /// superentity.
    case inherited
    /// A default value that the compiler writes differently, as a Boolean that was a number.
    case defaultForm = "default-form"
    /// Something else, such as a character that XML cannot contain.
    case other
  }

  /// The kind of departure.
  package let kind: Kind
  /// The entity; nil for the model itself.
  package let entityName: Name?
  /// The property; nil for the entity itself.
  package let propertyName: Name?

  /// Creates a departure of the model, an entity or a property.
  package init(_ kind: Kind, entityName: Name? = nil, propertyName: Name? = nil) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
  }

  /// Whether something is lost.
  ///
  /// Otherwise it comes back when the framework loads the compiled model.
  package var isLoss: Bool {
    switch kind {
    case .addedIdentifier, .addedIndex, .inherited, .defaultForm, .valueClass: false
    default: true
    }
  }

  /// The loss or difference, as a clause with a verb.
  package var sentence: String {
    switch kind {
    case .defaultValue: "the default value cannot be written in a source"
    case .validation: "a validation rule cannot be written in a source"
    case .valueClass: "after compiling, the class of its values is the default one"
    case .readOnly: "the read-only setting is left out"
    case .derivation: "part of its derivation cannot be written in a source"
    case .predicate: "a condition cannot be written in a source"
    case .sortOrder: "the sort order is left out"
    case .userInfo: "user info entries that are not strings are left out or become strings"
    case .versionIdentifiers: "a source has exactly one version identifier"
    case .addedIdentifier: "the compiler adds an empty version identifier"
    case .fetchRequests: "only the names of fetch requests are known. Complete them in Xcode"
    case .addedIndex: "the compiler adds an index or moves it"
    case .inherited: "inherited constraints and indexes are written only for the superentity"
    case .defaultForm: "the default value is written in another form"
    case .other: "a part cannot be written unchanged"
    }
  }
}
