public import CoreDataModel

/// Which versions of a model a store can be carried between, by inferred mappings, in one step or in
/// several.
///
/// ```swift
/// let matrix = try ModelMatrix(bundle)
/// guard matrix.missing.isEmpty else { … }
/// ```
public struct ModelMatrix: Sendable {
  /// The way from one version to another.
  public struct Route: Sendable, Equatable {
    /// The version of the store.
    public let source: String
    /// The version that it is to get.
    public let destination: String
    /// The versions on the way, from the source to the destination; empty where there is no way.
    public let versions: [String]
    /// Why one step is not enough; empty where it is.
    public let problems: [MappingProblem]
    /// What the objects have to meet on the way.
    public let conditions: [MappingCondition]

    /// Whether there is a way.
    public var isPossible: Bool { !versions.isEmpty }
    /// The number of steps; 0 where there is no way.
    public var stepCount: Int { max(0, versions.count - 1) }
  }

  /// The names of the versions, from the oldest on.
  public let versions: [String]
  /// The version that stores have to reach.
  public let currentVersionName: String
  /// The ways between every two versions, by source and then by destination, in the order of the
  /// versions.
  public let routes: [Route]

  /// Looks at all versions of a folder.
  ///
  /// - Parameters:
  ///   - bundle: the versions; their order is that of their names, in which 10 comes behind 9.
  ///   - current: the version that stores have to reach; nil for the one that the app uses, or the
  ///     last where the folder does not say.
  /// - Throws: ``CofferError``: `not-a-model` for a version that is not there and for a folder without
  ///   any; what a model that cannot be read, or is too large to be compared, gives.
  public init(_ bundle: ModelBundle, current: String? = nil) throws(CofferError) {
    guard let last = bundle.versions.last else {
      throw CofferError(.notAModel, path: bundle.path, detail: "it has no versions")
    }
    let name = current ?? bundle.currentVersionName ?? last.name
    currentVersionName = try bundle.version(name).name
    var models: [(name: String, model: ManagedObjectModel)] = []
    for version in bundle.versions {
      models.append((version.name, try bundle.model(version: version.name)))
    }
    versions = models.map(\.name)
    routes = try Self.routes(models)
  }

  /// The ways that an app needs and that are not there: from the versions before the current one.
  public var missing: [Route] {
    let older = versions.prefix { $0 != currentVersionName }
    return routes.filter {
      $0.destination == currentVersionName && !$0.isPossible && older.contains($0.source)
    }
  }

  /// The ways from a version to one behind it.
  public var forward: [Route] {
    var places: [String: Int] = [:]
    for (place, name) in versions.enumerated() { places[name] = place }
    return routes.filter { places[$0.source] ?? 0 < places[$0.destination] ?? 0 }
  }

  private static func routes(
    _ models: [(name: String, model: ManagedObjectModel)]
  ) throws(CofferError) -> [Route] {
    var mappings: [[ModelMapping]] = []
    for source in models {
      var row: [ModelMapping] = []
      for destination in models {
        row.append(try ModelMapping.infer(from: source.model, to: destination.model))
      }
      mappings.append(row)
    }
    var routes: [Route] = []
    for source in models.indices {
      let ways = ways(from: source, mappings)
      for destination in models.indices where destination != source {
        let way = ways[destination] ?? []
        var conditions: [MappingCondition] = []
        for (one, next) in zip(way, way.dropFirst()) {
          for condition in mappings[one][next].conditions where !conditions.contains(condition) {
            conditions.append(condition)
          }
        }
        routes.append(
          Route(
            source: models[source].name, destination: models[destination].name,
            versions: way.map { models[$0].name },
            problems: mappings[source][destination].problems, conditions: conditions))
      }
    }
    return routes
  }

  /// The shortest ways from a version to all that it can reach.
  private static func ways(from source: Int, _ mappings: [[ModelMapping]]) -> [Int: [Int]] {
    var ways = [source: [source]]
    var waiting = [source][...]
    while let version = waiting.popFirst() {
      for next in mappings.indices where ways[next] == nil {
        guard mappings[version][next].isPossible else { continue }
        ways[next] = (ways[version] ?? []) + [next]
        waiting.append(next)
      }
    }
    return ways
  }
}
