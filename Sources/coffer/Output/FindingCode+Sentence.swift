internal import CofferKit

extension FindingCode {
  /// The meaning with a capital and a full stop.
  var meaningSentence: String { "\(meaning.prefix(1).uppercased())\(meaning.dropFirst())." }
}
