internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Mends the findings of some codes, one after another, each by the object that it names.
protocol Fixer {
  /// The codes.
  static var codes: Set<FindingCode> { get }
  /// Begins to repair a copy.
  init(_ context: RepairContext)
  /// Mends a finding, unless the object is no longer as the finding says.
  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome
}

/// What became of a finding that was to be mended.
enum FixOutcome {
  /// The finding names no relationship that the copy has.
  static let unknownRelationship = FixOutcome.refused("its relationship is not known")

  /// It is mended: what was changed, as a clause.
  case repaired(String)
  /// An earlier repair mended it.
  case settled
  /// It stays: why, as a clause.
  case refused(String)
}

/// What was mended at once for several findings, each of which leads to it.
///
/// Only so many subjects are remembered that memory stays bounded: one that was forgotten is looked at
/// again, and is in order.
final class MendedSubjects<Subject: Hashable> {
  private static var limit: Int { 4096 }
  private var counts: [Subject: Int] = [:]

  /// How much was changed for a subject; nil if it was not mended, or was forgotten.
  func count(_ subject: Subject) -> Int? { counts[subject] }

  /// Notes that a subject was mended.
  func note(_ subject: Subject, _ count: Int = 1) {
    if counts.count >= Self.limit { counts.removeAll(keepingCapacity: true) }
    counts[subject] = count
  }
}

/// The copy that is repaired.
struct RepairContext {
  /// The store that was copied.
  let store: PersistentStore
  /// Changes the objects.
  let editor: ObjectEditor
  /// The counters of primary keys.
  let counters: PrimaryKeyCounters
  /// The rows that the store is administered with.
  let system: SystemTableRepair
  /// The model that was given; nil if there is none.
  let givenModel: ManagedObjectModel?
  /// Whether the schema may change, which no change file can hold.
  let allowsSchemaChanges: Bool

  /// The tables and relationships.
  var schema: EditedSchema { editor.schema }

  /// The object that a finding names; nil if it names none of a known entity.
  func object(_ finding: Finding) -> StoredObject? {
    guard let objectID = finding.objectID, let table = schema.table(of: objectID.entityName) else {
      return nil
    }
    return StoredObject(table: table, key: objectID.primaryKey)
  }

  /// The index of the reference that a finding names; nil if it names none.
  func reference(_ finding: Finding, of object: StoredObject) throws(CofferError) -> Int? {
    guard let property = finding.propertyName else { return nil }
    let entity = try editor.entityNumber(of: object)
    return schema.references.firstIndex { reference in
      guard reference.table == object.table else { return false }
      if let relationship = reference.relationship {
        return relationship.name.hasSameBytes(as: property)
          && entity.map(reference.holders.contains) == true
      }
      // A column of a to-many relationship without inverse has the name of its owner's.
      return reference.inverse.map {
        "\($0.entity).\($0.relationship.name)".hasSameBytes(as: property)
      } ?? false
    }
  }

  /// The object and the index of the reference that a finding names; nil if it does not name both.
  func relationship(
    _ finding: Finding
  ) throws(CofferError) -> (object: StoredObject, index: Int)? {
    guard let object = object(finding), let index = try reference(finding, of: object) else {
      return nil
    }
    return (object, index)
  }

  /// The index of the table of pairs whose source a finding names; nil if it names none.
  func pairs(_ finding: Finding) -> Int? {
    guard let source = finding.objectID, let name = finding.propertyName else { return nil }
    let property = PropertyReference(entity: source.entityName, property: name)
    return schema.pairs.firstIndex { $0.ends[0].property == property }
  }

  /// The column of an attribute of an object, or of an element of one, by its path.
  func attribute(
    _ path: String, of object: StoredObject
  ) throws(CofferError) -> (column: Int, description: AttributeDescription)? {
    let layout = store.layout
    guard let number = try editor.entityNumber(of: object),
      let entity = layout.numbering.name(of: number)
    else { return nil }
    let declarers = layout.model.lineage(of: entity)
    for (column, field) in schema.tables[object.table].columns.enumerated() {
      guard case .attribute(let names, _, _, let declarer) = field.role,
        names.joined(separator: ".").hasSameBytes(as: path),
        let entity = declarers.first(where: { $0.name.hasSameBytes(as: declarer) })
      else { continue }
      return entity.attribute(at: names).map { (column, $0) }
    }
    return nil
  }

  /// The default of an attribute as it is stored; nil if there is none, or if it may be in a file.
  func standard(_ attribute: AttributeDescription) -> SQLiteValue? {
    attribute.allowsExternalBinaryDataStorage
      ? nil : AttributeDefault(attribute).map { SQLiteValue($0) }
  }

  /// The object that a reference of an object leads to; nil if it leads nowhere, or to none that exists.
  func destination(
    _ reference: Int, of object: StoredObject
  ) throws(CofferError) -> StoredObject? {
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
