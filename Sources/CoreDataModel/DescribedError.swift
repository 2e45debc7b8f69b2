/// An error that says where it happened, what it is, why, and what to do next.
///
/// All errors of this library conform to this protocol. Their texts contain no values of the user's
/// data.
public protocol DescribedError: Error, Sendable, CustomStringConvertible {
  /// The stable code in kebab case, such as `not-a-core-data-store`; scripts may depend on it.
  var codeText: String { get }
  /// What the code means, in a few words, such as `not a Core Data store`.
  var title: String { get }
  /// Where it happened: a file, an entry of an archive, an entity; empty when there is no place.
  var place: String { get }
  /// Why: the cause in one sentence; empty when the title says it all.
  var detail: String { get }
  /// The next step for the user, or nil when none is known.
  var hint: String? { get }
}

extension DescribedError {
  /// The error as `where: what: why`.
  public var description: String {
    [place, title, detail].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
