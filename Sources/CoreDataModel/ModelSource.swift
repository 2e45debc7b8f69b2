/// Where a managed object model was found.
public enum ModelSource: String, Sendable, Hashable {
  /// The copy of the model that Core Data keeps in the store.
  case modelCache = "modelcache"
  /// A model file that the user provided.
  case file
  /// Inferred from the store's tables, because there is nothing better: names and types are
  /// guesses.
  case inferred
}
