/// Where a managed object model was found.
public enum ModelSource: String, Sendable, Hashable {
  /// The copy of the model that Core Data keeps in the store.
  case modelCache = "modelcache"
  /// A model file given beside the store.
  case file
  /// Concluded from the store's tables, because nothing better is there: names and types are guesses.
  case inferred
}
