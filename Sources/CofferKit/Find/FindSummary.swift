/// What a search has looked at.
public struct FindSummary: Sendable, Equatable {
  /// How many stores were found, those included that could not be opened.
  public internal(set) var storeCount = 0
  /// How many files were looked at.
  public internal(set) var fileCount = 0
  /// The folders that could not be listed, in the order in which they were met.
  public internal(set) var unreadableFolders: [String] = []
}
