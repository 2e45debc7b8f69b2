internal import CofferKit
internal import TestSupport

/// A damage of the sample store and the findings that it leads to: exactly these, in this order of
/// severity, code and place.
package struct ExpectedFindings: Sendable, CustomStringConvertible {
  /// The name of the damage.
  package let damage: String
  /// The findings in the store, each as `severity code place`.
  package let store: [String]
  /// The findings in an archive of the store; nil for a store that cannot be exported.
  package let archive: [String]?

  /// A damage that is found in the store and, with the same findings, in an archive of it.
  package init(_ damage: String, _ findings: String...) {
    self.damage = damage
    store = findings
    archive = findings
  }

  /// A damage with other findings in an archive, such as none because an archive has no pages, or a damage
  /// that prevents an archive.
  package init(_ damage: String, store: [String], archive: [String]?) {
    self.damage = damage
    self.store = store
    self.archive = archive
  }

  /// The name of the damage, for the report of a test.
  package var description: String { damage }

  /// All of them; one file for each area.
  package static let all =
    database + administration + objects + derived + relationships + rules + counters + history
    + external
}
