internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// What is inferred of real stores, compared with the models that they keep.
@Suite struct InferredRealStoreTests {
  /// The number of columns with references, the number that were found, and wrong
  /// inferences.
  private struct Score {
    var all = 0
    var found = 0
    var wrong: [String] = []

    /// Compares the inferred layout with the layout of the model, for the same tables.
    mutating func add(
      _ inferred: StoreLayout, _ modelled: StoreLayout, _ place: String
    ) {
      var truth: [String: FieldRole] = [:]
      for table in modelled.entityTables {
        for column in table.columns {
          truth["\(table.tableName).\(column.storedName)"] = column.role
          if case .toOne = column.role { all += 1 }
        }
      }
      for table in inferred.entityTables {
        for column in table.columns {
          let name = "\(table.tableName).\(column.storedName)"
          guard let expected = Self.meaning(of: truth[name], modelled),
            let meaning = Self.meaning(of: column.role, inferred)
          else { continue }
          if meaning != expected { wrong.append("\(place) \(name): \(meaning), not \(expected)") }
          if case .toOne = column.role { found += 1 }
        }
      }
    }

    /// What a column leads to, by the number of the entity; nil for an inferred attribute, which
    /// may be anything.
    private static func meaning(of role: FieldRole?, _ layout: StoreLayout) -> String? {
      func number(_ name: Name, _ entity: Name) -> String {
        let found = layout.model.relationship(name, of: entity)?.relationship
        let number = found.flatMap { layout.numbering.number(of: $0.destinationName) }
        return number.map(String.init) ?? "?"
      }
      return switch role {
      case .toOne(let name, let entity): "to-one \(number(name, entity))"
      case .toOneEntity: "entity"
      case .order, .ownerOrder: "order"
      case .owner(let entity, _): "owner \(layout.numbering.number(of: entity) ?? 0)"
      case .attribute where layout.model.source != .inferred: "attribute"
      default: nil
      }
    }
  }

  @Test func nothingWrongIsInferred() throws {
    var score = Score()
    for store in RealStores.any {
      try withCopy(of: store) { database in
        let catalog = try SchemaCatalog(database)
        guard let model = try cachedModel(database, catalog) else { return }
        let registry = try EntityRegistry(database, catalog: catalog)
        score.add(
          StoreLayout.inferred(registry: registry, catalog: catalog).layout,
          StoreLayout(model: model, registry: registry, catalog: catalog), store.name)
      }
    }
    #expect(score.wrong == [])
    #expect(score.found * 2 >= score.all)
    if RealStores.isAvailable {
      #expect(score.all == 657)
      #expect(score.found == 352)
    }
  }

  /// Before the era of fetch indexes, attributes have the same kind of indexes as relationships.
  @Test func nothingWrongIsInferredOfOldFrameworks() throws {
    var models: [ManagedObjectModel] = []
    for store in RealStores.any {
      let found = try withCopy(of: store) { try cachedModel($0, try SchemaCatalog($0)) }
      if let found, !models.contains(found) { models.append(found) }
    }
    var score = Score()
    for model in models {
      let design = StoreDesign(model: model, era: FrameworkEra(version: 519))
      let catalog = try withDatabase((design.tables + design.indexes).map(\.sql)) {
        try SchemaCatalog($0)
      }
      score.add(
        StoreLayout.inferred(registry: design.registry, catalog: catalog).layout,
        StoreLayout(model: model, registry: design.registry, catalog: catalog),
        model.entities.first?.name.text ?? "")
    }
    #expect(score.wrong == [])
    #expect(score.found * 2 >= score.all)
  }

  /// The stores of old frameworks, which keep no model.
  private static let old: [String: [String]] = [
    "BookMigration/Model1.sqlite": ["Book.user → User"],
    "ATDataModelv1.sqlite": [
      "ATFileAttachment.filemessage → ATFileMessage",
      "ATMessage.displaytypes → ATMessageDisplayType",
      "ATMessageDisplayType.messages → ATMessage", "ATRecord.fileattachment → ATFileAttachment",
      "ATRecord.sender → ATMessageSender",
    ],
    "ATDataModelv2.sqlite": abstractMessages, "ATDataModelv3.sqlite": abstractMessages,
    "ATDataModelv4.sqlite": abstractMessages, "v2WALDatabase/ATDataModel.sqlite": abstractMessages,
    "ATDataModelv5.sqlite": [
      "ATFileAttachment.message → ATMessage", "ATRecord.sender → ATMessageSender",
    ],
    "Recipes.sqlite": [
      "Image.recipe → Recipe", "Ingredient.recipe → Recipe", "Recipe.image → Image",
      "Recipe.type → RecipeType",
    ],
    "MWKCoreDataTests.sqlite": [], "MWKCoreDataTests2.sqlite": ["Employee.dept → Dept"],
  ]

  private static let abstractMessages = [
    "ATAbstractMessage.displaytypes → ATMessageDisplayType",
    "ATFileAttachment.filemessage → ATFileMessage",
    "ATMessageDisplayType.messages → ATAbstractMessage",
    "ATRecord.fileattachment → ATFileAttachment",
  ]

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func storesOfOldFrameworksHaveRelationships() throws {
    var seen = 0
    for store in RealStores.all {
      try withCopy(of: store) { database in
        let catalog = try SchemaCatalog(database)
        guard try cachedModel(database, catalog) == nil else { return }
        let registry = try EntityRegistry(database, catalog: catalog)
        let model = StoreLayout.inferred(registry: registry, catalog: catalog).model
        let found = model.entities.flatMap { entity in
          entity.relationships.map { "\(entity.name).\($0.name) → \($0.destinationName)" }
        }
        let expected = Self.old.first { store.name.hasSuffix("/\($0.key)") }?.value
        #expect(found == expected, "\(store)")
        seen += 1
      }
    }
    #expect(seen == Self.old.count)
  }
}
