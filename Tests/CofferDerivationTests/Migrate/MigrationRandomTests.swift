internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Random models, random rows, random changes: every migration is right, or refused for a reason.
///
/// 16 models are tried (``Effort``).
@Suite(.enabled(if: Oracle.isAvailable)) struct MigrationRandomTests {
  private static let count: UInt64 = Effort.tries(16)

  @Test func randomChangesKeepEveryValue() throws {
    var (done, refused) = (0, 0)
    for seed in UInt64(1)...Self.count {
      var evolution = EvolvingModel(seed: seed)
      let folder = try TemporaryDirectory()
      var current = folder.file("0.sqlite")
      let builder = try SampleStoreBuilder(path: current, model: evolution.model, journal: .delete)
      try evolution.fill(builder)
      try builder.finish()
      for step in 1...3 {
        evolution.evolve()
        let model = folder.file("model\(step).sqlite")
        try SampleStoreBuilder(path: model, model: evolution.model, journal: .delete).finish()
        let next = folder.file("\(step).sqlite")
        do {
          try StoreMigrator().migrate(current, to: model, at: next)
        } catch let error as CofferError {
          refused += 1
          let allowed: [MappingProblem.Code] = [
            .unmetCondition, .notSupported, .mergedHierarchies, .changedDestination,
          ]
          #expect(
            error.problems.allSatisfy { allowed.contains($0.code) },
            "seed \(seed), step \(step): \(error.problems)")
          #expect(!FileManager.default.fileExists(atPath: next))
          break
        }
        let problems = try MigrationTrial.problems(from: current, to: next)
        #expect(problems == [], "seed \(seed), step \(step)")
        done += 1
        current = next
      }
    }
    #expect(done > refused * 2, "\(done) done, \(refused) refused")
  }
}

/// Random relationships between hierarchies that lose random subentities: the result is sound.
@Suite struct MigrationRemovalTests {
  /// Lists and items, each with two subentities, and a relationship between any two of them.
  private static func model(
    _ random: inout SeededGenerator
  ) -> (model: ManagedObjectModel, owner: Name, member: Name) {
    let (owners, members): ([Name], [Name]) = (
      ["List", "SmartList", "OldList"], ["Item", "Task", "Note"]
    )
    var entities = (owners + members).map { name -> EntityDescription in
      EntityDescription(
        name: name, className: name,
        superentityName: owners[0] == name || members[0] == name
          ? nil : owners.contains(name) ? owners[0] : members[0])
    }
    let (owner, member) = (random.below(owners.count), owners.count + random.below(members.count))
    let isInverseToMany = random.chance(0.3)
    let hasInverse = isInverseToMany || random.chance(0.7)
    entities[owner].relationships = [
      RelationshipDescription(
        name: "items", destinationName: entities[member].name,
        inverseName: hasInverse ? "list" : nil, maxCount: 0, isOrdered: random.chance(0.8))
    ]
    if hasInverse {
      entities[member].relationships = [
        RelationshipDescription(
          name: "list", destinationName: entities[owner].name, inverseName: "items",
          maxCount: isInverseToMany ? 0 : 1, isOrdered: isInverseToMany && random.chance(0.5))
      ]
    }
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: [""], source: .modelCache)
    return (model, entities[owner].name, entities[member].name)
  }

  @Test(arguments: 1...24) func whateverEntitiesGoTheResultIsSound(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (old, owner, member) = Self.model(&random)
    let gone: [Name] = ["SmartList", "OldList", "Task", "Note"].filter { name in
      name != owner && name != member && random.chance(0.6)
    }
    let new = ManagedObjectModel(
      entities: old.entities.filter { !gone.contains($0.name) }, versionIdentifiers: [""],
      source: .modelCache)
    let trial = try MigrationTrial(from: old, to: new) { builder in
      var keys: [String: [Int64]] = [:]
      for entity in old.entities {
        for _ in 0..<3 {
          keys[entity.name.text, default: []].append(try builder.insert(entity.name))
        }
      }
      var free = old.tree(of: member).flatMap { keys[$0.name.text] ?? [] }
      let isShared = old.relationship("list", of: member)?.relationship.isToMany ?? false
      for key in old.tree(of: owner).flatMap({ keys[$0.name.text] ?? [] }) {
        let chosen = free.filter { _ in random.chance(0.4) }
        if !isShared { free.removeAll { chosen.contains($0) } }
        try builder.link(owner, "items", from: key, to: chosen)
      }
    }
    var options = MigrationOptions()
    options.allowsLoss = true
    try trial.migrate(options)
    #expect(
      try Verification(of: trial.new).texts.filter { $0.hasPrefix("error") } == [],
      "seed \(seed), without \(gone)")
  }
}
