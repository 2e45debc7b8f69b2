internal import CofferCore
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Fixes the findings of some codes, one after another, each by the object that it names.
struct Fixer {
  let codes: Set<FindingCode>
  /// Fixes a finding in a copy, unless the finding no longer applies to the object.
  let fix: (RepairContext) -> (Finding) throws -> FixOutcome

  init(
    _ codes: Set<FindingCode>, _ fix: @escaping (RepairContext) -> (Finding) throws -> FixOutcome
  ) {
    self.codes = codes
    self.fix = fix
  }
}

enum FixOutcome {
  /// The finding names no relationship that the copy has.
  static let unknownRelationship = FixOutcome.refused("its relationship is not known")

  /// It is fixed; the value describes the change, as a clause.
  case repaired(String)
  case settled
  /// It stays: why, as a clause.
  case refused(String)
}

/// Subjects that were fixed at once for several findings.
///
/// The number of remembered subjects is limited, so that memory stays bounded: a forgotten one is
/// examined again, and is in order.
final class MendedSubjects<Subject: Hashable> {
  private static var limit: Int { 4096 }
  private var counts: [Subject: Int] = [:]

  /// The number of changes for a subject; nil if it was not fixed, or was forgotten.
  func count(_ subject: Subject) -> Int? { counts[subject] }

  /// Records that a subject was fixed.
  func note(_ subject: Subject, _ count: Int = 1) {
    if counts.count >= Self.limit { counts.removeAll(keepingCapacity: true) }
    counts[subject] = count
  }
}

/// The copy that is repaired.
struct RepairContext {
  let store: PersistentStore
  let editor: ObjectEditor
  let counters: PrimaryKeyCounters
  /// The administrative rows of the store.
  let system: SystemTableRepair
  /// The given model; nil if there is none.
  let givenModel: ManagedObjectModel?
  /// Whether the schema may change, which a change file cannot record.
  let allowsSchemaChanges: Bool

  /// The tables and relationships.
  var schema: EditedSchema { editor.schema }

  /// The object that a finding names; nil if it names none of a known entity.
  func object(_ finding: Finding) -> StoredObject? {
    finding.objectID.flatMap { object($0) }
  }

  /// The object of an ID; nil if its entity has no table.
  func object(_ id: ManagedObjectID) -> StoredObject? {
    schema.table(of: id.entityName).map { StoredObject(table: $0, key: id.primaryKey) }
  }

  /// The name of the own entity of an object; nil for an object that does not exist or has no known entity.
  func entityName(of object: StoredObject) throws(CofferError) -> Name? {
    try editor.entityNumber(of: object).flatMap { store.layout.numbering.name(of: $0) }
  }

  /// The index of the reference that a finding names; nil if it names none.
  func reference(_ finding: Finding, of object: StoredObject) throws(CofferError) -> Int? {
    guard let property = finding.propertyName else { return nil }
    let entity = try editor.entityNumber(of: object)
    return schema.references.firstIndex { reference in
      guard reference.table == object.table else { return false }
      if let relationship = reference.relationship {
        return relationship.name == property
          && entity.map(reference.holders.contains) == true
      }
      // A column of a to-many relationship without an inverse is named after the owner's
      // relationship.
      return reference.inverse.map {
        Name("\($0.entity).\($0.relationship.name)") == property
      } ?? false
    }
  }

  /// The object and the index of the reference that a finding names; nil if it does not name both.
  func relationship(_ finding: Finding) throws(CofferError) -> (object: StoredObject, index: Int)? {
    guard let object = object(finding), let index = try reference(finding, of: object) else {
      return nil
    }
    return (object, index)
  }

  /// The index of the join table whose source a finding names; nil if it names none.
  func pairs(_ finding: Finding) -> Int? {
    guard let source = finding.objectID, let name = finding.propertyName else { return nil }
    let property = PropertyReference(entity: source.entityName, property: name)
    return schema.pairs.firstIndex { $0.ends[0].property == property }
  }

  /// The column of an attribute of an object, or of an element of one, by its path.
  func attribute(
    _ path: String, of object: StoredObject
  ) throws(CofferError) -> (column: Int, description: AttributeDescription)? {
    guard let entity = try entityName(of: object) else { return nil }
    let declarers = store.layout.model.lineage(of: entity)
    for (column, field) in schema.tables[object.table].columns.enumerated() {
      guard case .attribute(let names, _, _, let declarer) = field.role,
        names.joined(separator: ".").hasSameBytes(as: path),
        let entity = declarers.first(where: { $0.name == declarer })
      else { continue }
      return entity.attribute(at: names).map { (column, $0) }
    }
    return nil
  }

  /// The stored form of an attribute's default; nil if there is none, or if it may be in a file.
  func standard(_ attribute: AttributeDescription) -> SQLiteValue? {
    attribute.allowsExternalBinaryDataStorage
      ? nil : AttributeDefault(attribute).map { SQLiteValue($0) }
  }

  /// The object that a reference of an object leads to; nil if it is unset or dangling.
  func destination(_ reference: Int, of object: StoredObject) throws(CofferError) -> StoredObject? {
    guard let key = try editor.destination(reference, of: object), key != 0 else { return nil }
    let destination = StoredObject(table: schema.references[reference].destinationTable, key: key)
    return try editor.lookup.contains(destination) ? destination : nil
  }

  /// Unsets a reference of an object, unless its relationship is required.
  func unset(_ reference: Int, of object: StoredObject) throws(CofferError) -> FixOutcome {
    if let relationship = schema.references[reference].relationship, !relationship.isOptional {
      return .refused("the relationship is required")
    }
    return try editor.unset(reference, of: object) ? .repaired("unset the relationship") : .settled
  }
}
