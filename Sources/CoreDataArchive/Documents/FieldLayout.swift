/// One column of a table and what it means.
package struct FieldLayout: Sendable, Equatable {
  /// The name of the column in the store.
  package var storedName: String
  /// What it means.
  package var role: FieldRole

  /// Creates a field.
  package init(storedName: String, role: FieldRole) {
    self.storedName = storedName
    self.role = role
  }
}
