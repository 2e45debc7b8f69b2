public import CofferCore
internal import CoreDataDesign
public import CoreDataModel
internal import CoreDataStore

/// A fix for the findings of an app's own ``ObjectCheck``.
///
/// ```swift
/// struct EndTripsWhenTheyBegin: ObjectFix {
///   let code = FindingCode.endsBeforeItBegins
///
///   func fix(_ finding: Finding, of trip: RepairedObject) throws -> String? {
///     guard let start = try trip.number("startDate") else { return nil }
///     try trip.set("endDate", to: .date(start))
///     return "end the trip when it begins"
///   }
/// }
/// ```
///
/// Add it to ``RepairOptions/objectFixes``, and the check to ``RepairOptions/objectChecks``. A change
/// counts as a save by the app. If the result has warnings or errors about the objects that a fix changed,
/// the fix is left out. Fixes are called on one thread, one after another.
public protocol ObjectFix: Sendable {
  /// The code of the findings that it fixes.
  var code: FindingCode { get }
  /// Mends a finding.
  ///
  /// - Parameters:
  ///   - finding: the finding.
  ///   - object: the object that it names, in its current state.
  /// - Returns: the change, as a clause without values of the user's data; nil if none is necessary.
  /// - Throws: ``CofferError`` with `refused` to leave the finding unfixed, with its detail as the
  ///   reason; any other error ends the repair.
  func fix(_ finding: Finding, of object: RepairedObject) throws -> String?
}

/// An object that an ``ObjectFix`` changes.
///
/// Attributes are named as in ``CheckedObject``. An attribute or relationship that the object does not
/// have is an error, `no-such-property`.
public struct RepairedObject {
  /// The ID of the object.
  public let id: ManagedObjectID
  private let object: StoredObject
  private let context: RepairContext

  init(_ id: ManagedObjectID, _ object: StoredObject, _ context: RepairContext) {
    self.id = id
    self.object = object
    self.context = context
  }

  // MARK: Values

  /// Whether an attribute is nil.
  public func isNil(_ attribute: Name) throws(CofferError) -> Bool {
    try value(attribute) == .null
  }

  /// The value of an integer or Boolean attribute: 1 is true, 0 is false; nil for other values.
  public func integer(_ attribute: Name) throws(CofferError) -> Int64? {
    try value(attribute).integer
  }

  /// The value of a number, or of a date as seconds since the start of 2001 in UTC; nil for other values.
  public func number(_ attribute: Name) throws(CofferError) -> Double? {
    switch try value(attribute) {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The value of a string or URI attribute; nil for other values.
  public func text(_ attribute: Name) throws(CofferError) -> String? {
    try value(attribute).string
  }

  private func value(_ attribute: Name) throws(CofferError) -> SQLiteValue {
    try context.editor.value(self.attribute(attribute.text).column, of: object)
  }

  private func attribute(
    _ name: String
  ) throws(CofferError) -> (column: Int, description: AttributeDescription) {
    guard let found = try context.attribute(name, of: object) else { throw noSuchProperty(name) }
    return found
  }

  private func noSuchProperty(_ name: String) -> CofferError {
    CofferError(
      .noSuchProperty, path: context.store.path, item: "\(id.entityName).\(name)",
      detail: "the object has no such property that is stored")
  }

  // MARK: Changes

  /// Sets the value of an attribute; `null` for nil.
  ///
  /// - Throws: ``CofferError``: `refused` if the value does not fit the type of the attribute, if that may
  ///   be in an external file, or if one of the app's own triggers must run.
  public func set(_ attribute: Name, to value: ModelValue) throws(CofferError) {
    let (column, description) = try self.attribute(attribute.text)
    var stored = SQLiteValue.null
    if value != .null {
      guard !description.allowsExternalBinaryDataStorage,
        let known = AttributeDefault(value, as: description.type)
      else {
        throw CofferError(
          .refused, path: context.store.path, item: "\(id.entityName).\(attribute)",
          detail: "the value does not fit the attribute")
      }
      stored = SQLiteValue(known)
    }
    try context.editor.set(stored, column: column, of: object)
  }

  /// Unsets a to-one relationship, and its inverse accordingly.
  ///
  /// - Throws: ``CofferError`` with `refused` if it is required, or if one of the app's own triggers must
  ///   run.
  public func unset(_ relationship: Name) throws(CofferError) {
    let finding = Finding(.danglingRelationship, objectID: id, propertyName: relationship)
    guard let index = try context.reference(finding, of: object) else {
      throw noSuchProperty(relationship.text)
    }
    if case .refused(let reason) = try context.unset(index, of: object) {
      throw CofferError(
        .refused, path: context.store.path, item: "\(id.entityName).\(relationship)",
        detail: reason)
    }
  }

  /// Deletes the object, and applies its delete rules.
  ///
  /// - Throws: ``CofferError`` with `refused` if a delete rule denies it, or if one of the app's own
  ///   triggers must run.
  public func delete() throws(CofferError) {
    let plan = try context.editor.plannedDeletion(of: object)
    if let denial = plan.denial {
      throw CofferError(
        .refused, path: context.store.path, item: id.description,
        detail: "the relationship \(denial.relationshipName) denies its deletion")
    }
    try context.editor.delete(plan.objects)
  }
}

extension RepairContext {
  /// Calls one of the app's own fixes.
  func fix(_ finding: Finding, by own: any ObjectFix) throws -> FixOutcome {
    guard let id = finding.objectID, let object = object(finding),
      try editor.lookup.contains(object)
    else { return .settled }
    return try own.fix(finding, of: RepairedObject(id, object, self)).map(FixOutcome.repaired)
      ?? .settled
  }
}
