/// The codes of findings about the statements of the schema.
extension FindingCode {
  /// The schema has a statement that an import does not run unless told to.
  public static let unusualSchema = FindingCode(
    text: "unusual-schema", severity: .warning, check: .schema,
    meaning: "the schema has a statement that an import does not run unless told to",
    cause: """
      The app or another program added a trigger, a view, an index or a table that Core Data would \
      not create: it calls a function that SQLite does not provide, or refers to a table that is not in \
      the store.
      """,
    effect: "None, as long as the app provides what the statement calls.",
    remedy: """
      Trust the schema when you restore an archive of this store. If no one knows the statement, \
      find out who added it.
      """)

  /// A statement of the schema cannot be run again, so that no import could restore it.
  public static let unrestorableSchema = FindingCode(
    text: "unrestorable-schema", severity: .error, check: .schema,
    meaning: "a statement of the schema cannot be run again, so that no import could restore it",
    cause: """
      The list of the schema is damaged or was edited, or only the app has the collation or the \
      function that the statement names. In a salvage also: rows break a condition of the table or \
      of a unique index.
      """,
    effect: """
      A plain export refuses the store, because its archive could not be imported. The app may work \
      as before, or fail with an SQLite error as soon as it uses the table or index.
      """,
    remedy: """
      Restore an older backup, or drop the index or trigger if the app can do without. `coffer \
      export --salvage` leaves it out; a table keeps its columns and rows and loses its conditions.
      """,
    consequences: ["sqlite-damage"])

  static let schemaCodes: [FindingCode] = [.unusualSchema, .unrestorableSchema]
}
