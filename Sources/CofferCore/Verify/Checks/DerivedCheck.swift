internal import CoreDataArchive
internal import CoreDataModel

/// Checks that derived attributes have the values of their expressions.
///
/// Two kinds of expressions are evaluated: an attribute of a to-one relationship's destination, and
/// the count of a to-many relationship that is not its own inverse. All others are ignored: they
/// depend on the time (`now()`) or on rules of Foundation (`canonical:`), or are sums with
/// rounding. No known real store has one.
final class DerivedCheck: Check {
  static let name = CheckName.derived
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext
  private var values: [any DerivedValues] = []

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    for entity in context.subject.model.entities {
      for attribute in entity.attributes where attribute.isDerived {
        guard let derived = DerivedAttribute(attribute, of: entity, context) else { continue }
        if let copy = DerivedCopy(derived, context) {
          values.append(copy)
        } else if let count = DerivedCount(derived, context) {
          values.append(count)
        }
      }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    VisitorGroup(values.compactMap { $0.visitor(of: table) })
  }
}
