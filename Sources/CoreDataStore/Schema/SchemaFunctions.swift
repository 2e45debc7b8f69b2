/// The functions that a statement of a store's schema may call.
///
/// All of them come with SQLite (<https://sqlite.org/lang_corefunc.html> and related pages),
/// compute something from their arguments, and change nothing. Functions that give blobs of any
/// size (`zeroblob`, `randomblob`), load code or examine the connection are excluded.
enum SchemaFunctions {
  static let scalar: Set<String> = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "char",
    "coalesce", "concat", "concat_ws", "cos", "cosh", "date", "datetime", "degrees", "exp", "floor",
    "format", "glob", "hex", "if", "ifnull", "iif", "instr", "json", "json_array",
    "json_array_length", "json_extract", "json_insert", "json_object", "json_patch", "json_quote",
    "json_remove", "json_replace", "json_set", "json_type", "json_valid", "julianday", "length",
    "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min",
    "mod", "nullif", "octet_length", "pi", "pow", "power", "printf", "quote", "radians", "replace",
    "round", "rtrim", "sign", "sin", "sinh", "soundex", "sqrt", "strftime", "substr", "substring",
    "tan", "tanh", "time", "timediff", "trim", "trunc", "typeof", "unhex", "unicode", "unixepoch",
    "unlikely", "upper",
  ]

  /// Functions of values that may take far more time, or give far more bytes, than their arguments have.
  private static let excessive: Set<String> = [
    "concat", "concat_ws", "format", "hex", "instr", "json_insert", "json_patch", "json_remove",
    "json_replace", "json_set", "ltrim", "printf", "quote", "replace", "rtrim", "trim", "unhex",
  ]

  /// Functions that tables and indexes may call: they are computed for every row that is inserted.
  static let ofRow = scalar.subtracting(excessive).subtracting(["glob", "like"])

  /// Functions of many rows, and of full-text search.
  static let ofRows: Set<String> = [
    "avg", "bm25", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "highlight",
    "json_group_array", "json_group_object", "lag", "last_value", "lead", "match", "matchinfo",
    "nth_value", "ntile", "offsets", "percent_rank", "rank", "row_number", "snippet", "string_agg",
    "sum", "total",
  ]

  /// The functions of Core Data's triggers, which only Core Data registers.
  ///
  /// Source: store-format, section 5.8.
  static let ofCoreData: Set<String> = [
    "nscoredatatriggerupdateaffectedobjectvalue",
    "nscoredatadatriggerinsertupdatedaffectedobjectvalue",
    "nscoredatadatriggerupdatedaffectedobjectvalue",
  ]
}
