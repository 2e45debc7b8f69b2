package import CoreDataModel
internal import CoreDataStore

extension MappingModel {
  /// The name of the file in an `.xcmappingmodel`.
  private static let fileName = "xcmapping.xml"

  /// Whether a path names a mapping model, as Xcode edits or compiles it.
  package static func isMapping(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return [".xcmappingmodel", ".cdm", "/\(fileName)"].contains { path.hasSuffix($0) }
      || path == fileName
  }

  /// Reads a mapping model that Xcode edits: a folder `.xcmappingmodel`, or the XML in it.
  ///
  /// - Throws: `CofferError`: `not-found`, `read-failed`; `not-a-mapping-model` for anything else, a compiled
  ///   mapping model (`.cdm`) included; `damaged-mapping-model` or `refused` beyond a limit.
  package init(path: String) throws(CofferError) {
    guard !path.hasSuffix(".cdm") else {
      throw CofferError(
        .notAMappingModel, path: path,
        detail: "it is a compiled mapping model, whose format is not known",
        advice: "Give the .xcmappingmodel from the app's sources.")
    }
    let isFolder = FileSync.isFolder(path)
    let file = isFolder ? StorePaths.join(path, Self.fileName) : path
    do throws(CofferError) { try self.init(XMLStoreReader.read(file)) } catch {
      if isFolder, error.code == .notFound {
        throw CofferError(
          .notAMappingModel, path: path, detail: "it is a folder without \(Self.fileName)")
      }
      var error = error.place.path.isEmpty ? error.located(at: file) : error
      switch error.code {
      case .notCoreData, .notAModel: error.code = .notAMappingModel
      case .damagedStore, .damagedModel: error.code = .damagedMappingModel
      default: break
      }
      throw error
    }
  }

  /// Takes a mapping model out of the XML store that it is.
  ///
  /// - Throws: ``CofferError``: `not-a-model`, `damaged-model`, `model-limit`.
  package init(_ store: XMLStore) throws(CofferError) {
    let objects = Dictionary(
      store.objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let roots = store.objects.filter { $0.type == "XDDEVMAPPINGMODEL" }
    guard let root = roots.first, roots.count == 1 else {
      throw CofferError(
        .notAModel, detail: "it is an XML store with \(roots.count) mapping models, not one")
    }
    source = try Self.model("sourcemodeldata", of: root)
    destination = try Self.model("destinationmodeldata", of: root)
    sourcePath = root.text("sourcemodelpath")
    destinationPath = root.text("destinationmodelpath")
    var entities: [Entity] = []
    // The list has no order; the file has.
    let chosen = Set(root.ids("entitymappings"))
    for object in store.objects where chosen.contains(object.id) {
      guard object.type == "XDDEVENTITYMAPPING" else {
        throw CofferError(
          .damagedModel, item: "\(object.id)",
          detail: "it is listed as an entity mapping but is not one")
      }
      entities.append(try Self.entity(object, objects))
    }
    self.entities = entities.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
    let names = entities.map(\.name)
    guard Set(names).count == names.count else {
      throw CofferError(.damagedModel, detail: "two entity mappings with the same name")
    }
  }

  private static func model(
    _ name: Name, of root: XMLStore.Object
  ) throws(CofferError) -> ManagedObjectModel? {
    guard let bytes = root.text(name).flatMap(XMLStore.Object.bytes) else {
      throw CofferError(.damagedModel, item: "\(name)", detail: "it is missing or not base64")
    }
    do throws(CofferError) { return try ModelCacheReader.read(archive: bytes) } catch {
      // Xcode keeps the models in a private format.
      if error.code == .notAModel { return nil }
      throw error.within("\(name)")
    }
  }

  private static func entity(
    _ object: XMLStore.Object, _ objects: [Name: XMLStore.Object]
  ) throws(CofferError) -> Entity {
    let source = object.filledText("sourcename").map { Name($0) }
    let destination = object.filledText("destinationname").map { Name($0) }
    guard source != nil || destination != nil else {
      throw CofferError(
        .damagedModel, item: "\(object.id)", detail: "an entity mapping without entities")
    }
    let own = object.filledText("name").map { Name($0) }
    var entity = Entity(
      name: own ?? defaultName(source, destination),
      number: object.text("mappingnumber").flatMap { Int($0) } ?? 0, from: source,
      to: destination, policyClass: object.filledText("migrationpolicyclassname"),
      filter: object.filledText("sourcefilterpredicatestring"))
    entity.fillsIn = object.text("autogenerateexpression") != "0"
    entity.attributes = try properties(
      object.ids("attributemappings"), ofType: "XDDEVATTRIBUTEMAPPING", objects)
    entity.relationships = try properties(
      object.ids("relationshipmappings"), ofType: "XDDEVRELATIONSHIPMAPPING", objects)
    return entity
  }

  /// The name that Xcode gives an entity mapping.
  static func defaultName(_ source: Name?, _ destination: Name?) -> Name {
    guard let source, let destination else { return source ?? destination ?? "" }
    return "\(source)To\(destination)"
  }

  private static func properties(
    _ ids: [Name], ofType type: Name, _ objects: [Name: XMLStore.Object]
  ) throws(CofferError) -> [Property] {
    var properties: [Property] = []
    for id in ids {
      guard let object = objects[id], object.type == type, let name = object.text("name") else {
        throw CofferError(
          .damagedModel, item: "\(id)", detail: "a property mapping without a name")
      }
      var property = Property(name: Name(name))
      property.mappingName = object.filledText("sourcemappingname").map { Name($0) }
      property.keyPath = object.filledText("sourcekeypath")
      property.isFilledIn = object.text("autogenerateexpression") != "0"
      if let text = object.text("valueexpressiondata") {
        guard let bytes = XMLStore.Object.bytes(ofBase64: text) else {
          throw CofferError(.damagedModel, item: name, detail: "an expression that is not base64")
        }
        do throws(CofferError) { property.expression = try ModelExpression(archive: bytes) } catch {
          throw error.within(name)
        }
      }
      properties.append(property)
    }
    guard Set(properties.map(\.name)).count == properties.count else {
      throw CofferError(.damagedModel, detail: "two mappings of the same property")
    }
    return properties.sorted { $0.name < $1.name }
  }
}

extension XMLStore.Object {
  /// The text of an attribute; nil for an empty one too: Xcode leaves it where a field was cleared.
  fileprivate func filledText(_ name: Name) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
