package import CofferCore
package import CoreDataModel

/// The versions of a model between which stores can be migrated, by mapping models or inferred mappings, in one
/// step or several.
///
/// ```swift
/// let matrix = try ModelMatrix(bundle)
/// guard matrix.missing.isEmpty else { … }
/// ```
package struct ModelMatrix: Sendable {
  /// A mapping model between two versions.
  package struct Custom: Sendable, Equatable {
    /// The name of its file.
    package var name: String
    /// The reasons why it cannot be carried out.
    package var problems: [MappingProblem]

    /// Creates one.
    package init(name: String, problems: [MappingProblem]) {
      self.name = name
      self.problems = problems
    }
  }

  /// Finds the mapping model from one version to another; nil if there is none.
  package typealias Finder = (
    _ old: (name: String, model: ManagedObjectModel),
    _ new: (name: String, model: ManagedObjectModel)
  ) throws(CofferError) -> Custom?

  /// The route from one version to another.
  package struct Route: Sendable, Equatable {
    /// The version of the store.
    package let source: String
    /// The version to reach.
    package let destination: String
    /// The versions of the route, from the source to the destination; empty if there is none.
    package let versions: [String]
    /// The names of the mapping models of the steps; nil for a step whose mapping is inferred.
    package let mappingNames: [String?]
    /// The reasons why one step is not enough; empty if it is.
    package let problems: [MappingProblem]
    /// The facts that only a store of the destination model shows; empty without a route.
    package let open: [MappingProblem]
    /// The conditions that the objects must meet, as far as mappings are inferred.
    package let conditions: [MappingCondition]
    /// The versions of the route that stores take if one step would leave most of their objects behind.
    ///
    /// It is the shortest that leaves out no entity without a mapping model that says so. It is empty if there is no
    /// such route, or if one step leaves out none.
    package let keepingVersions: [String]

    /// Whether, and by whom, stores can be migrated on this route.
    package var verdict: MigrationVerdict { MigrationVerdict(isPossible ? open : problems) }

    /// Whether there is a route.
    package var isPossible: Bool { !versions.isEmpty }
    /// The number of steps; 0 without a route.
    package var stepCount: Int { max(0, versions.count - 1) }
  }

  /// The names of the versions, the oldest first.
  package let versions: [String]
  /// The version that stores must reach.
  package let currentVersionName: String
  /// The routes between all pairs of versions, by source and then by destination, in the order of
  /// the versions.
  package let routes: [Route]

  /// Compares all versions in a folder.
  ///
  /// - Parameters:
  ///   - bundle: the versions, which are ordered by name, with 10 after 9.
  ///   - current: the version that stores must reach; nil for the app's current one, or the last
  ///     one if the folder does not name one.
  ///   - custom: finds mapping models, which count more than inferred mappings.
  /// - Throws: ``CofferError``: `not-a-model` for a missing version and for a folder without any;
  ///   other errors for a model that is unreadable or too large to compare.
  package init(
    _ bundle: ModelBundle, current: String? = nil, custom: Finder = { _, _ in nil }
  ) throws(CofferError) {
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
    routes = try Self.routes(models, custom)
  }

  /// The routes that an app needs: from older versions to the current one.
  package var needed: [Route] {
    let older = versions.prefix { $0 != currentVersionName }
    return routes.filter { $0.destination == currentVersionName && older.contains($0.source) }
  }

  /// The missing routes that an app needs.
  package var missing: [Route] { needed.filter { !$0.isPossible } }

  /// The worst verdict on the routes that an app needs.
  package var verdict: MigrationVerdict { needed.map(\.verdict).max() ?? .possible }

  /// The routes from a version to later ones.
  package var forward: [Route] {
    var places: [String: Int] = [:]
    for (place, name) in versions.enumerated() { places[name] = place }
    return routes.filter { places[$0.source] ?? 0 < places[$0.destination] ?? 0 }
  }

  private static func routes(
    _ models: [(name: String, model: ManagedObjectModel)], _ custom: Finder
  ) throws(CofferError) -> [Route] {
    var steps: [[(inferred: ModelMapping, custom: Custom?)]] = []
    for source in models.indices {
      var row: [(inferred: ModelMapping, custom: Custom?)] = []
      for destination in models.indices {
        let (old, new) = (models[source], models[destination])
        row.append(
          (
            try ModelMapping.infer(from: old.model, to: new.model),
            source == destination ? nil : try custom(old, new)
          ))
      }
      steps.append(row)
    }
    func problems(_ source: Int, _ destination: Int) -> [MappingProblem] {
      let step = steps[source][destination]
      return step.custom?.problems ?? step.inferred.problems
    }
    func keeps(_ source: Int, _ destination: Int) -> Bool {
      let step = steps[source][destination]
      return problems(source, destination).isEmpty
        && (step.custom != nil || !step.inferred.entities.contains { $0.kind == .removed })
    }
    var routes: [Route] = []
    for source in models.indices {
      for destination in models.indices where destination != source {
        let way =
          VersionRoute.shortest(from: source, to: destination) { problems($0, $1).isEmpty } ?? []
        let keeping =
          way.count == 2 && !keeps(source, destination)
          ? VersionRoute.shortest(from: source, to: destination, isPossible: keeps) : nil
        var conditions: [MappingCondition] = []
        for (one, next) in zip(way, way.dropFirst()) {
          guard steps[one][next].custom == nil else { continue }
          for condition in steps[one][next].inferred.conditions
          where !conditions.contains(condition) {
            conditions.append(condition)
          }
        }
        let mapping = steps[source][destination].inferred
        let open =
          way.isEmpty
          ? []
          : MappingProblem.open(for: mapping.destination, knowing: mapping.source)
        routes.append(
          Route(
            source: models[source].name, destination: models[destination].name,
            versions: way.map { models[$0].name },
            mappingNames: zip(way, way.dropFirst()).map { steps[$0][$1].custom?.name },
            problems: problems(source, destination), open: open, conditions: conditions,
            keepingVersions: (keeping ?? []).map { models[$0].name }))
      }
    }
    return routes
  }
}
