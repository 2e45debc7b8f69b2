extension Damage {
  /// A derived attribute is not a copy of its source.
  package static let wrongDerivedCopy = Damage(
    "wrong-derived-copy", "TodoEntity/p1.locationName is not the name of its location",
    sql: "UPDATE ZITEMENTITY SET ZLOCATIONNAME = 'Elsewhere' WHERE Z_PK = 1")
  /// A derived attribute is a copy of nothing.
  package static let strayDerivedCopy = Damage(
    "stray-derived-copy", "TodoEntity/p2.locationName is set, but there is no location",
    sql: "UPDATE ZITEMENTITY SET ZLOCATIONNAME = 'Home' WHERE Z_PK = 2")
  /// A derived attribute has no value, although there is one to copy.
  package static let missingDerivedCopy = Damage(
    "missing-derived-copy", "RecurringTodoEntity/p4.locationName is not set, but has a location",
    sql: "UPDATE ZITEMENTITY SET ZLOCATIONNAME = NULL WHERE Z_PK = 4")
  /// A derived attribute has no count.
  package static let missingDerivedCount = Damage(
    "missing-derived-count", "LocationEntity/p2.todoCount is not set",
    sql: "UPDATE ZLOCATIONENTITY SET ZTODOCOUNT = NULL WHERE Z_PK = 2")
  /// A value changed without the values that are derived from it.
  package static let staleDerivedCopies = Damage(
    "stale-derived-copies", "the name of LocationEntity/p1 changed and three copies of it did not",
    sql: """
      DROP TRIGGER Z_DA_ZLOCATIONENTITY_TodoEntity_locationName_PARAMETER_UPDATE;
      UPDATE ZLOCATIONENTITY SET ZNAME = 'Office' WHERE Z_PK = 1
      """)

  static let derived = [
    wrongDerivedCopy, strayDerivedCopy, missingDerivedCopy, missingDerivedCount,
    staleDerivedCopies,
  ]
}
