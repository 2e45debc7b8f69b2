internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A store is compared with the given model, or checked against it if it has no model.
@Suite struct ModelCheckTests {
  @Test func theOwnModelFits() throws {
    let sample = try SampleCopy()
    #expect(try texts(sample.path, TodoModel.model) == [])
  }

  @Test func everyDifferenceThatCountsIsReported() throws {
    let sample = try SampleCopy()
    let given = try Self.changed(TodoModel.model)
    let expected = [
      "NoteEntity: abstract: no in the store, yes in the model",
      "NoteEntity: superentity: ItemEntity in the store, none in the model",
      "NoteEntity.author: destination: PersonEntity in the store, TodoEntity in the model",
      "NoteEntity.author: inverse: none in the store, notes in the model",
      "NoteEntity.author: count: to-one in the store, to-many, at least 1 in the model",
      "NoteEntity.author: ordered: no in the store, yes in the model",
      "NoteEntity.isLocked: kind: attribute in the store, relationship in the model",
      "NoteEntity.text: type: String in the store, Binary in the model",
      "NoteEntity.text: optional: yes in the store, no in the model",
      "NoteEntity.text: transient: no in the store, yes in the model",
      "NoteEntity.text: version hash modifier: none in the store, 2 in the model",
      "PlaceEntity: the store lacks the entity",
      "VisitEntity: the model lacks the entity",
    ]
    let found = try texts(sample.path, given)
    #expect(found.filter { !$0.contains("color") } == expected)
    #expect(found.contains("NoteEntity.colorID: the model lacks the property"))
    #expect(found.contains("NoteEntity.colorName: the store lacks the property"))
    #expect(try archiveTexts(sample.path, given) == found)
  }

  @Test func elementsOfCompositesAreCompared() throws {
    var location = try #require(TodoModel.model["LocationEntity"])
    let position = try #require(location.attributes.firstIndex { $0.name == "place" })
    location.attributes[position].elements[0].type = .float
    location.attributes[position].elements.remove(at: 1)
    let sample = try SampleCopy()
    #expect(
      try texts(sample.path, Self.model(replacing: location)) == [
        "LocationEntity.place: the model lacks the element latitude",
        "LocationEntity.place.longitude: type: Double in the store, Float in the model",
      ])
  }

  @Test func whatDoesNotCountIsNotReported() throws {
    var visit = try #require(TodoModel.model["VisitEntity"])
    visit.className = "Other"
    visit.renamingIdentifier = "Stay"
    visit.userInfo = ["a": .string("b")]
    visit.attributes[0].defaultValue = .date(0)
    visit.uniquenessConstraints = [["arrival"]]
    let sample = try SampleCopy()
    #expect(try texts(sample.path, Self.model(replacing: visit)) == [])
  }

  /// Without a model nothing is known of types; with one the store is checked against it.
  @Test func aStoreWithoutModelIsCheckedAgainstTheGivenOne() throws {
    let sample = try SampleCopy()
    try Damage.missingModelCache.apply(to: sample.path)
    try Damage.missingColumn.apply(to: sample.path)
    var options = VerificationOptions()
    options.environment.model = LoadedModel(TodoModel.model)
    let verification = try Verification(of: sample.path, options: options)
    #expect(
      verification.texts == [
        "error missing-property VisitEntity.departure", "warning missing-model-cache",
      ])
    #expect(verification.summary.checksNotRun == [])
    let archive = try Verification.ofArchive(of: sample.path, options: options)
    #expect(archive.summary.checksNotRun.contains(.model))
  }

  // MARK: Support

  private func texts(_ path: String, _ given: ManagedObjectModel) throws -> [String] {
    var options = VerificationOptions()
    options.environment.model = LoadedModel(given)
    return try Self.texts(Verification(of: path, options: options))
  }

  private func archiveTexts(_ path: String, _ given: ManagedObjectModel) throws -> [String] {
    var options = VerificationOptions()
    options.environment.model = LoadedModel(given)
    return try Self.texts(Verification.ofArchive(of: path, options: options))
  }

  private static func texts(_ verification: Verification) -> [String] {
    verification.findings.map { finding in
      #expect(finding.code == .modelMismatch)
      let place = [finding.entityName, finding.propertyName].compactMap(\.self)
      return "\(place.joined(separator: ".")): \(finding.detail)"
    }
  }

  private static func model(replacing entity: EntityDescription) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: TodoModel.model.entities.filter { $0.name != entity.name } + [entity],
      source: .file)
  }

  private static func changed(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    var note = try #require(model["NoteEntity"])
    note.superentityName = nil
    note.isAbstract = true
    note.attributes.removeAll { ["colorID", "isLocked"].contains($0.name) }
    note.attributes.append(AttributeDescription(name: "colorName", type: .string))
    let text = try #require(note.attributes.firstIndex { $0.name == "text" })
    note.attributes[text].type = .binary
    note.attributes[text].isOptional = false
    note.attributes[text].isTransient = true
    note.attributes[text].versionHashModifier = "2"
    let author = try #require(note.relationships.firstIndex { $0.name == "author" })
    note.relationships[author].destinationName = "TodoEntity"
    note.relationships[author].inverseName = "notes"
    note.relationships[author].minCount = 1
    note.relationships[author].maxCount = 0
    note.relationships[author].isOrdered = true
    note.relationships.append(
      RelationshipDescription(name: "isLocked", destinationName: "TodoEntity"))
    let others = model.entities.filter { !["NoteEntity", "VisitEntity"].contains($0.name) }
    return ManagedObjectModel(
      entities: others + [note, EntityDescription(name: "PlaceEntity")], source: .file)
  }
}
