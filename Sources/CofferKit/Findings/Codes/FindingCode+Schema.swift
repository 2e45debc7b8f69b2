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

  static let schemaCodes: [FindingCode] = [.unusualSchema]
}
