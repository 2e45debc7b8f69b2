internal import CofferKit

/// Which command helps a store that has lost its metadata or the copy of its model.
enum RescueAdvice {
  private static let codes: Set<FindingCode> = [
    .missingMetadata, .unreadableMetadata, .missingModelCache, .unreadableModelCache,
  ]

  /// What to do about a finding besides its remedy; nil where a rescue with a model does not help.
  static func text(_ code: FindingCode, _ store: String) -> String? {
    guard codes.contains(code) else { return nil }
    return "To make a working store with the app's model: "
      + "coffer rescue \(Terminal.printable(store)) --output NEW --model MODEL"
  }
}
