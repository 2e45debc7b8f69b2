internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import StoreGenerator

extension FuzzTarget {
  static let modelWords = [
    "NSEntities", "NSProperties", "NS.keys", "NS.objects", "values", "searchMapping", "keys",
    "$class",
    "_NSDestinationEntityName", "NSEntityName", "NSUserInfo", "NSDeleteRule", "NSMaxCount",
    "NSAttributeType", "NSSuperentity", "NSSubentities", "NSVersionIdentifiers", "$classname",
    "$classes", "NSSubpredicates", "NSPredicateOperator", "NSLeftExpression",
    "NSValidationPredicates",
    "NSDictionary", "NSArray", "NSSet", "NSAttributeDescription", "NSRelationshipDescription",
    "NS.string", "NS.data", "NS.time", "NS.uuidbytes", "NS.relative", "emptyToken", "NSNull",
    "NSFetchIndexDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription",
    "NSConfigurations", "NSFetchRequestTemplates", "NSUniquenessConstraints",
    "NSRenamingIdentifier",
  ]

  static var modelArchives: [[UInt8]] {
    [ModelCacheWriter.archive(FuzzSamples.smallModel), ModelCacheWriter.archive(TodoModel.model)]
  }

  /// Keyed archives, and the models that they hold.
  static let model = FuzzTarget(
    "model", "keyed archives of models; a model survives its document and its cached form",
    words: modelWords, seeds: { modelArchives },
    change: { try PropertyListValue.mutate(&$0, words: modelWords, &$1) }
  ) { input in
    try walk(input)
    let model = try ModelCacheReader.read(archive: input)
    try hold((try? ModelCacheReader.read(archive: input)) == model, "a model is read in two ways")
    let text = ModelDocument(model: model).value.bytes()
    let document: ModelDocument
    do {
      document = try ModelDocument(try JSONValue.parse(text))
    } catch {
      throw BrokenLaw("the document of a model is refused: \(error)")
    }
    try hold(
      ModelDocument(model: document.model).value.bytes() == text,
      "a model is another one after its document")
    let cached = ModelCacheWriter.archive(model)
    try hold(ModelCacheWriter.archive(model) == cached, "a model is cached in two ways")
    _ = try ModelCacheReader.read(archive: cached)
    try holdSource(model)
    show(model)
  }

  /// A model is the same in its source, except for the named parts; nothing more is lost after that.
  private static func holdSource(_ model: ManagedObjectModel) throws {
    // Names that no XML holds can make two of them the same.
    guard let source = try? SourceModel(model) else { return }
    let found = try SourceModelReader.read(contents: source.contents)
    let isSame = source.departures.allSatisfy { $0.kind == .fetchRequests }
    try hold((found == model) == isSame, "a model departs from its source without a word")
    let again = try SourceModel(found)
    try hold(
      again.departures.allSatisfy { !$0.isLoss || $0.kind == .fetchRequests },
      "the source of a source loses more")
  }

  /// Whatever is shown of a model can be shown of every model.
  private static func show(_ model: ManagedObjectModel) {
    _ = ModelText(model).text
    _ = ModelLint(mirrorsToCloudKit: true).problems(in: model)
    let diagram = ModelDiagram(model)
    _ = (diagram.mermaid, diagram.dot)
    if model.entities.count <= 60, diagram.isDrawable { _ = diagram.svg(title: "Model") }
  }

  /// Expands the root of a keyed archive.
  private static func walk(_ input: [UInt8]) throws {
    var archive = try KeyedArchive(input)
    let value = try? archive.value(of: archive.root)
    var again = try KeyedArchive(input)
    let other = try? again.value(of: again.root)
    try hold((value == nil) == (other == nil), "an archive is expanded in two ways")
  }

  /// A model as a store has it: compressed.
  static let cachedModel = FuzzTarget(
    "cached-model", "compressed models, and a model file by its path; both as the archive itself",
    words: modelWords, seeds: { try modelArchives.map { try deflateRaw($0) } },
    change: { bytes, random in
      var archive = try inflateRaw(bytes, limit: 1 << 20)
      if random.chance(0.5) {
        try PropertyListValue.mutate(&archive, words: modelWords, &random)
      } else {
        ByteMutation(words: modelWords, other: []).apply(to: &archive, &random)
      }
      bytes = try deflateRaw(archive, level: 1)
    }
  ) { input in
    let cached = Result { try ModelCacheReader.read(compressed: input) }
    guard let archive = try? inflateRaw(input, limit: 1 << 20) else {
      return try hold((try? cached.get()) == nil, "a model of no archive")
    }
    let plain = try? ModelCacheReader.read(archive: archive, source: .modelCache)
    try hold((try? cached.get()) == plain, "a compressed model reads otherwise")
    guard archive.starts(with: "bplist".utf8) else { return }
    let file = try FuzzFolder.current().write(archive, to: "Model.mom")
    let loaded = try ModelLoader.model(from: file)
    try hold(loaded.entities == plain?.entities, "a model file reads otherwise")
  }
}
