/// Something that must be true of an app's objects beyond what its model says.
///
/// ```swift
/// struct TripsEndAfterTheyBegin: ObjectCheck {
///   let entityName = "Trip"
///   let propertyNames = ["startDate", "endDate"]
///
///   func findings(about trip: borrowing CheckedObject) -> [Finding] {
///     guard let start = trip.number("startDate"), let end = trip.number("endDate"), end < start
///     else { return [] }
///     return [Finding(.endsBeforeItBegins, objectID: trip.id, propertyName: "endDate")]
///   }
/// }
/// ```
///
/// Put it into ``VerificationOptions/objectChecks``: it sees every object of its entity once, in a store
/// and in an archive alike, beside the checks of the verifier. What it finds counts like theirs. A check
/// whose entity or whose properties the model does not have is reported as not run (`check-not-run`).
/// It is called on one thread at a time; one that needs a memory of earlier objects keeps it in a class.
public protocol ObjectCheck: Sendable {
  /// The entity whose objects it looks at, those of its sub-entities included.
  var entityName: String { get }
  /// The attributes and the to-one relationships that it reads; elements of composite attributes by
  /// their path, such as `place.latitude`.
  var propertyNames: [String] { get }
  /// Looks at an object.
  ///
  /// - Parameter object: lent until the call returns.
  /// - Returns: what is wrong with it; nothing for most.
  /// - Throws: what ends the verification.
  func findings(about object: borrowing CheckedObject) throws -> [Finding]
}
