/// One column of a table and what it means.
package struct FieldLayout: Sendable, Equatable {
  /// The name of the column in the store.
  package var storedName: String
  /// The meaning of the column.
  package var role: FieldRole

  /// Creates a field with a name and a role.
  package init(storedName: String, role: FieldRole) {
    self.storedName = storedName
    self.role = role
  }
}
