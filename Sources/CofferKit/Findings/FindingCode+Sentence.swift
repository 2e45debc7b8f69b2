extension FindingCode {
  /// The meaning with a capital and a full stop.
  package var meaningSentence: String {
    "\(meaning.prefix(1).uppercased())\(meaning.dropFirst())."
  }
}
