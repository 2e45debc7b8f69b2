/// The codes of findings about the statements of the schema.
extension FindingCode {
  /// The schema has a statement that an import runs only on request.
  public static let unusualSchema = FindingCode(
    text: "unusual-schema", severity: .warning, check: .schema,
    meaning: "the schema has a statement that an import runs only on request",
    cause: """
      The app or another program added a trigger, a view, an index or a table that Core Data would \
      not create: it calls a function that SQLite does not provide, or refers to a table that is \
      not in the store.
      """,
    effect: "None, as long as the app provides what the statement calls.",
    remedy: """
      Trust the schema when you restore an archive of this store. If no one knows the statement, \
      find out who added it.
      """,
    fix: .none("Decide whether to trust the statement."))

  /// A statement of the schema cannot be run again, so that no import could restore it.
  public static let unrestorableSchema = FindingCode(
    text: "unrestorable-schema", severity: .error, check: .schema,
    meaning: "a statement of the schema cannot be run again, so that no import could restore it",
    cause: """
      The schema is damaged or was edited, only the app has a collation or function that the \
      statement names, or the statements exceed the limits of archives. In a salvage also: rows \
      violate a condition of the table or of a unique index.
      """,
    effect: """
      A plain export refuses the store, because its archive could not be imported. The app may \
      work as before, or fail with an SQLite error as soon as it uses the table or index.
      """,
    remedy: """
      Restore an older backup, or drop the index or trigger if the app can do without. A rescue \
      leaves it out; a table keeps its columns and rows and loses its conditions.
      """,
    fix: .lossy("Drop the index or trigger with SQL, or rescue the store without it."),
    tool: .rescue,
    consequences: ["sqlite-damage", "unusual-schema"])
  /// An index of the model is missing.
  public static let missingIndex = FindingCode(
    text: "missing-index", severity: .info, check: .schema,
    meaning: "an index that a new store of the model would have is missing",
    cause: """
      The index was removed with SQL, or the model got it without a migration: an index is no part \
      of a version hash, so Core Data does not notice it.
      """,
    effect: "None but speed: fetches that would use the index read the whole table.",
    remedy: "Nothing, unless fetches are slow. A migration to a new version creates the index.",
    fix: .lossless(
      "Create the index as in a new store of the model. A change file cannot hold that."
    ).automatic)
  /// The index of a uniqueness constraint is missing.
  public static let missingUniqueIndex = FindingCode(
    text: "missing-unique-index", severity: .warning, check: .schema,
    meaning: "the index of a uniqueness constraint is missing",
    cause: "The index was removed with SQL, or another program created the store without it.",
    effect: """
      Equal values are not rejected: the app can save objects that the model forbids, and no \
      merge policy merges them.
      """,
    remedy: """
      Remove duplicates in the app (they are reported as duplicate-unique-value), and create the \
      index with the SQL of a new store of the model.
      """,
    fix: .lossless(
      """
      Create the index as in a new store of the model, once there are no duplicates. A change file \
      cannot hold that.
      """
    ).automatic,
    tool: .creation,
    consequences: ["duplicate-unique-value"])
  /// A trigger that computes a derived attribute is missing.
  public static let missingTrigger = FindingCode(
    text: "missing-trigger", severity: .warning, check: .schema,
    meaning: "a trigger that computes the derived attribute is missing",
    cause: """
      The trigger was removed with SQL, or another program created or migrated the store without \
      it. Triggers are looked for if the expression is a key path over a to-one relationship or \
      the count of a one-to-many relationship.
      """,
    effect: "The derived attribute is not updated when the values that it depends on change.",
    remedy: """
      Correct the values that the check derived reports, and create the trigger with the SQL of a \
      new store of the model.
      """,
    fix: .lossless(
      "Create the trigger as in a new store of the model. A change file cannot hold that."
    ).automatic,
    tool: .creation)
  /// A trigger that writes a spatial index is missing.
  public static let missingSpatialTrigger = FindingCode(
    text: "missing-spatial-trigger", severity: .info, check: .schema,
    meaning: "a trigger that writes the spatial index is missing",
    cause: """
      An in-place migration did not create it, as in libraries of Photos of macOS 15, or it was \
      removed with SQL.
      """,
    effect: "The spatial index does not follow the objects.",
    remedy: """
      Nothing, unless the app fetches by area. The check spatial-index compares the index with the \
      objects.
      """,
    fix: .lossless(
      "Create the trigger as in a new store of the model. A change file cannot hold that."
    ).automatic)

  static let schemaCodes: [FindingCode] = [
    .unusualSchema, .unrestorableSchema, .missingIndex, .missingUniqueIndex, .missingTrigger,
    .missingSpatialTrigger,
  ]
}
