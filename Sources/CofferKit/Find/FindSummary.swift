/// The result of a search.
public struct FindSummary: Sendable, Equatable {
  /// The number of stores, including those that could not be opened.
  public internal(set) var storeCount = 0
  /// The number of files searched.
  public internal(set) var fileCount = 0
  /// The folders that could not be listed, in the order of the search.
  public internal(set) var unreadableFolders: [String] = []
}
