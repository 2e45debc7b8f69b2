internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The options of commands that match objects.
struct MatchingArguments: ParsableArguments {
  @Option(
    name: .customLong("match"),
    help: .value(
      "entity=property,...", "Match objects of this entity by these properties; repeatable."),
    transform: NaturalKey.init(argument:))
  var naturalKeys: [NaturalKey] = []

  @Flag(help: "Match all objects by entity and primary key.")
  var matchByObjectID = false

  func validate() throws {
    if matchByObjectID, !naturalKeys.isEmpty {
      throw ValidationError("'--match' and '--match-by-object-id' cannot be combined.")
    }
    try Self.requireOneKeyPerEntity(naturalKeys)
  }

  /// Checks that no entity is named twice.
  static func requireOneKeyPerEntity(_ keys: [NaturalKey]) throws {
    var seen: Set<Name> = []
    for key in keys where !seen.insert(key.entityName).inserted {
      throw ValidationError(
        "'--match' names \(key.entityName) twice; separate properties with commas.")
    }
  }
}

extension NaturalKey {
  /// The key in an argument such as `Person=name,address.city`.
  init(argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let paths =
      parts.dropFirst().first?
      .split(separator: ",", omittingEmptySubsequences: false).map { Name(String($0)) } ?? []
    let isComplete = paths.allSatisfy { path in
      Name.path(path.text, omittingEmptyNames: false).allSatisfy { !$0.isEmpty }
    }
    guard let entity = parts.first, !entity.isEmpty, !paths.isEmpty, isComplete else {
      throw ValidationError(
        "'\(argument)' is not an entity with properties, such as Person=name,address.city.")
    }
    self.init(entityName: Name(String(entity)), keyPaths: paths)
  }
}

/// A list of aspects of stores that are not compared.
struct IgnoredAspects {
  let aspects: [ComparisonOptions.Aspect]

  /// Parses a list such as `history,uuid`.
  init(_ text: String) throws {
    let names = ComparisonOptions.Aspect.allCases.map(\.rawValue)
    aspects = try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      if let aspect = ComparisonOptions.Aspect(rawValue: String(name)) { return aspect }
      let guess =
        SimilarName.nearest(to: String(name), among: names)
        .map { " Did you mean '\($0)'?" } ?? ""
      throw ValidationError(
        "'\(name)' cannot be ignored.\(guess) Available: \(names.joined(separator: ", "))")
    }
  }
}
